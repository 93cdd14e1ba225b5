//! Stores made by hand, the elements of a page, and a browser.
#![allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    unused_imports,
    reason = "shared by test files, each of which uses some"
)]

pub mod chromium;
pub mod html;
pub mod recording;
pub mod sweeps;

pub use chromium::paper;
pub use html::{elements, outline, table_after};
pub use sweeps::{BINS, Shape, load, many, shape, sizing, write_sweep};

use std::path::Path;

/// The page of a made-up sweep.
pub fn sweep(name: &str, shapes: &[Shape], replicas: u32, failed: Option<usize>) -> String {
    let tmp = tempfile::tempdir().unwrap();
    write_sweep(tmp.path(), name, shapes, replicas, failed);
    report::render(tmp.path()).unwrap()
}

/// The page of the sweep that `study` pins as the layout of its store: the two agree.
pub fn pinned() -> String {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../study/tests/pinned");
    report::render(&dir).unwrap()
}

/// The page of a directory with these files.
pub fn page_of(files: &[(&str, &str)]) -> String {
    let tmp = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(tmp.path().join(name), text).unwrap();
    }
    report::render(tmp.path()).unwrap()
}
