//! Files of a store, with the file in each error.

use crate::ReportError;
use serde::de::DeserializeOwned;
use std::fs;
use std::path::Path;

pub(crate) fn malformed(path: &Path, message: impl ToString) -> ReportError {
    ReportError::Malformed(path.to_path_buf(), message.to_string())
}

pub(crate) fn json<T: DeserializeOwned>(path: &Path) -> Result<T, ReportError> {
    let bytes = fs::read(path).map_err(|e| malformed(path, e))?;
    serde_json::from_slice(&bytes).map_err(|e| malformed(path, e))
}

/// A file of JSON; `None` where there is no such file.
pub(crate) fn json_if_any<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, ReportError> {
    path.is_file().then(|| json(path)).transpose()
}

/// All lines of a table; none where there is no such file.
pub(crate) fn table<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, ReportError> {
    match path.is_file() {
        true => Ok(table_with_head(path)?.1),
        false => Ok(Vec::new()),
    }
}

pub(crate) fn table_with_head<T: DeserializeOwned>(
    path: &Path,
) -> Result<(Vec<String>, Vec<T>), ReportError> {
    let bytes = fs::read(path).map_err(|e| malformed(path, e))?;
    let mut reader = csv::Reader::from_reader(bytes.as_slice());
    let head = reader.headers().map_err(|e| malformed(path, e))?;
    let head = head.iter().map(String::from).collect();
    let rows = reader.deserialize().collect::<Result<_, _>>();
    Ok((head, rows.map_err(|e| malformed(path, e))?))
}
