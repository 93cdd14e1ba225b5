//! The JSON Schema against what the program takes.

use crate::{files, root};
use scenario::{Scenario, schema};
use serde_json::Value;
use std::fs;

fn json(text: &str) -> Value {
    let table: toml::Table = text.parse().unwrap();
    serde_json::to_value(table).unwrap()
}

// "every shipped scenario validates", and what they resolve to.
#[test]
fn shipped_files_validate() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    for path in files(&root("../../scenarios")) {
        let text = fs::read_to_string(&path).unwrap();
        assert!(validator.is_valid(&json(&text)), "{}", path.display());
        if let Ok(scenario) = Scenario::load(&path, &[]) {
            let resolved = scenario.resolved_toml();
            assert!(validator.is_valid(&json(&resolved)), "{resolved}");
        }
    }
}

// "every key of the table is in it": the resolved text has every key but those that other
// topologies have.
#[test]
fn every_key_is_in_it() {
    let scenario = schema()["$defs"]["scenario"].clone();
    let mut count = 0;
    fn walk(schema: &Value, path: &str, count: &mut usize) {
        for (name, inner) in schema["properties"].as_object().unwrap() {
            let path = format!("{path}.{name}");
            let inner = if inner["type"] == "array" && inner["items"]["properties"].is_object() {
                &inner["items"]
            } else {
                inner
            };
            if inner["properties"].is_object()
                && inner["additionalProperties"] == false
                && inner["anyOf"].is_null()
            {
                walk(inner, &path, count);
            } else {
                assert!(
                    inner["description"].as_str().is_some_and(|text| !text.is_empty()),
                    "{path}"
                );
                *count += 1;
            }
        }
    }
    walk(&scenario, "", &mut count);
    // Windows have names of the user's own: one pattern covers them.
    let windows = scenario["properties"]["windows"]["patternProperties"].as_object();
    count += windows.map_or(0, serde_json::Map::len);
    let listed = scenario::key_listing();
    let hot = listed.iter().filter(|key| key.is_of_hot).count();
    assert_eq!(count, listed.len() + hot);
}

#[test]
fn malformed_files_that_a_schema_can_tell() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    let dir = root("tests/malformed");
    for name in [
        "scenario/unknown-key-near",
        "scenario/unknown-word-near",
        "scenario/saqs-above-64",
        "scenario/load-above-one",
        "scenario/topology-missing",
        "scenario/group-without-name",
        "scenario/empty-list",
        "scenario/window-shape",
        "scenario/windows-too-many",
        "study/unknown-axis",
        "study/axis-empty",
        "study/range-without-step",
        "study/replicas-zero",
        "study/name-missing",
        "study/target-wrong",
    ] {
        let text = fs::read_to_string(dir.join(format!("{name}.toml"))).unwrap();
        assert!(!validator.is_valid(&json(&text)), "{name}");
    }
}
