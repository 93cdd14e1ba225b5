//! The JSON Schema of scenarios and studies, from the table of keys.

use crate::keys::{
    self, EVENTS, Fallback, GROUPS, HOT, Key, Kind, MOVING, SCENARIO, SLURM, TARGET, WINDOW,
    WINDOWS,
};
use crate::node_set;
use crate::plain::Plain;
use serde_json::{Map, Value, json};

/// JSON Schema (draft 2020-12) of scenario and study files. Whole ticks, and keys that exclude each
/// other, only [`crate::Scenario`] checks.
pub fn schema() -> Value {
    let axis =
        |key: &Key| json!({ "oneOf": [some(&kind_schema(key.kind)), { "$ref": "#/$defs/range" }] });
    let one_or_list = |key: &Key| one_or_some(kind_schema(key.kind));
    let keys = one_or_some(kind_schema(Kind::Text));
    let text = |text| described(kind_schema(Kind::Text), text);
    let mut study = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["study"],
        "properties": {
            "study": {
                "type": "object",
                "additionalProperties": false,
                "required": ["name"],
                "properties": {
                    "name": text("Name of the study in results"),
                    "scenario": text("Path of the scenario, relative to the study file; without it the sections of the scenario stand in the study file"),
                    "replicas": { "type": "integer", "minimum": 1, "default": 1, "description": "Runs of each point, each with the next seed from run.seed on" },
                    "where": text("Condition on keys of axes that every point fulfils, such as recn.xoff_packets > recn.xon_packets && switch.speedup <= 3/2"),
                    "max_replicas": { "type": "integer", "minimum": 1, "description": "Of `setaside size` and `saturate`: the most runs of a point whose interval leaves it open. Default: 9" },
                },
            },
            "target": described(table(TARGET), "What the points of a study are judged by"),
            "slurm": described(table(SLURM), "How a study is run on a cluster; results do not depend on it"),
            "set": described(dotted(&|key| key_schema(key)), "Values for all runs"),
            "axes": described(dotted(&axis), "The product of these, in this order"),
            "zip": list("Keys that move together: one axis of the product", dotted(&axis)),
            "size": described(dotted(&axis), "1 to 3 further axes, each from the least to the most: `setaside size` finds the least that meets the target; `sweep` runs all"),
            "only": list("Axes that vary only where `when` holds", json!({
                "type": "object",
                "additionalProperties": false,
                "required": ["when", "axes"],
                "properties": {
                    "when": described(dotted(&one_or_list), "Keys, each with a value or a list of values"),
                    "axes": { "description": "A key of an axis, or several", "anyOf": keys["anyOf"] },
                },
            })),
            "skip": list("Points left out", dotted(&one_or_list)),
        },
    });
    // A study that names no scenario has its sections.
    if let Value::Object(sections) = scenario()["properties"].take() {
        sections.into_iter().for_each(|(name, section)| study["properties"][name] = section);
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "setaside scenarios and studies",
        "anyOf": [{ "$ref": "#/$defs/scenario" }, { "$ref": "#/$defs/study" }],
        "$defs": {
            "scenario": scenario(),
            "study": study,
            "range": {
                "type": "object",
                "additionalProperties": false,
                "required": ["from", "to"],
                "properties": {
                    "from": described(number(), "First value"),
                    "to": described(number(), "Bound of the values"),
                    "factor": described(number(), "Each value is the one before times this"),
                    "step": described(number(), "Each value is the one before and this"),
                    "count": { "type": "integer", "minimum": 2, "maximum": 10_000, "description": "So many values, `from` and `to` among them" },
                    "scale": { "enum": ["linear", "log"], "default": "linear", "description": "How values by `count` are apart; log: rounded to 4 digits" },
                },
                "oneOf": [{ "required": ["factor"] }, { "required": ["step"] }, { "required": ["count"] }],
                "dependentRequired": { "scale": ["count"] },
            },
        },
    })
}

/// A number, or a fraction as a string.
fn fraction(number: Value) -> Value {
    let fraction = json!({ "type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?(/[0-9]+)?$" });
    json!({ "anyOf": [number, fraction] })
}

fn number() -> Value {
    fraction(json!({ "type": "number", "minimum": 0 }))
}

fn described(mut schema: Value, text: &str) -> Value {
    schema["description"] = json!(text);
    schema
}

fn list(text: &str, items: Value) -> Value {
    json!({ "type": "array", "description": text, "items": items })
}

fn some(items: &Value) -> Value {
    json!({ "type": "array", "minItems": 1, "items": items })
}

fn one_or_some(one: Value) -> Value {
    json!({ "anyOf": [one, some(&one)] })
}

fn integer(min: impl Into<Value>, max: impl Into<Value>) -> Value {
    json!({ "type": "integer", "minimum": min.into(), "maximum": max.into() })
}

/// A table of two keys, both of which it needs.
fn both(a: (&str, Value), b: (&str, Value)) -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": [a.0, b.0],
        "properties": { (a.0): a.1, (b.0): b.1 },
    })
}

fn scenario() -> Value {
    let mut root = table(SCENARIO);
    let of =
        |path: &str, text: &str| described(table(keys::of_table(path).unwrap_or_default()), text);
    let name = |path: &'static str| path.rsplit('.').next().unwrap_or(path);
    let array = |items: Value| json!({ "type": "array", "items": items });
    let group = of("workload.group.0", "A further group of sources");
    let event = of("faults.event.0", "A failure or recovery at a given time");
    root["properties"]["faults"]["properties"][name(EVENTS)] = array(event);
    let workload = &mut root["properties"]["workload"]["properties"];
    workload[name(HOT)] = of(HOT, "Hot sources: silent before start_ns and after end_ns");
    workload[name(MOVING)] =
        of(MOVING, "Hot spots that move: destinations that are hot one after the other");
    workload[name(GROUPS)] = array(group);
    // Its keys have names of the user's own.
    let mut windows = table(&[]);
    windows["patternProperties"] = json!({ window_pattern(""): key_schema(&WINDOW) });
    windows["maxProperties"] = json!(crate::windows::WINDOWS_MAX);
    windows["description"] = json!("Windows of time that results are counted in apart");
    root["properties"][WINDOWS] = windows;
    root
}

fn table(keys: &[Key]) -> Value {
    let mut schema = json!({ "type": "object", "additionalProperties": false, "properties": {} });
    keys.iter().for_each(|key| insert(&mut schema, key.path, key));
    schema
}

fn window_pattern(prefix: &str) -> String {
    format!("^{prefix}[A-Za-z0-9_-]+_ns$")
}

/// Puts a key into its section, which is made if need be; a required key makes it required.
fn insert(section_schema: &mut Value, path: &str, key: &Key) {
    let (first, rest) = match path.split_once('.') {
        Some((first, rest)) => (first, Some(rest)),
        None => (path, None),
    };
    if key.fallback == Fallback::Required {
        let required = &mut section_schema["required"];
        match required.as_array_mut() {
            Some(names) if names.iter().any(|name| name == first) => {}
            Some(names) => names.push(json!(first)),
            None => *required = json!([first]),
        }
    }
    let place = &mut section_schema["properties"][first];
    match rest {
        None => *place = key_schema(key),
        Some(rest) => {
            if place.is_null() {
                *place = table(&[]);
            }
            insert(place, rest, key);
        }
    }
}

/// An object of dotted keys, each with the schema that `of` makes.
fn dotted(of: &dyn Fn(&Key) -> Value) -> Value {
    let mut properties = Map::new();
    let mut patterns = Map::new();
    for path in keys::all_paths() {
        let Some(key) = keys::find(&path.replace(".N.", ".0.")) else {
            continue;
        };
        if path == WINDOW.path {
            patterns.insert(window_pattern("windows\\."), of(key));
        } else if path.contains(".N.") {
            let pattern = path.replace('.', "\\.").replace("\\.N\\.", "\\.[0-9]+\\.");
            patterns.insert(format!("^{pattern}$"), of(key));
        } else {
            properties.insert(path, of(key));
        }
    }
    for name in keys::tables() {
        // Keys may also be in tables, and tables be values; those only the program checks.
        properties.insert(name.to_owned(), json!({ "type": ["object", "array"] }));
    }
    json!({
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
        "patternProperties": patterns,
    })
}

fn key_schema(key: &Key) -> Value {
    let mut schema = kind_schema(key.kind);
    let mut text = key.doc.to_owned();
    if !key.unit.is_empty() {
        text = format!("{text} [{}]", key.unit);
    }
    match key.fallback {
        Fallback::Unset(words) | Fallback::Rule(words) => {
            text = format!("{text}. Default: {words}")
        }
        fixed => {
            // Numbers, words and flags are written in TOML as they are in JSON.
            if let Some(plain) = Plain::of_fallback(fixed) {
                schema["default"] = plain.toml().parse().expect("it is JSON");
            }
        }
    }
    schema["description"] = json!(text);
    schema
}

fn kind_schema(kind: Kind) -> Value {
    let node = integer(0, u32::MAX);
    let bytes = |min: u32| integer(min, workload::MESSAGE_BYTES_MAX);
    let set = json!({ "type": "string", "pattern": node_set::pattern() });
    match kind {
        Kind::Integer { min, max, word: "", .. } => integer(min, max),
        Kind::Integer { min, max, word, .. } => {
            json!({ "anyOf": [integer(min, max), { "const": word }] })
        }
        Kind::Rate => {
            let (min, max) = keys::rate_bounds();
            fraction(json!({ "type": "number", "minimum": min.to_f64(), "maximum": max.to_f64() }))
        }
        Kind::Ratio => fraction(json!({ "type": "number", "exclusiveMinimum": 0 })),
        Kind::Share => fraction(json!({ "type": "number", "minimum": 0, "maximum": 1 })),
        Kind::Part => fraction(json!({ "type": "number", "exclusiveMinimum": 0, "maximum": 1 })),
        Kind::Ns => number(),
        Kind::Link => json!({ "type": "array", "minItems": 2, "maxItems": 2, "items": node }),
        Kind::Span => {
            json!({ "type": "array", "items": number(), "minItems": 2, "maxItems": 2 })
        }
        Kind::Word(legal) => json!({ "enum": legal }),
        Kind::Arbiter => json!({ "anyOf": [
            { "enum": crossbar::ArbiterKind::NAMES },
            { "type": "string", "pattern": "^islip\\([0-9]+\\)$" },
        ] }),
        Kind::Text => json!({ "type": "string", "minLength": 1 }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Sources => json!({ "anyOf": [integer(1, u32::MAX), some(&node), set] }),
        Kind::Nodes => json!({ "anyOf": [node, some(&node), set] }),
        Kind::Dimensions => json!({
            "type": "array",
            "minItems": 1,
            "maxItems": topology::DIMENSIONS_MAX,
            "items": integer(2, topology::NODES_MAX),
        }),
        Kind::Sizes => json!({ "anyOf": [
            bytes(1),
            both(("min", bytes(1)), ("max", bytes(1))),
            both(("bytes", some(&bytes(1))), ("weights", some(&bytes(0)))),
        ] }),
    }
}
