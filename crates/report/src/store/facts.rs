//! The head of the page: what was run, heading and text.

use super::UNREADABLE;
use super::read::Results;
use serde_json::Value;

/// A heading and a text.
type Fact = (String, String);

/// Of a sweep; the manifest is null where there is none.
pub(super) fn of_sweep(results: &Results, manifest: &Value) -> Vec<Fact> {
    let count = |status: &str| results.runs.iter().filter(|run| run.status == status).count();
    let mut runs = format!(
        "{} points, {} runs: {} finished",
        results.points.len(),
        results.runs.len(),
        count("ok")
    );
    for status in ["failed", "not run", UNREADABLE] {
        if count(status) > 0 {
            runs.push_str(&format!(", {} {status}", count(status)));
        }
    }
    let mut seeds: Vec<u64> = results.runs.iter().map(|run| run.seed).collect();
    seeds.sort_unstable();
    seeds.dedup();
    let mut facts = vec![("Scenario".to_string(), results.scenario.clone()), ("Runs".into(), runs)];
    facts.push(("Seeds".into(), seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")));
    facts.extend(program(manifest));
    facts.retain(|(_, text)| !text.is_empty());
    facts
}

/// Of a single run.
pub(super) fn of_run(manifest: &Value, seed: u64) -> Vec<Fact> {
    let text = |key: &str| manifest[key].as_str().unwrap_or_default().to_string();
    let mut facts =
        vec![("Seed".to_string(), seed.to_string()), ("Scenario hash".into(), text("hash"))];
    facts.extend(program(manifest));
    if let Some(labels) = manifest["labels"].as_array() {
        let pair = |l: &Value| Some(format!("{} = {}", l[0].as_str()?, l[1].as_str()?));
        facts.insert(
            0,
            ("Point".into(), labels.iter().filter_map(pair).collect::<Vec<_>>().join(", ")),
        );
    }
    facts.retain(|(_, text)| !text.is_empty());
    facts
}

/// Which program ran, and how long.
fn program(manifest: &Value) -> Vec<(String, String)> {
    let text = |key: &str| manifest[key].as_str().unwrap_or_default().to_string();
    let mut commit = text("commit");
    if manifest["dirty"] == true {
        commit.push_str(if commit.is_empty() {
            "unknown, with uncommitted changes"
        } else {
            " with uncommitted changes"
        });
    }
    let seconds = manifest["wall_seconds"].as_f64().filter(|s| *s > 0.0);
    vec![
        ("Version".into(), text("version")),
        ("Commit".into(), commit),
        ("Engine".into(), text("engine")),
        ("Wall time".into(), seconds.map_or(String::new(), |s| format!("{s:.1} s"))),
    ]
}
