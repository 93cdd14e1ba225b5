//! Pages of 2 MiB for the state of a fabric.

/// Asks the allocator to ask the system for large pages, where there are any. A large fabric is
/// looked at in no order that a cache could use: with pages of 4 KiB nearly every look costs a walk
/// of the page tables too. For programs whose global allocator is `mimalloc`.
pub fn ask_for_large_pages() {
    #[allow(unsafe_code)]
    // SAFETY: sets an option of the allocator, a number; any thread may at any time.
    unsafe {
        libmimalloc_sys::mi_option_set_enabled(libmimalloc_sys::mi_option_large_os_pages, true);
    }
}
