//! The JSON Schema against what the program takes.

use crate::{files, root};
use scenario::{Scenario, key_listing, schema};
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

/// How many keys a table of the schema has, those of its tables too.
fn keys_of(schema: &Value) -> usize {
    let of = |inner: &Value| {
        let of_list = inner["type"] == "array" && inner["items"]["properties"].is_object();
        let inner = if of_list { &inner["items"] } else { inner };
        let is_table = inner["properties"].is_object()
            && inner["additionalProperties"] == false
            && inner["anyOf"].is_null();
        if is_table { keys_of(inner) } else { 1 }
    };
    schema["properties"].as_object().unwrap().values().map(of).sum()
}

// "every key of the table is in it", and what it is; no other is.
#[test]
fn every_key_is_in_it() {
    let whole = schema();
    let scenario = &whole["$defs"]["scenario"];
    // Windows have names of the user's own: one pattern covers them.
    let windows = scenario["properties"]["windows"]["patternProperties"].as_object();
    let hot = key_listing().iter().filter(|key| key.is_of_hot).count();
    let count = keys_of(scenario) + windows.map_or(0, serde_json::Map::len);
    assert_eq!(count, key_listing().len() + hot);
    for key in key_listing() {
        let of_hot = key.is_of_hot.then(|| key.path.replace("group.N", "hot"));
        for path in of_hot.iter().chain([&key.path]) {
            let found = path.split('.').fold(scenario, |schema, name| match name {
                "N" => &schema["items"],
                "NAME_ns" => &schema["patternProperties"]["^[A-Za-z0-9_-]+_ns$"],
                name => &schema["properties"][name],
            });
            assert!(found["description"].as_str().is_some_and(|text| !text.is_empty()), "{path}");
        }
    }
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
