//! Hot destinations of a run, and the outputs of switches that lead to them.

use super::files::Topology;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use toml::{Table, Value};

/// By name of the output, without `fabric.`: the hot end node that it leads to.
pub(super) fn outputs(dir: &Path, topology: &Topology) -> BTreeMap<String, u32> {
    let text = fs::read_to_string(dir.join("scenario.toml")).unwrap_or_default();
    let hot = text.parse().map_or_else(|_| Vec::new(), |t| nodes(&t));
    let links = topology.links.iter().flat_map(|&[a, b]| [(a, b), (b, a)]);
    let outputs = links.filter_map(|(from, to)| {
        let node = to.node.filter(|node| hot.contains(node))?;
        Some((format!("switch{}.out{}", from.switch?, from.port?), node))
    });
    outputs.collect()
}

/// Destinations of all sources whose pattern is `hot`, and of hot spots that move.
fn nodes(scenario: &Table) -> Vec<u32> {
    let workload = scenario.get("workload").and_then(Value::as_table);
    let of = |key: &str| workload.and_then(|w| w.get(key));
    let groups = of("group").and_then(Value::as_array);
    let groups = groups.into_iter().flatten().chain(of("hot"));
    let sources = groups.filter_map(Value::as_table).chain(workload);
    let is_hot = |s: &&Table| s.get("pattern").and_then(Value::as_str) == Some("hot");
    let moving = of("moving").and_then(Value::as_table);
    let hot = sources.filter(is_hot).chain(moving);
    let to = hot.filter_map(|source| source.get("destinations"));
    to.flat_map(listed).collect()
}

/// A node, a list of nodes, or a set such as `1, 5-9, 20-30/2`.
fn listed(value: &Value) -> Vec<u32> {
    let node = |n: &str| n.trim().parse::<u32>().ok();
    let range = |part: &str| -> Option<Vec<u32>> {
        let (part, step) = part.split_once('/').unwrap_or((part, "1"));
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let step = step.trim().parse::<usize>().ok().filter(|step| *step > 0)?;
        Some((node(from)?..=node(to)?).step_by(step).collect())
    };
    match value {
        Value::Integer(n) => u32::try_from(*n).into_iter().collect(),
        Value::Array(all) => all.iter().flat_map(listed).collect(),
        Value::String(set) => set.split(',').filter_map(range).flatten().collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hot_destinations_are_those_of_hot_sources() {
        let scenario = "[workload]\npattern = \"uniform\"\n[workload.hot]\npattern = \"hot\"\n\
                        destinations = 5\n[[workload.group]]\npattern = \"hot\"\n\
                        destinations = [1, 2]\n[[workload.group]]\npattern = \"hot\"\n\
                        destinations = \"8-9, 11-15/2\"\n[[workload.group]]\n\
                        pattern = \"uniform\"\ndestinations = 7\n\
                        [workload.moving]\ndestinations = [20, 21]\n";
        let nodes = nodes(&scenario.parse().unwrap());
        assert_eq!(nodes, [1, 2, 8, 9, 11, 13, 15, 5, 20, 21]);
    }
}
