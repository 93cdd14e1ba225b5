//! The `setaside` program; everything is in the library.

use std::process::ExitCode;

// A large fabric is looked at in no order that a cache could use: with pages of 4 KiB each look costs a walk of the page tables too.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    #[allow(unsafe_code)]
    // SAFETY: sets an option, a number, of the allocator.
    unsafe {
        libmimalloc_sys::mi_option_set_enabled(libmimalloc_sys::mi_option_large_os_pages, true);
    }
    setaside::main(std::env::args_os())
}
