//! `collect` with Parquet files: refused in a build without them; else they are of the sweep.
use crate::common::{all_files, jobs, options, record_of};
use std::path::Path;
use study::{Quiet, collect, run_sweep};

fn sweep(out: &Path) {
    run_sweep(&jobs(1), &options(out), |job| Ok(record_of(job)), &Quiet).unwrap();
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_parquet_refuses_it_and_touches_nothing() {
    let tmp = tempfile::tempdir().unwrap();
    sweep(tmp.path());
    let before = all_files(tmp.path());
    let error = collect(tmp.path(), true).unwrap_err();
    assert!(matches!(error, study::StoreError::NoParquet), "{error}");
    assert_eq!(all_files(tmp.path()), before);
}

#[cfg(feature = "parquet")]
mod with {
    use super::*;
    use std::fs;

    const FILES: [&str; 3] = ["latency.parquet", "results.parquet", "windows.parquet"];

    fn there(dir: &Path) -> Vec<String> {
        let files = all_files(dir).into_iter().map(|(name, _)| name);
        files.filter(|name| name.ends_with(".parquet")).collect()
    }

    #[test]
    fn parquet_files_are_written_anew_and_the_next_sweep_removes_them() {
        let tmp = tempfile::tempdir().unwrap();
        let dir = tmp.path();
        sweep(dir);
        let csv = |dir| {
            let mut files = all_files(dir);
            files.retain(|(name, _)| name.ends_with(".csv"));
            files
        };
        let before = csv(dir);
        collect(dir, true).unwrap();
        assert_eq!(there(dir), FILES);
        assert_eq!(csv(dir), before);
        let first = all_files(dir);
        collect(dir, true).unwrap();
        assert!(all_files(dir) == first, "the same bytes, the manifest too");
        sweep(dir);
        assert_eq!(there(dir), [""; 0]);
        assert_eq!(csv(dir), before);
    }

    #[test]
    fn a_file_of_others_is_not_replaced() {
        let tmp = tempfile::tempdir().unwrap();
        let dir = tmp.path();
        sweep(dir);
        fs::write(dir.join("windows.parquet"), "mine").unwrap();
        let before = all_files(dir);
        let error = collect(dir, true).unwrap_err();
        assert!(crate::common::is_in_the_way(&error, "windows.parquet"), "{error}");
        assert_eq!(all_files(dir), before);
        collect(dir, false).unwrap();
        sweep(dir);
        assert_eq!(there(dir), ["windows.parquet"]);
    }
}
