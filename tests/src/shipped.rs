//! Pins of the shipped scenarios, `tests/shipped.toml`: the hash of all events of a run. Cut short
//! the test `shipped` runs them, at full length `cargo xtask hashes`.

use crate::metamorphic::record;
use scenario::{Scenario, Set};
use std::path::{Path, PathBuf};
use toml::Value;

/// A run and the hash of its events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pin {
    /// Below `scenarios/`.
    pub file: String,
    /// What is set over the file, `key=value` each.
    pub sets: Vec<String>,
    /// `events_hash` of its summary.
    pub hash: String,
}

/// All pins.
#[derive(Debug, Clone, Default)]
pub struct Pins {
    /// Runs cut short, in the order of the file.
    pub cut: Vec<Pin>,
    /// Runs at full length, those of meshes at a thirtieth of it.
    pub full: Vec<Pin>,
}

/// The file of the pins.
pub fn pins_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("shipped.toml")
}

/// The folder of the scenarios.
pub fn scenarios() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios")
}

/// A shipped scenario, with what is set over it.
pub fn load(file: &str, sets: &[(&str, &str)]) -> Scenario {
    let sets: Vec<Set> = sets.iter().map(|(key, value)| Set::new(key, value)).collect();
    let loaded = Scenario::load(&scenarios().join(file), &sets);
    loaded.unwrap_or_else(|errors| panic!("{errors}"))
}

impl Pins {
    /// Reads `tests/shipped.toml`.
    pub fn read() -> Result<Pins, String> {
        let text = std::fs::read_to_string(pins_path()).map_err(|e| e.to_string())?;
        let table: toml::Table = text.parse().map_err(|e| format!("{e}"))?;
        let cut = table.get("cut").and_then(Value::as_array);
        let full = table.get("full").and_then(Value::as_table);
        let cut = cut.ok_or("no [[cut]]")?.iter().map(cut_pin);
        let full = full.ok_or("no [full]")?.iter();
        Ok(Pins {
            cut: cut.collect::<Result<_, _>>()?,
            full: full.map(full_pin).collect::<Result<_, _>>()?,
        })
    }
}

fn cut_pin(value: &Value) -> Result<Pin, String> {
    let file = value.get("file").and_then(Value::as_str);
    pin(file.ok_or_else(|| format!("no `file` in {value}"))?, value)
}

/// A hash, or a table with `set` beside it.
fn full_pin((file, value): (&String, &Value)) -> Result<Pin, String> {
    match value.as_str() {
        Some(hash) => Ok(Pin { file: file.clone(), sets: Vec::new(), hash: hash.to_string() }),
        None => pin(file, value),
    }
}

fn pin(file: &str, value: &Value) -> Result<Pin, String> {
    let sets = value.get("set").and_then(Value::as_array);
    let sets = sets.ok_or_else(|| format!("no `set` in {value}"))?;
    let sets = sets.iter().filter_map(Value::as_str).map(str::to_string);
    let hash = value.get("events_hash").and_then(Value::as_str);
    Ok(Pin {
        file: file.to_string(),
        sets: sets.collect(),
        hash: hash.ok_or_else(|| format!("no `events_hash` in {value}"))?.to_string(),
    })
}

impl Pin {
    /// The hash that the run has now.
    pub fn found(&self) -> Result<String, String> {
        let sets = self.sets.iter().map(|set| set.parse::<Set>());
        let sets = sets.collect::<Result<Vec<_>, _>>();
        let sets = sets.map_err(|e| e.to_string())?;
        let scenario = Scenario::load(&scenarios().join(&self.file), &sets);
        let config = scenario.and_then(|scenario| scenario.build());
        let config = config.map_err(|errors| errors.to_string())?;
        Ok(record(&config).summary.events_hash)
    }
}
