//! What a run or a study simulates: the lines above its figures.

use scenario::{Scenario, Study};
use study::{Job, Table, lines};

/// Width of the names of lines.
pub(crate) const NAMES: usize = 32;
/// More values than these at the points of a study are counted.
const VALUES_MAX: usize = 6;

pub(crate) type Row = (String, String);

/// The value of a key, a word without its quotes.
fn value(scenario: &Scenario, key: &str) -> Option<String> {
    scenario.get(key).map(|text| text.replace('"', ""))
}

/// Scenario, topology, scheme, speedup, and the load of each group of sources.
pub(crate) fn run(scenario: &Scenario) -> Vec<Row> {
    [vec![("scenario".to_string(), scenario.name.clone())], model(scenario)].concat()
}

pub(crate) fn subject(scenario: &Scenario) -> String {
    let parts = [
        value(scenario, "network.topology"),
        Some(format!("{} end nodes", scenario.nodes())),
        value(scenario, "switch.scheme"),
        value(scenario, "switch.speedup").map(|speedup| format!("speedup {speedup}")),
        Some(format!("seed {}", scenario.seed())),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!("{}: {}", scenario.name, parts.join(", "))
}

/// Who sends how much; a terminal may have no signs but those of ASCII.
pub(crate) fn loads(scenario: &Scenario) -> Vec<Row> {
    let ascii = |text: String| text.replace('\u{b5}', "u").replace('\u{202f}', "");
    let loads = report::loads(&scenario.resolved_toml()).into_iter();
    loads.map(|(who, load)| (who, ascii(load))).collect()
}

/// A study in a line: what is swept over which network, less what differs by point.
pub(crate) fn question(study: &Study, jobs: &[Job]) -> String {
    let points = study.points();
    let alike = |key: &str| {
        let mut values = jobs.iter().map(|job| value(&points[job.index].scenario, key));
        let first = values.next()??;
        values.all(|value| value.as_ref() == Some(&first)).then_some(first)
    };
    let nodes = jobs.first().map(|job| points[job.index].scenario.nodes());
    let network = alike("network.topology").map(|topology| match nodes {
        Some(nodes) => format!("{topology}, {nodes} end nodes"),
        None => topology,
    });
    let memory = alike("switch.port_memory_bytes").map(|bytes| format!("{bytes} bytes a port"));
    let settings = jobs.iter().filter(|job| job.replica == 0).count();
    let runs = match study.replicas {
        1 if settings == 1 => "1 point".into(),
        1 => format!("{settings} points"),
        seeds => format!("{settings} points x {seeds} seeds"),
    };
    let mut parts: Vec<String> = network.into_iter().chain(memory).collect();
    parts.push(runs);
    format!("{}: {}", study.name, parts.join(", "))
}

/// The same of the runs of a study: what is alike once, else values in order; then windows.
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
    let models: Vec<Vec<Row>> =
        runs.map(|job| model(&study.points()[job.index].scenario)).collect();
    for name in report::distinct(models.iter().flatten().map(|(name, _)| name)) {
        let of_name = models.iter().flatten().filter(|(of, _)| of == name);
        let values = report::distinct(of_name.map(|(_, value)| value.as_str()));
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

fn model(scenario: &Scenario) -> Vec<Row> {
    let topology = value(scenario, "network.topology");
    let rows = [
        ("topology", topology.map(|name| format!("{name}, {} end nodes", scenario.nodes()))),
        ("scheme", value(scenario, "switch.scheme")),
        ("speedup", value(scenario, "switch.speedup")),
    ];
    let rows = rows.into_iter().filter_map(|(name, value)| Some((name.to_string(), value?)));
    let loads = loads(scenario).into_iter().map(|(who, load)| match who.strip_prefix("group ") {
        Some(name) => (format!("load of the group {name}"), load),
        None => (who, load),
    });
    rows.chain(loads).collect()
}

fn windows(table: &Table) -> Option<Row> {
    let mut windows: Vec<(&str, Option<(f64, f64)>)> = Vec::new();
    let runs = table.runs.iter().filter_map(|run| run.finished());
    for row in runs.flat_map(|run| &run.windows).filter(|row| row.is_of_all()) {
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
