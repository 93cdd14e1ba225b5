//! The files that `run --record` wrote, as they are; each may be missing.

use crate::ReportError;
use crate::files::malformed;
use serde::Deserialize;
use std::path::Path;

/// `trees.json`, what the page shows of it.
#[derive(Deserialize)]
pub(super) struct Trees {
    pub(super) trees: Vec<Tree>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Tree {
    pub(super) root: String,
    pub(super) born_ns: f64,
    pub(super) end_ns: Option<f64>,
    pub(super) saqs_peak: u32,
    pub(super) peak_ns: f64,
    pub(super) branches: Vec<Branch>,
    /// Place of the branch, from, until; recordings of before have none.
    #[serde(default)]
    pub(super) xoffs: Vec<(usize, f64, Option<f64>)>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Branch {
    pub(super) port: String,
    pub(super) joined_ns: f64,
    pub(super) left_ns: Option<f64>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Topology {
    pub(super) topology: String,
    pub(super) layout: String,
    pub(super) switches: Vec<[f64; 2]>,
    pub(super) nodes: Vec<[f64; 2]>,
    pub(super) layers: Vec<u32>,
    pub(super) links: Vec<[End; 2]>,
}

/// An end of a link: `node`, or `switch` and `port`.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) struct End {
    pub(super) node: Option<u32>,
    pub(super) switch: Option<u32>,
    pub(super) port: Option<u32>,
}

#[derive(Debug, Deserialize)]
pub(super) struct CamRow {
    pub(super) row: String,
    pub(super) t_ns: f64,
    pub(super) side: String,
    pub(super) saqs_max: f64,
    pub(super) saqs_max_port: f64,
    pub(super) lines: f64,
    pub(super) lines_leaf: f64,
    pub(super) lines_blocked: f64,
    pub(super) lines_ready: f64,
}

/// A line of `ports.csv`, what the page shows of it.
#[derive(Debug, Deserialize)]
pub(super) struct PortRow<'a> {
    pub(super) t_ns: f64,
    pub(super) port: &'a str,
    pub(super) side: &'a str,
    pub(super) utilised: f32,
    pub(super) stalled_credit: f32,
    pub(super) stalled_xoff: f32,
    pub(super) lost_arbitration: f32,
    pub(super) lines_leaf_max: f32,
    pub(super) lines_blocked_max: f32,
    pub(super) lines_ready_max: f32,
}

pub(super) fn ports(path: &Path, mut each: impl FnMut(PortRow<'_>)) -> Result<(), ReportError> {
    if !path.is_file() {
        return Ok(());
    }
    let mut reader = csv::Reader::from_path(path).map_err(|e| malformed(path, e))?;
    let head = reader.headers().map_err(|e| malformed(path, e))?.clone();
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(|e| malformed(path, e))? {
        each(record.deserialize(Some(&head)).map_err(|e| malformed(path, e))?);
    }
    Ok(())
}
