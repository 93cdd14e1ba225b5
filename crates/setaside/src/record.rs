//! `setaside run --record`: congestion trees, CAM lines and ports over time, beside the results in
//! the run directory.

use crate::exit::{Exit, Failure};
use crate::inspect::Recorded;
use crate::places::topology_json;
use scenario::Scenario;
use serde::Serialize;
use std::fmt::Display;

/// Names of the files.
pub(crate) const FILES: [&str; 5] =
    ["trees.json", "trees.csv", "cam.csv", "ports.csv", "topology.json"];

/// These files of a run directory.
pub(crate) fn files(
    recorded: &Recorded,
    scenario: &Scenario,
) -> Result<Vec<(&'static str, Vec<u8>)>, Failure> {
    let Recorded { recording, network, time_base } = recorded;
    let trees = &recording.trees;
    let bytes = [
        json("trees.json", &trees.record(time_base))?,
        trees.csv(time_base).into_bytes(),
        recording.recorder.cam_csv().as_bytes().to_vec(),
        recording.recorder.ports_csv().as_bytes().to_vec(),
        json("topology.json", &topology_json(network, &widths(scenario)))?,
    ];
    Ok(FILES.into_iter().zip(bytes).collect())
}

fn failure(name: &str, error: &dyn Display) -> Failure {
    Failure::new(Exit::Failure, format!("error: {name}: {error}"))
}

fn json(name: &str, value: &impl Serialize) -> Result<Vec<u8>, Failure> {
    let mut json = serde_json::to_vec(value).map_err(|e| failure(name, &e))?;
    json.push(b'\n');
    Ok(json)
}

/// Switches of a mesh or torus by dimension.
fn widths(scenario: &Scenario) -> Vec<u32> {
    let numbers = |key: &str| -> Vec<u32> {
        let text = scenario.get(key).unwrap_or_default();
        let digits = text.split(|c: char| !c.is_ascii_digit());
        digits.filter_map(|number| number.parse().ok()).collect()
    };
    match scenario.get("network.topology").as_deref() {
        Some("\"mesh\"") => [numbers("network.width"), numbers("network.height")].concat(),
        Some("\"torus\"") => numbers("network.dimensions"),
        _ => Vec::new(),
    }
}
