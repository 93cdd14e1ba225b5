//! What is built into the program: its version, a study, and an allocator.

use scenario::{Errors, Set, Study};
use std::sync::OnceLock;
use study::Build;

/// Which program this is.
pub fn build_info() -> Build {
    Build {
        version: env!("CARGO_PKG_VERSION").to_string(),
        commit: env!("SETASIDE_COMMIT").to_string(),
        dirty: env!("SETASIDE_DIRTY") == "true",
        sources: env!("SETASIDE_SOURCES").to_string(),
    }
}

/// Version and commit, for `--version`; a + follows the commit of a tree with changes.
pub(crate) fn version() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| {
        let build = build_info();
        let commit: String = build.commit.chars().take(12).collect();
        match (commit.as_str(), build.dirty) {
            ("", _) => build.version,
            (commit, dirty) => {
                format!("{} ({commit}{})", build.version, if dirty { "+" } else { "" })
            }
        }
    })
}

const STUDY: &str = include_str!("../../../scenarios/studies/overlapping-trees.toml");
const SCENARIO: &str = include_str!("../../../scenarios/overlapping-trees/moving.toml");

/// The study that comes with the program: how many SAQs does a switch need where congestion trees
/// overlap and move? (64-node BMIN, four trees at a time.) It is as shipped, with `sets` over it.
///
/// # Errors
/// What `sets` make wrong.
pub fn embedded_study(sets: &[Set]) -> Result<Study, Errors> {
    let resolve = |path: &str| path.ends_with("moving.toml").then(|| SCENARIO.to_string());
    Study::parse(STUDY, "overlapping-trees.toml", &resolve, sets)
}

#[cfg(feature = "large-pages")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Asks for large pages, where there are any (feature `large-pages`): a large fabric is accessed in
/// no order that a cache could use, and with small ones nearly every access walks the page tables.
pub fn ask_for_large_pages() {
    #[cfg(feature = "large-pages")]
    #[allow(unsafe_code)]
    // SAFETY: sets an option of the allocator, a number; any thread may at any time.
    unsafe {
        libmimalloc_sys::mi_option_set_enabled(libmimalloc_sys::mi_option_large_os_pages, true);
    }
}
