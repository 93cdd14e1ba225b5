//! Pins of the shipped scenarios, `tests/shipped.toml`: the hash of all events of a run. Cut short
//! the test `shipped` runs them, at full length `cargo xtask hashes`.

use crate::metamorphic::record;
use scenario::{Scenario, Set};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A run and the hash of its events.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// Below `scenarios/`; of runs at full length the key.
    #[serde(default)]
    pub file: String,
    /// What is set over the file, `key=value` each.
    #[serde(default)]
    pub set: Vec<String>,
    /// That of its summary.
    pub events_hash: String,
}

/// All pins.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pins {
    /// Runs cut short, in the order of the file.
    pub cut: Vec<Pin>,
    /// Runs at full length, those of meshes at a thirtieth of it.
    #[serde(deserialize_with = "by_file")]
    pub full: Vec<Pin>,
}

fn by_file<'de, D: Deserializer<'de>>(pins: D) -> Result<Vec<Pin>, D::Error> {
    let pins = BTreeMap::<String, Pin>::deserialize(pins)?;
    Ok(pins.into_iter().map(|(file, pin)| Pin { file, ..pin }).collect())
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
        toml::from_str(&text).map_err(|e| e.to_string())
    }
}

impl Pin {
    /// The hash that the run has now.
    pub fn found(&self) -> Result<String, String> {
        let sets = self.set.iter().map(|set| set.parse::<Set>());
        let sets = sets.collect::<Result<Vec<_>, _>>();
        let sets = sets.map_err(|e| e.to_string())?;
        let scenario = Scenario::load(&scenarios().join(&self.file), &sets);
        let config = scenario.and_then(|scenario| scenario.build());
        let config = config.map_err(|errors| errors.to_string())?;
        Ok(record(&config).summary.events_hash)
    }
}
