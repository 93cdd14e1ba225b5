//! Names of files of a store, and how one is put in place and read.

use crate::disk::{self, Reach};
use crate::error::StoreError;
use crate::place;
use serde::de::DeserializeOwned;
use std::fs;
use std::path::Path;

/// Says that a run or a sweep is there, and what belongs to it; of a run the last file to appear.
pub(crate) const MANIFEST: &str = "manifest.json";

/// The histograms of latencies of a run; of a sweep those of its points.
pub(crate) const LATENCY: &str = "latency.csv";

/// Files of every run, the manifest apart.
pub(crate) const RUN_FILES: [&str; 6] =
    ["scenario.toml", "series.csv", "flows.csv", LATENCY, "windows.csv", "summary.json"];

/// Indented JSON with a line end.
pub(crate) fn json<T: serde::Serialize>(value: &T) -> serde_json::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Writes one file by way of a hidden neighbour and a rename: readers see the older bytes or the
/// newer, never a part. One process at a time may do so: the caller holds a lock.
pub(crate) fn replace_file(path: &Path, bytes: &[u8], reach: Reach) -> Result<(), StoreError> {
    let partial = place::hidden(path, place::PARTIAL);
    let written = disk::write(&partial, bytes, reach);
    let replaced = written.and_then(|()| disk::rename(&partial, path));
    if replaced.is_err() {
        let _ = disk::remove(&partial); // the first error is the one to tell
    }
    replaced
}

/// The manifest at `path`, if there is one of this kind.
pub(crate) fn manifest_of<T: DeserializeOwned>(path: &Path) -> Option<T> {
    let bytes = fs::read(path).ok()?;
    serde_json::from_slice(&bytes).ok()
}
