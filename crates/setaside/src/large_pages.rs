//! Pages of 2 MiB for the state of a fabric: feature `large-pages`.

#[cfg(feature = "large-pages")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Asks the allocator to ask the system for large pages, where there are any; nothing without the
/// feature `large-pages`. A large fabric is looked at in no order that a cache could use: with
/// pages of 4 KiB nearly every look costs a walk of the page tables too.
pub fn ask_for_large_pages() {
    #[cfg(feature = "large-pages")]
    #[allow(unsafe_code)]
    // SAFETY: sets an option of the allocator, a number; any thread may at any time.
    unsafe {
        libmimalloc_sys::mi_option_set_enabled(libmimalloc_sys::mi_option_large_os_pages, true);
    }
}
