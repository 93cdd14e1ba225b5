//! Files and streams opened, and their format found.

use crate::error::{Place, Problem, TraceError};
use crate::format::Format;
use crate::input::{Input, LINE_MAX};
use crate::options::Options;
use crate::text::shown;
use std::fs::File;
use std::path::Path;

/// What is looked at to find the format.
const HEAD_BYTES: usize = 4096;

/// Opens a file; `-` is standard input.
pub(crate) fn input(path: &Path, options: &Options) -> Result<Input, TraceError> {
    if path == Path::new("-") {
        return Input::new(std::io::stdin(), "stdin", options.compression);
    }
    let name = path.display().to_string();
    let failed = |message: String| TraceError {
        file: name.as_str().into(),
        place: Place::File,
        problem: Problem::Open { message },
    };
    let file = File::open(path).map_err(|error| failed(error.to_string()))?;
    if file.metadata().is_ok_and(|meta| meta.is_dir()) {
        return Err(failed("is a directory".to_string()));
    }
    Input::new(file, &name, options.compression)
}

/// The format of a file, as given or found.
pub(crate) fn format(input: &mut Input, options: &Options) -> Result<Format, TraceError> {
    let head = input.ahead(LINE_MAX)?;
    let head = &head[..head.len().min(HEAD_BYTES)];
    let (found, is_empty) = (Format::of(head), head.is_empty());
    let begin = String::from_utf8_lossy(head);
    let begin = shown(begin.lines().find(|line| !line.trim().is_empty()).unwrap_or(""));
    if is_empty {
        return Err(input.empty());
    }
    options
        .format
        .or(found)
        .ok_or_else(|| input.error(Place::File, Problem::UnknownFormat { found: begin }))
}
