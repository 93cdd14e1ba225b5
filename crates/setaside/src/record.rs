//! `setaside run --record`: congestion trees, CAM lines and ports over time, beside the results in
//! the run directory.

use crate::exit::{Exit, Failure};
use crate::inspect::Recorded;

/// Names of the four files.
pub(crate) const FILES: [&str; 4] = ["trees.json", "trees.csv", "cam.csv", "ports.csv"];

/// The four files of a run directory.
pub(crate) fn files(recorded: &Recorded) -> Result<Vec<(&'static str, Vec<u8>)>, Failure> {
    let Recorded {
        recording,
        time_base,
    } = recorded;
    let trees = &recording.trees;
    let mut json = serde_json::to_vec(&trees.record(time_base))
        .map_err(|e| Failure::new(Exit::Failure, format!("error: trees.json: {e}")))?;
    json.push(b'\n');
    let bytes = [
        json,
        trees.csv(time_base).into_bytes(),
        recording.recorder.cam_csv().as_bytes().to_vec(),
        recording.recorder.ports_csv().as_bytes().to_vec(),
    ];
    Ok(FILES.into_iter().zip(bytes).collect())
}
