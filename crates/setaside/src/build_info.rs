//! Which program this is.

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

/// Version and commit, for `--version`; a + stands behind the commit of a tree with changes.
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
