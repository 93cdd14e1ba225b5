//! One scenario: read, checked, printed, built.

use crate::draft::Draft;
use crate::error::{Errors, Place, ScenarioError};
use crate::input::Input;
use crate::plain::Plain;
use crate::resolve::{Resolved, resolve};
use crate::settings::Settings;
use crate::value::{Table, Value};
use crate::{defaults, keys, network, traced};
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::Path;
use std::str::FromStr;
use units::Ratio;

/// A key given on the command line: `--set key.path=VALUE`. Displayed as `key.path=VALUE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Set {
    key: String,
    value: String,
}

/// A `--set` without a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` sets no key; legal: key.path=VALUE, such as switch.scheme=recn")]
pub struct SetError {
    /// What was given.
    pub given: String,
}

impl Set {
    /// `key` set to `value`, which is read as TOML where it is TOML, else taken as a string.
    pub fn new(key: &str, value: &str) -> Set {
        Set { key: key.to_owned(), value: value.to_owned() }
    }

    /// The dotted path.
    pub fn key(&self) -> &str {
        &self.key
    }

    pub(crate) fn to_value(&self) -> Value {
        Value::from_set(&self.key, &self.value)
    }
}

impl FromStr for Set {
    type Err = SetError;

    fn from_str(text: &str) -> Result<Set, SetError> {
        match text.split_once('=') {
            Some((key, value)) if !key.trim().is_empty() => Ok(Set::new(key.trim(), value.trim())),
            _ => Err(SetError { given: text.to_owned() }),
        }
    }
}

impl std::fmt::Display for Set {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}={}", self.key, self.value)
    }
}

/// A checked scenario: every key has its value, and they go together. Nothing is left to refuse but
/// what takes time to find out, routes and generators: [`Scenario::build`].
#[derive(Debug, Clone)]
pub struct Scenario {
    /// Name of the file without its ending.
    pub name: String,
    pub(crate) settings: Settings,
    pub(crate) resolved: Resolved,
    text: String,
}

impl Scenario {
    /// Reads a file, see [`Input::read`], with `sets` over it; the errors are all that is wrong.
    pub fn load(path: &Path, sets: &[Set]) -> Result<Scenario, Errors> {
        Scenario::from_input(&Input::read(path)?, sets)
    }

    /// The same of what was read.
    pub fn from_input(input: &Input, sets: &[Set]) -> Result<Scenario, Errors> {
        let mut table = input.table.clone()?;
        refuse_study(&table)?;
        overlay_sets(&mut table, sets)?;
        Scenario::from_table(&table, input)
    }

    /// The same of a text called `name`; paths are relative to `base_dir`, else refused.
    pub fn parse(
        text: &str,
        name: &str,
        base_dir: Option<&Path>,
        sets: &[Set],
    ) -> Result<Scenario, Errors> {
        Scenario::from_input(&Input::new(name, base_dir, text), sets)
    }

    pub(crate) fn from_table(table: &Table, input: &Input) -> Result<Scenario, Errors> {
        let (settings, mut errors) = Settings::read(table, Place::start_of(&input.source));
        let mut draft = Draft::new(settings);
        network::read_lists(&mut draft, input.dir.as_deref());
        traced::locate(&mut draft, input.dir.as_deref());
        errors.kept.extend(draft.take_errors());
        errors.check()?;
        Scenario::from_settings(draft.settings, &input.stem)
    }

    fn from_settings(settings: Settings, name: &str) -> Result<Scenario, Errors> {
        let (settings, resolved) = resolve(settings)?;
        let text = print(&settings, |_| true);
        Ok(Scenario { name: name.to_owned(), settings, resolved, text })
    }

    /// Every key with its value, defaults included, as a scenario file that reads back the same.
    pub fn resolved_toml(&self) -> String {
        self.text.clone()
    }

    /// FNV-1a of the resolved text: equal scenarios have equal hashes on every machine.
    pub fn hash(&self) -> u64 {
        fnv(&self.text)
    }

    /// The same of the text without these keys: equal where scenarios differ in nothing else.
    pub fn hash_without(&self, keys: &[&str]) -> u64 {
        fnv(&print(&self.settings, |key| !keys.contains(&key)))
    }

    /// `run.seed`.
    pub fn seed(&self) -> u64 {
        self.resolved.run.seed
    }

    /// This scenario with another `run.seed`, at most 2^63 - 1.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Scenario {
        // What a TOML integer holds; more could not be read back.
        let seed = seed.min(i64::MAX.unsigned_abs());
        self.settings.replace("run.seed", seed);
        self.resolved.run.seed = seed;
        self.text = print(&self.settings, |_| true);
        self
    }

    /// This scenario; its routes are checked on so many threads when it is built.
    #[must_use]
    pub fn with_threads(mut self, threads: NonZeroUsize) -> Scenario {
        self.resolved.options.threads = threads;
        self
    }

    /// Reports how much of its routes is checked, (so many, of so many), when it is built.
    #[must_use]
    pub fn with_progress(mut self, progress: fn(u64, u64)) -> Scenario {
        self.resolved.options.progress = progress;
        self
    }

    /// Number of end nodes.
    pub fn nodes(&self) -> u32 {
        self.resolved.nodes
    }

    /// This scenario with other settings; threads and progress stay.
    pub(crate) fn with_settings(&self, settings: Settings) -> Result<Scenario, Errors> {
        let mut scenario = Scenario::from_settings(settings, &self.name)?;
        let options = &self.resolved.options;
        scenario.resolved.options.threads = options.threads;
        scenario.resolved.options.progress = options.progress;
        Ok(scenario)
    }

    /// `run.duration_ns`.
    pub fn duration_ns(&self) -> Ratio {
        self.settings.ratio("run.duration_ns").unwrap_or(Ratio::ONE)
    }

    /// Duration and the time to drain, ns: the run ends no later.
    pub fn longest_ns(&self) -> f64 {
        let drain = self.settings.ratio("run.drain_ns").map_or(0.0, Ratio::to_f64);
        self.duration_ns().to_f64() + drain
    }

    /// The value of any key after defaults, as TOML; `None` for a key without one.
    pub fn get(&self, key: &str) -> Option<String> {
        self.settings.plain(key).map(Plain::toml)
    }
}

/// One clear error in the place of unknown sections, where a study is given as a scenario.
pub(crate) fn refuse_study(table: &Table) -> Result<(), ScenarioError> {
    let Some(entry) = table.get("study") else {
        return Ok(());
    };
    let what = "this is a study, where a scenario is wanted";
    let help = "`setaside sweep` runs a study; study.scenario names its scenario";
    Err(ScenarioError::new(&entry.key_origin, "study", what, help))
}

/// Puts one value over a document; keys that would win over it go.
pub(crate) fn overlay(table: &mut Table, path: &str, value: Value) -> Result<(), ScenarioError> {
    for displaced in defaults::displaced_by(path) {
        table.remove(displaced);
    }
    table.overlay(path, value)
}

pub(crate) fn overlay_sets(table: &mut Table, sets: &[Set]) -> Result<(), Errors> {
    let overlaid = sets.iter().map(|set| overlay(table, set.key(), set.to_value()));
    Errors::of(overlaid.filter_map(Result::err).collect()).check()
}

fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Every key that has a value and is wanted, by section, in the order of the table of keys.
fn print(settings: &Settings, is_wanted: impl Fn(&str) -> bool) -> String {
    let mut text = String::new();
    let mut section = String::new();
    for (path, _) in settings.all_keys() {
        if !is_wanted(&path) {
            continue;
        }
        let Some(plain) = settings.plain(&path) else {
            continue;
        };
        let (parent, name) = path.rsplit_once('.').unwrap_or(("", &path));
        if parent != section {
            let gap = if text.is_empty() { "" } else { "\n" };
            let header = match keys::list_above(parent) {
                Some(list) => format!("[[{list}]]"),
                None => format!("[{parent}]"),
            };
            let _ = writeln!(text, "{gap}{header}");
            parent.clone_into(&mut section);
        }
        let _ = writeln!(text, "{name} = {}", plain.toml());
    }
    text
}
