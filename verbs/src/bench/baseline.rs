//! The stored instruction counts that `--check` compares with.

use crate::page::{self, failed};
use setaside::Failure;
use std::collections::BTreeMap;
use std::fmt::Write as _;

const FILE: &str = "verbs/bench-baseline.toml";
/// More than this above the baseline fails.
const MORE_MAX: f64 = 1.05;

pub(super) fn write(counts: &BTreeMap<String, f64>) -> Result<(), Failure> {
    let mut text = String::from(
        "# Instructions a packet-hop; written by `cargo xtask bench --write-baseline`, read by `--check`.\n",
    );
    for (name, count) in counts {
        let _ = writeln!(text, "\"{name}\" = {count:.0}");
    }
    page::write(FILE, &text)
}

/// Fails if any count is more than 5 % above the baseline, or has none.
pub(super) fn check(counts: &BTreeMap<String, f64>) -> Result<(), Failure> {
    let baseline: BTreeMap<String, f64> =
        toml::from_str(&page::read(FILE)?).map_err(|e| failed(format!("{FILE}: {e}")))?;
    let mut worse = String::new();
    for (name, &count) in counts {
        match baseline.get(name) {
            None => {
                let _ = write!(worse, "\n  {name}: {count:.0}, no baseline");
            }
            Some(&before) if count > before * MORE_MAX => {
                let more = 100.0 * (count / before - 1.0);
                let _ = write!(worse, "\n  {name}: {before:.0} to {count:.0}, {more:.1} % more");
            }
            Some(_) => {}
        }
    }
    if worse.is_empty() {
        println!("within 5 % of {FILE}");
        Ok(())
    } else {
        Err(failed(format!(
            "instructions a packet-hop above {FILE}:{worse}\nif that is meant: cargo xtask bench --write-baseline"
        )))
    }
}
