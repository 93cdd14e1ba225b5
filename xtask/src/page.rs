//! The pages that the verbs write, and what they need to write them.

use crate::wrap::wrapped;
use setaside::{Exit, Failure};
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// The project's folder.
pub(crate) fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_path_buf()
}

/// Writes a file of the project and says so; of a page with long lines wrapped.
pub(crate) fn write(name: &str, text: &str) -> Result<(), Failure> {
    let page = name.ends_with(".md").then(|| wrapped(text));
    let text = page.as_deref().unwrap_or(text);
    std::fs::write(root().join(name), text).map_err(io(name))?;
    println!("wrote {name}");
    Ok(())
}

/// Reads a file of the project.
pub(crate) fn read(name: &str) -> Result<String, Failure> {
    std::fs::read_to_string(root().join(name)).map_err(io(name))
}

/// Reading or writing `name`, or running it, failed.
pub(crate) fn io(name: impl Display) -> impl FnOnce(std::io::Error) -> Failure {
    move |e| Failure::new(Exit::Failure, format!("error: {name}: {e}"))
}

/// With a comma at the thousands: 12,345,678.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
