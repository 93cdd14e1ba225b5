//! What `run --record` wrote, as figures, thinned so that the page stays small (see captions).

mod files;
mod frames;
mod heat;
mod hot;
mod lines;
mod ports;
mod scene;
mod trees;

use crate::ReportError;
use crate::figures::Figure;
use crate::files::{json_if_any, table};
use files::{CamRow, Topology, Trees};
use frames::Frames;
use ports::Ports;
use std::path::Path;

/// Style and script of these figures.
pub(crate) const STYLE: &str = include_str!("../assets/recorded.css");
pub(crate) const SCRIPT: &str = include_str!("../assets/recorded.js");

/// What a recorded run shows beside what every run shows.
#[derive(Default)]
pub(crate) struct Recorded {
    /// Sections of the page, ready.
    pub(crate) trees: Option<String>,
    pub(crate) ports: String,
    /// Drawn as the other figures are.
    pub(crate) cam: Option<Figure>,
}

impl Recorded {
    pub(crate) fn has_own_drawings(&self) -> bool {
        self.trees.is_some() || !self.ports.is_empty()
    }

    /// From a run directory; nothing of a run that was not recorded.
    pub(crate) fn read(dir: &Path, times: (f64, f64)) -> Result<Recorded, ReportError> {
        let topology: Option<Topology> = json_if_any(&dir.join("topology.json"))?;
        let trees: Option<Trees> = json_if_any(&dir.join("trees.json"))?;
        let ports = Ports::read(&dir.join("ports.csv"), times)?;
        let cam: Vec<CamRow> = table(&dir.join("cam.csv"))?;
        let trees = trees.zip(topology.as_ref()).and_then(|(trees, topology)| {
            let hot = hot::outputs(dir, topology);
            let frames = Frames::new(&trees.trees, &hot, times);
            trees::section(&frames, topology)
        });
        Ok(Recorded {
            trees,
            ports: heat::section(&ports, topology.as_ref()),
            cam: lines::cam(&cam, &ports),
        })
    }
}
