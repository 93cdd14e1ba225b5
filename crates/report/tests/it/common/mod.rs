//! Stores made by hand, the elements of a page, and a browser.

pub(crate) mod chromium;
pub(crate) mod html;
pub(crate) mod recording;
pub(crate) mod sweeps;

pub(crate) use chromium::{View, calm, paper};
pub(crate) use html::{attribute, counts, elements, outline, part, shows, table_after};
pub(crate) use recording::{SMALL, Size, recording, write_recording};
pub(crate) use sweeps::{BINS, Shape, load, many, shape, sizing, write_sweep};

use std::path::Path;

/// The page of a made-up sweep.
pub(crate) fn sweep(name: &str, shapes: &[Shape], replicas: u32, failed: Option<usize>) -> String {
    let tmp = tempfile::tempdir().unwrap();
    write_sweep(tmp.path(), name, shapes, replicas, failed);
    report::render(tmp.path()).unwrap()
}

/// The page of the sweep that `study` pins as the layout of its store: the two agree.
pub(crate) fn pinned() -> String {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../study/tests/pinned");
    report::render(&dir).unwrap()
}
