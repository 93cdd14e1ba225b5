//! JSON and `series.csv`, with the file in each error.

use super::Series;
use crate::ReportError;
use std::fs;
use std::path::Path;

/// A file of JSON.
pub(crate) fn json<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, ReportError> {
    let bytes =
        fs::read(path).map_err(|source| ReportError::Io { path: path.to_path_buf(), source })?;
    serde_json::from_slice(&bytes)
        .map_err(|e| ReportError::Malformed { path: path.to_path_buf(), message: e.to_string() })
}

/// `series.csv` of a run.
pub(super) fn series(path: &Path) -> Result<Series, ReportError> {
    let bytes =
        fs::read(path).map_err(|source| ReportError::Io { path: path.to_path_buf(), source })?;
    let malformed = |message: String| ReportError::Malformed { path: path.to_path_buf(), message };
    let mut reader = csv::Reader::from_reader(bytes.as_slice());
    let columns =
        reader.headers().map_err(|e| malformed(e.to_string()))?.iter().map(String::from).collect();
    let rows =
        reader.deserialize().collect::<Result<_, _>>().map_err(|e| malformed(e.to_string()))?;
    Ok(Series { columns, rows })
}
