//! The `setaside` program; everything is in the library.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    setaside::ask_for_large_pages();
    setaside::main(std::env::args_os())
}
