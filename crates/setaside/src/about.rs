//! What a run or a study simulates: the lines above its figures.

use scenario::{Scenario, Study};
use study::{Job, Table, lines};

/// Width of the names of lines.
pub(crate) const NAMES: usize = 32;
/// More values than these at the points of a study are counted.
const VALUES_MAX: usize = 6;
/// More destinations than these are not named.
const DESTINATIONS_MAX: usize = 8;

/// A name and a value.
pub(crate) type Row = (String, String);

/// Scenario, topology, scheme, speedup, and the load of each group of sources.
pub(crate) fn run(scenario: &Scenario) -> Vec<Row> {
    let mut rows = vec![("scenario".to_string(), scenario.name.clone())];
    rows.extend(model(scenario));
    rows
}

/// The same of the runs of a study: what is alike at all points once, else the values in the order
/// of the points; then the windows.
pub(crate) fn sweep(study: &Study, jobs: &[Job], table: &Table) -> String {
    let points = match (table.points.len(), study.replicas) {
        (points, 1) => format!("{points} points"),
        (points, replicas) => format!("{points} points, {replicas} replicas each"),
    };
    let mut rows: Vec<Row> = vec![
        ("study".into(), format!("{}, {points}", study.name)),
        ("scenario".into(), study.scenario.clone()),
    ];
    let runs = jobs.iter().filter(|job| job.replica == 0);
    let models: Vec<Vec<Row>> = runs
        .map(|job| model(&study.points()[job.index].scenario))
        .collect();
    let mut names: Vec<&String> = Vec::new();
    for (name, _) in models.iter().flatten() {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    for name in names {
        let mut values: Vec<&str> = Vec::new();
        for (_, value) in models.iter().flatten().filter(|(of, _)| of == name) {
            if !values.contains(&value.as_str()) {
                values.push(value);
            }
        }
        // values that have commas themselves are set apart by another sign
        let between = match values.iter().any(|value| value.contains(',')) {
            true => "; ",
            false => ", ",
        };
        rows.push((name.clone(), report::listed(&values, VALUES_MAX, between)));
    }
    rows.extend(windows(table));
    let mut text = String::new();
    for (name, value) in rows {
        lines::add(&mut text, NAMES, &name, &value);
    }
    text + "\n"
}

/// Topology, scheme, speedup and load of one scenario.
fn model(scenario: &Scenario) -> Vec<Row> {
    let value = |key: &str| scenario.get(key).map(|text| text.replace('"', ""));
    let keys = [
        ("topology", "network.topology"),
        ("scheme", "switch.scheme"),
        ("speedup", "switch.speedup"),
    ];
    let mut rows: Vec<Row> = Vec::new();
    for (name, key) in keys {
        if let Some(mut value) = value(key) {
            if name == "topology" {
                value += &format!(", {} end nodes", scenario.nodes());
            }
            rows.push((name.into(), value));
        }
    }
    let trace = trace(scenario);
    let is_silent = |load: &String| trace.is_some() && load.starts_with("0 of ");
    let rest = load(scenario, "workload").filter(|load| !is_silent(load));
    rows.extend(rest.map(|load| ("load".into(), load)));
    rows.extend(trace.map(|trace| ("trace".into(), trace)));
    rows.extend(load(scenario, "workload.hot").map(|load| ("load of the group hot".into(), load)));
    for n in 0.. {
        let group = format!("workload.group.{n}");
        let Some(load) = load(scenario, &group) else {
            break;
        };
        let name = value(&format!("{group}.name")).unwrap_or_else(|| n.to_string());
        rows.push((format!("load of the group {name}"), load));
    }
    rows
}

/// The trace that a scenario replays, and how much faster than it was.
fn trace(scenario: &Scenario) -> Option<String> {
    let get = |name: &str| scenario.get(&format!("workload.trace.{name}"));
    let plain = |name: &str| get(name).map(|text| text.replace('"', ""));
    let synthetic = || plain("synthetic").map(|text| format!("synthetic, {text}"));
    let mut text = plain("file").or_else(synthetic)?;
    if let Some(compression) = plain("compression").filter(|compression| compression != "1") {
        text += &format!(", {compression} times as fast");
    }
    Some(text)
}

/// Load of the sources of a table: how much, from whom, to whom, when.
fn load(scenario: &Scenario, table: &str) -> Option<String> {
    let get = |key: &str| scenario.get(&format!("{table}.{key}"));
    let plain = |key: &str| get(key).map(|text| text.replace('"', ""));
    let mut text = format!("{} of link rate", plain("load")?);
    if let Some(pattern) = plain("pattern").filter(|pattern| pattern != "hot") {
        text += &format!(", {pattern}");
    }
    if let Some(sources) = sources(scenario, table) {
        text += &format!(", from {sources}");
    }
    if let Some(to) = get("destinations") {
        let list = to.trim_matches(['[', ']']).split(',');
        let list: Vec<&str> = list.map(str::trim).collect();
        text += &match list.len() {
            _ if to.starts_with('"') => format!(", to {}", report::nodes(to.trim_matches('"'))),
            ..=DESTINATIONS_MAX => format!(", to {}", list.join(", ")),
            many => format!(", to {many} nodes"),
        };
    }
    let start = plain("start_ns").filter(|ns| ns != "0");
    match (start, plain("end_ns")) {
        (start, Some(end)) => {
            let start = start.unwrap_or_else(|| "0".into());
            text += &format!(", from {start} to {end} ns");
        }
        (Some(start), None) => text += &format!(", from {start} ns on"),
        (None, None) => {}
    }
    if let Some(step) = plain("step_ns").filter(|ns| ns != "0") {
        text += &format!(", each source {step} ns after the one before");
    }
    Some(text)
}

/// How many nodes, or which share of them, send.
fn sources(scenario: &Scenario, table: &str) -> Option<String> {
    let get = |key: &str| scenario.get(&format!("{table}.{key}"));
    if let Some(share) = get("share") {
        let share = share.replace('"', "");
        // at most two decimals, and none where they are 0
        let percent = share.parse().map(|n: f64| (n * 10_000.0).round() / 100.0);
        return Some(match percent {
            Ok(percent) => format!("{percent} % of the nodes"),
            Err(_) => format!("{share} of the nodes"),
        });
    }
    let sources = get("sources")?;
    Some(match sources.strip_prefix('[') {
        _ if sources.starts_with('"') => report::nodes(sources.trim_matches('"')),
        Some(list) => of_nodes(list.split(',').count().to_string()),
        None => of_nodes(sources),
    })
}

fn of_nodes(n: String) -> String {
    let nodes = if n == "1" { "node" } else { "nodes" };
    n + " " + nodes
}

/// The windows of the runs that finished.
fn windows(table: &Table) -> Option<Row> {
    let mut windows: Vec<(&str, Option<(f64, f64)>)> = Vec::new();
    let runs = table.runs.iter().filter_map(|run| run.finished());
    for row in runs
        .flat_map(|run| &run.windows)
        .filter(|row| row.is_of_all())
    {
        let span = Some((row.start_ns, row.end_ns));
        match windows.iter_mut().find(|(name, _)| *name == row.window) {
            Some((_, known)) if *known != span => *known = None,
            Some(_) => {}
            None => windows.push((&row.window, span)),
        }
    }
    let text = |(name, span): &(&str, Option<(f64, f64)>)| match span {
        Some((start, end)) => format!("{name} {start} to {end}"),
        None => format!("{name} not alike (windows.csv)"),
    };
    let texts: Vec<String> = windows.iter().map(text).collect();
    (!texts.is_empty()).then(|| ("windows, ns".into(), texts.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUPS: &str = "[network]\ntopology = \"bmin\"\nnodes = 16\n\
        [workload]\nload = 0.9\n\
        [workload.hot]\nload = 1\nshare = 0.5\ndestinations = [5, 9]\n\
        start_ns = 5000\nend_ns = 10000\n\
        [run]\nduration_ns = 20000\n";

    #[test]
    fn each_group_of_sources_has_its_load() {
        let scenario = Scenario::parse(GROUPS, "groups.toml", None, &[]).expect("legal");
        let rows = run(&scenario);
        let value = |name: &str| {
            let row = rows.iter().find(|row| row.0 == name);
            row.map(|row| row.1.as_str())
        };
        assert_eq!(value("topology"), Some("bmin, 16 end nodes"));
        assert_eq!(value("load"), Some("0.9 of link rate, uniform"));
        assert_eq!(
            value("load of the group hot"),
            Some("1 of link rate, from 50 % of the nodes, to 5, 9, from 5000 to 10000 ns")
        );
        let listed = GROUPS.replace("share = 0.5", "sources = [0, 1, 2]");
        let third = GROUPS.replace("share = 0.5", "share = \"1/3\"");
        let counted = GROUPS.replace("share = 0.5", "sources = 4");
        let all = GROUPS.replace("share = 0.5", "sources = \"all\"");
        let named = GROUPS.replace("share = 0.5", "sources = \"0-14/2\"");
        for (text, from) in [
            (listed, "3 nodes"),
            (third, "1/3 of"),
            (counted, "4 nodes"),
            (all, "all nodes"),
            (named, "nodes 0-14/2"),
        ] {
            let scenario = Scenario::parse(&text, "groups.toml", None, &[]).expect("legal");
            let load = load(&scenario, "workload.hot").expect("a group");
            assert!(load.contains(&format!(", from {from}")), "{load}");
        }
        let set = "\"0, 1, 2, 3, 4, 5, 6, 7, 8-9\"";
        let to_set = GROUPS.replace("[5, 9]", set);
        let scenario = Scenario::parse(&to_set, "groups.toml", None, &[]).expect("legal");
        let load = load(&scenario, "workload.hot").expect("a group");
        assert!(
            load.contains("to nodes 0, 1, 2, 3, 4, 5, 6, 7, 8-9,"),
            "{load}"
        );
    }
}
