//! What a workload sends, in words, from a resolved scenario: for a page and for a terminal.

use crate::text::{joined, shortest, time};
use toml::{Table, Value};

/// More destinations than these are counted.
const DESTINATIONS_MAX: usize = 8;

/// Who sends and what: `load` of nodes in no group, `trace`, and `group NAME`, each with how much,
/// from whom, to whom and when; hot spots that move are one group. Nothing of what is no TOML.
pub fn loads(resolved: &str) -> Vec<(String, String)> {
    resolved.parse().map_or_else(|_| Vec::new(), |t| of(&t))
}

/// The same of a scenario that is read.
pub(crate) fn of(scenario: &Table) -> Vec<(String, String)> {
    let Some(workload) = scenario.get("workload").and_then(Value::as_table) else {
        return Vec::new();
    };
    let table = |key: &str| workload.get(key).and_then(Value::as_table);
    let others = ["trace", "hot", "moving", "group"];
    let is_silent =
        number(workload, "load") == Some(0.0) && others.iter().any(|of| workload.contains_key(*of));
    let groups = workload.get("group").and_then(Value::as_array).into_iter().flatten();
    let groups = groups.filter_map(Value::as_table).enumerate().map(|(n, group)| {
        let name = group.get("name").map_or_else(|| n.to_string(), text);
        (format!("group {name}"), source(group))
    });
    let all = [
        ("load".to_owned(), source(workload).filter(|_| !is_silent)),
        ("trace".to_owned(), table("trace").and_then(replayed)),
        ("group hot".to_owned(), table("hot").and_then(source)),
    ];
    let moving = ("group moving".to_owned(), table("moving").and_then(moving_source));
    let all = all.into_iter().chain(groups).chain([moving]);
    all.filter_map(|(who, load)| Some((who, load?))).collect()
}

/// A value without quotes.
pub(crate) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Float(n) => shortest(*n),
        other => other.to_string(),
    }
}

pub(crate) fn as_number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(n) => Some(*n as f64),
        Value::Float(n) => Some(*n),
        _ => None,
    }
}

fn number(table: &Table, key: &str) -> Option<f64> {
    table.get(key).and_then(as_number)
}

/// The trace that is replayed, and how much faster than it was.
fn replayed(trace: &Table) -> Option<String> {
    let get = |key: &str| trace.get(key).map(text);
    let synthetic = || get("synthetic").map(|how| format!("synthetic, {how}"));
    let times = get("compression").filter(|times| times != "1");
    let faster = times.map_or(String::new(), |times| format!(", {times} times as fast"));
    Some(get("file").or_else(synthetic)? + &faster)
}

/// Load of the sources of a table: how much, pattern, from whom, to whom, when.
fn source(table: &Table) -> Option<String> {
    let ns = |key: &str| number(table, key);
    let pattern = table.get("pattern").map(text);
    let to = table.get("destinations").map(|to| format!("to {}", nodes(to)));
    let step = ns("step_ns").filter(|ns| *ns > 0.0);
    let parts = [
        Some(load(table)?),
        pattern.filter(|pattern| pattern != "hot"),
        from(table),
        to,
        when(ns("start_ns"), ns("end_ns")),
        step.map(|ns| format!("each source {} after the one before", time(ns))),
    ];
    Some(joined(parts.into_iter().flatten(), ", "))
}

fn moving_source(table: &Table) -> Option<String> {
    let ns = |key: &str| number(table, key);
    let (start, dwell, period) = (ns("start_ns")?, ns("dwell_ns")?, ns("period_ns")?);
    let destinations = table.get("destinations")?;
    // The size of a set is unknown here.
    let count = match destinations {
        Value::Array(list) => Some(list.len() as f64),
        Value::String(_) => None,
        _ => Some(1.0),
    };
    let many = count.is_none_or(|count| count > 1.0);
    let to = match count.filter(|&count| count > DESTINATIONS_MAX as f64) {
        Some(count) => format!("to {count} destinations"),
        None => format!("to {}", nodes(destinations)),
    };
    // Where they move slowly fewer are hot than there are sets of sources.
    let hot = ns("overlap")?.min(count.unwrap_or(f64::INFINITY));
    let hot = hot.min((dwell / period).ceil());
    let end = count.map(|count| start + (count - 1.0) * period + dwell);
    let parts = [
        Some(load(table)?),
        from(table),
        Some(to),
        many.then(|| format!("{hot} at a time")),
        many.then(|| format!("each hot for {}", time(dwell))),
        (many && period > 0.0).then(|| format!("one every {}", time(period))),
        when(Some(start), end),
    ];
    Some(joined(parts.into_iter().flatten(), ", "))
}

fn load(table: &Table) -> Option<String> {
    Some(format!("{} of link rate", text(table.get("load")?)))
}

fn when(start_ns: Option<f64>, end_ns: Option<f64>) -> Option<String> {
    let start = start_ns.filter(|ns| *ns > 0.0);
    match end_ns {
        Some(end) => Some(format!("from {} to {}", time(start.unwrap_or(0.0)), time(end))),
        None => start.map(|start| format!("from {} on", time(start))),
    }
}

/// How many nodes, which, or which share of them, send.
fn from(table: &Table) -> Option<String> {
    let of_nodes = |n: &str| format!("from {n} {}", if n == "1" { "node" } else { "nodes" });
    if let Some(share) = table.get("share") {
        // at most two decimals, and none where they are 0
        let percent = as_number(share).map(|n| shortest((n * 10_000.0).round() / 100.0) + " %");
        return Some(format!("from {} of the nodes", percent.unwrap_or_else(|| text(share))));
    }
    Some(match table.get("sources")? {
        Value::Array(list) => of_nodes(&list.len().to_string()),
        set @ Value::String(_) => format!("from {}", nodes(set)),
        count => of_nodes(&text(count)),
    })
}

fn nodes(given: &Value) -> String {
    match given {
        Value::String(set) => match set.strip_prefix("all") {
            Some(rest) => format!("all nodes{rest}"),
            None => format!("nodes {set}"),
        },
        Value::Array(list) if list.len() > DESTINATIONS_MAX => format!("{} nodes", list.len()),
        Value::Array(list) => joined(list.iter().map(text), ", "),
        node => text(node),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Hot spots that move are one group, shown with how many move and how fast.
    #[test]
    fn hot_spots_that_move_are_shown_as_one_group() {
        let sixteen = "[5, 20, 33, 54, 2, 27, 47, 60, 9, 30, 38, 59, 14, 19, 40, 49]";
        for (destinations, overlap, period, shown) in [
            (
                sixteen,
                4,
                12_500,
                "to 16 destinations, 4 at a time, each hot for 50 \u{b5}s, \
                 one every 12.5 \u{b5}s, from 30 \u{b5}s to 267.5 \u{b5}s",
            ),
            (
                "[5, 20]",
                4,
                0,
                "to 5, 20, 2 at a time, each hot for 50 \u{b5}s, from 30 \u{b5}s to 80 \u{b5}s",
            ),
            (
                "\"0-7\"",
                2,
                60_000,
                "to nodes 0-7, 1 at a time, each hot for 50 \u{b5}s, one every 60 \u{b5}s, \
                 from 30 \u{b5}s on",
            ),
            ("[5]", 1, 50_000, "to 5, from 30 \u{b5}s to 80 \u{b5}s"),
        ] {
            let text = format!(
                "[workload.moving]\nload = 0.3\nsources = \"all\"\nstart_ns = 30000\n\
                 dwell_ns = 50000\ndestinations = {destinations}\noverlap = {overlap}\n\
                 period_ns = {period}\n"
            );
            let shown = format!("0.3 of link rate, from all nodes, {shown}");
            assert_eq!(loads(&text), [("group moving".to_owned(), shown)]);
        }
    }

    // Is each way to give sources, destinations, times and traces shown?
    #[test]
    fn loads_are_shown_however_they_are_given() {
        for (given, shown) in [
            ("sources = [1, 2, 7]", "from 3 nodes"),
            ("sources = [1]", "from 1 node"),
            ("sources = 4", "from 4 nodes"),
            ("sources = \"all\"", "from all nodes"),
            ("sources = \"0-7/2\"", "from nodes 0-7/2"),
            ("sources = \"all but 5\"", "from all nodes but 5"),
            ("share = 0.125", "from 12.5 % of the nodes"),
            ("share = 1", "from 100 % of the nodes"),
            ("share = \"1/3\"", "from 1/3 of the nodes"),
            ("destinations = 5", "to 5"),
            ("destinations = [5, 9]", "to 5, 9"),
            ("destinations = [1, 2, 3, 4, 5, 6, 7, 8, 9]", "to 9 nodes"),
            ("destinations = \"1, 3, 5-9\"", "to nodes 1, 3, 5-9"),
            ("start_ns = 5000", "from 5 \u{b5}s on"),
            ("end_ns = 1100000", "from 0 ns to 1.1 ms"),
            ("step_ns = 500", "each source 500 ns after the one before"),
        ] {
            let group = "[[workload.group]]\nname = \"a\"\npattern = \"hot\"\nload = 1\n";
            let shown = format!("1 of link rate, {shown}");
            assert_eq!(loads(&format!("{group}{given}\n")), [("group a".into(), shown)], "{given}");
        }
        for (given, shown) in [
            ("file = \"a.srt\"", "a.srt"),
            ("file = \"a.srt\"\ncompression = \"3/2\"", "a.srt, 3/2 times as fast"),
            ("synthetic = \"bias=0.7\"", "synthetic, bias=0.7"),
        ] {
            let text = format!("[workload]\nload = 0\n[workload.trace]\n{given}\n");
            assert_eq!(loads(&text), [("trace".into(), shown.into())], "{given}");
        }
    }
}
