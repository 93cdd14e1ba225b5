//! A resolved scenario in words.

use super::VALUES_MAX;
use crate::nodes;
use crate::text::shortest;
use toml::{Table, Value};

/// Names of values that are not what people write.
const VALUES: [(&str, &str); 16] = [
    ("bmin", "BMIN"),
    ("k-ary-n-tree", "k-ary n-tree"),
    ("single-switch", "single switch"),
    ("parking-lot", "parking lot"),
    ("rsi-butterfly", "RSI, butterfly super nodes"),
    ("rsi-hypercube", "RSI, hypercube super nodes"),
    ("rsi-slimfly", "RSI, Slim Fly super nodes"),
    ("file", "edge list"),
    ("1q", "1Q (one queue a port)"),
    ("voq-sw", "VOQsw (a queue for each output of the switch)"),
    ("voq-net", "VOQnet (a queue for each destination)"),
    ("dbbm", "DBBM"),
    ("damq", "DAMQ"),
    ("recn-basic", "RECN, basic"),
    ("recn", "RECN, enhanced"),
    ("pfc", "PFC (pause)"),
];

fn plain(value: &str) -> String {
    let known = VALUES.iter().find(|(key, _)| *key == value);
    known.map_or_else(
        || value.replace("recn-dd", "RECN-DD"),
        |(_, name)| name.to_string(),
    )
}

/// A resolved scenario.
pub(super) struct Scenario(pub(super) Table);

impl Scenario {
    fn value(&self, path: &str) -> Option<&Value> {
        let mut table = &self.0;
        let (tables, key) = path.rsplit_once('.')?;
        for name in tables.split('.') {
            table = table.get(name)?.as_table()?;
        }
        table.get(key)
    }

    pub(super) fn text(&self, path: &str) -> Option<String> {
        self.value(path).map(text)
    }

    fn number(&self, path: &str) -> Option<f64> {
        self.value(path).and_then(as_number)
    }

    pub(super) fn topology(&self) -> Option<String> {
        let name = self.text("network.topology")?;
        let number = |key: &str| self.number(&format!("network.{key}"));
        let sizes = [
            ("nodes", "end nodes"),
            ("super_nodes", "super nodes"),
            ("switches", "switches"),
            ("inputs", "inputs"),
            ("nodes_per_switch", "end nodes a switch"),
        ];
        let mut parts = vec![plain(&name)];
        if let (Some(width), Some(height)) = (number("width"), number("height")) {
            parts[0] = format!("{width} \u{d7} {height} {name}");
        }
        if let Some(Value::Array(dimensions)) = self.value("network.dimensions") {
            let sizes: Vec<String> = dimensions.iter().map(text).collect();
            parts[0] = format!("{} {name}", sizes.join(" \u{d7} "));
        }
        if let (Some(k), Some(n)) = (number("k"), number("n")) {
            parts.push(format!("k = {k}, n = {n}"));
        }
        if let Some(file) = self.text("network.file") {
            parts.push(file);
        }
        parts.extend(
            sizes
                .iter()
                .filter_map(|(key, name)| number(key).map(|n| format!("{} {name}", shortest(n)))),
        );
        Some(parts.join(", "))
    }

    pub(super) fn switch(&self) -> Option<String> {
        let organisation = self.text("switch.organisation")?.to_uppercase();
        let memory = self.number("switch.port_memory_bytes");
        let memory = memory.map_or(String::new(), |bytes| match bytes % 1024.0 == 0.0 {
            true => format!(", {} KiB a port", shortest(bytes / 1024.0)),
            false => format!(", {} bytes a port", shortest(bytes)),
        });
        let ports = self.number("switch.ports");
        let ports = ports.map_or(String::new(), |n| format!(", {n} ports"));
        Some(format!("{organisation}{ports}{memory}"))
    }

    pub(super) fn scheme(&self) -> Option<String> {
        let scheme = self.text("switch.scheme")?;
        let saqs = self
            .number("recn.saqs")
            .filter(|_| scheme.starts_with("recn"));
        let saqs = saqs.map_or(String::new(), |n| format!(", {n} SAQs a port"));
        let ecn = match self
            .text("ecn.marking")
            .filter(|m| m != "off" && m != "none")
        {
            Some(marking) => format!(", ECN marking: {marking}"),
            None => String::new(),
        };
        Some(plain(&scheme) + &saqs + &ecn)
    }

    pub(super) fn load(&self) -> Option<String> {
        let table = self.0.get("workload")?.as_table()?;
        let trace = table.get("trace").and_then(Value::as_table);
        let is_silent = trace.is_some() && self.number("workload.load") == Some(0.0);
        let rest = source(table).filter(|_| !is_silent);
        let mut parts: Vec<String> = rest.into_iter().collect();
        parts.extend(trace.and_then(traced));
        if let Some(hot) = table.get("hot").and_then(Value::as_table).and_then(source) {
            parts.push(format!("hot sources: {hot}"));
        }
        if let Some(groups) = table.get("group").and_then(Value::as_array) {
            let groups = groups.iter().filter_map(Value::as_table);
            for (n, group) in groups.enumerate() {
                let name = group.get("name").map_or_else(|| (n + 1).to_string(), text);
                parts.extend(source(group).map(|load| format!("group {name}: {load}")));
            }
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    pub(super) fn times(&self) -> Option<String> {
        let duration = self.number("run.duration_ns")?;
        let warmup = self.number("run.warmup_ns").filter(|ns| *ns > 0.0);
        let warmup = warmup.map_or(String::new(), |ns| format!(", of it {} warm-up", time(ns)));
        Some(time(duration) + &warmup)
    }
}

/// A value without quotes.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Float(n) => shortest(*n),
        Value::Integer(n) => n.to_string(),
        other => other.to_string(),
    }
}

fn as_number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(n) => Some(*n as f64),
        Value::Float(n) => Some(*n),
        _ => None,
    }
}

fn from_nodes(n: f64) -> String {
    let nodes = if n == 1.0 { "node" } else { "nodes" };
    format!("from {} {nodes}", shortest(n))
}

/// ns for people.
pub(super) fn time(ns: f64) -> String {
    match ns {
        ns if ns >= 1e6 => format!("{} ms", shortest(ns / 1e6)),
        ns if ns >= 1e3 => format!("{} \u{b5}s", shortest(ns / 1e3)),
        ns => format!("{} ns", shortest(ns)),
    }
}

/// The trace that is replayed, and how much faster than it was.
fn traced(trace: &Table) -> Option<String> {
    let synthetic = || {
        trace
            .get("synthetic")
            .map(|made| "synthetic, ".to_owned() + &text(made))
    };
    let source = trace.get("file").map(text).or_else(synthetic)?;
    let compression = trace
        .get("compression")
        .map(text)
        .filter(|times| times != "1");
    let faster = compression.map_or(String::new(), |times| format!(", {times} times as fast"));
    Some(format!("trace: {source}{faster}"))
}

/// Sources of a kind: load, pattern, destinations, how many, when.
fn source(table: &Table) -> Option<String> {
    let get = |key: &str| table.get(key);
    let ns = |key: &str| get(key).and_then(as_number);
    let load = get("load")?;
    let mut parts = vec![format!("{} of the link rate", text(load))];
    parts.extend(
        get("pattern")
            .filter(|p| p.as_str() != Some("hot"))
            .map(text),
    );
    match get("destinations") {
        Some(Value::Array(to)) => {
            let few = to.iter().take(VALUES_MAX).map(text).collect::<Vec<_>>();
            let more = if to.len() > VALUES_MAX { ", ..." } else { "" };
            parts.push(format!("to {}{more}", few.join(", ")));
        }
        Some(Value::String(set)) => parts.push(format!("to {}", nodes(set))),
        _ => {}
    }
    match (
        get("sources"),
        get("share").and_then(as_number),
        get("share"),
    ) {
        (Some(Value::Array(sources)), ..) => parts.push(from_nodes(sources.len() as f64)),
        (Some(Value::String(set)), ..) => parts.push(format!("from {}", nodes(set))),
        (Some(sources), ..) => parts.extend(as_number(sources).map(from_nodes)),
        (None, Some(share), _) => {
            let percent = (share * 10_000.0).round() / 100.0;
            parts.push(format!("from {} % of the nodes", shortest(percent)));
        }
        (None, None, Some(share)) => parts.push(format!("from {} of the nodes", text(share))),
        (None, None, None) => {}
    }
    match (ns("start_ns").filter(|ns| *ns > 0.0), ns("end_ns")) {
        (start, Some(end)) => {
            let start = time(start.unwrap_or(0.0));
            parts.push(format!("from {start} to {}", time(end)));
        }
        (Some(start), None) => parts.push(format!("from {} on", time(start))),
        (None, None) => {}
    }
    Some(parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scenario(text: &str) -> Scenario {
        Scenario(text.parse().expect("TOML"))
    }

    #[test]
    fn a_scenario_is_told_in_words() {
        let s = scenario(
            "[network]\ntopology = \"bmin\"\nnodes = 64\n[switch]\n\
             organisation = \"cioq\"\nports = 8\n\
             scheme = \"recn\"\nport_memory_bytes = 32768\n[recn]\nsaqs = 8\n[workload]\nload = 1\n\
             pattern = \"uniform\"\n[workload.hot]\nload = 0.5\n\
             pattern = \"hot\"\ndestinations = [32]\n\
             share = 0.25\nstart_ns = 800000\nend_ns = 1100000\n[run]\n\
             duration_ns = 1600000\nwarmup_ns = 5000\n",
        );
        assert_eq!(s.topology().as_deref(), Some("BMIN, 64 end nodes"));
        assert_eq!(s.switch().as_deref(), Some("CIOQ, 8 ports, 32 KiB a port"));
        assert_eq!(s.scheme().as_deref(), Some("RECN, enhanced, 8 SAQs a port"));
        assert_eq!(
            s.load().as_deref(),
            Some(
                "1 of the link rate, uniform; hot sources: 0.5 of the link rate, to 32, from \
                 25 % of \
                 the nodes, from 800 \u{b5}s to 1.1 ms"
            )
        );
        assert_eq!(
            s.times().as_deref(),
            Some("1.6 ms, of it 5 \u{b5}s warm-up")
        );
    }

    #[test]
    fn sources_are_told_however_they_are_given() {
        for (given, told) in [
            ("sources = [1, 2, 7]", "from 3 nodes"),
            ("sources = [1]", "from 1 node"),
            ("sources = 4", "from 4 nodes"),
            ("sources = \"all\"", "from all nodes"),
            ("sources = \"0-7/2\"", "from nodes 0-7/2"),
            ("sources = \"all but 5\"", "from all nodes but 5"),
            ("share = 0.125", "from 12.5 % of the nodes"),
            ("share = 1", "from 100 % of the nodes"),
            ("share = \"1/3\"", "from 1/3 of the nodes"),
        ] {
            let text = format!("[[workload.group]]\nname = \"a\"\nload = 1\n{given}\n");
            let load = scenario(&text).load();
            let told = format!("group a: 1 of the link rate, {told}");
            assert_eq!(load.as_ref(), Some(&told));
        }
    }

    #[test]
    fn traces_are_told() {
        for (given, told) in [
            ("file = \"a.srt\"", "trace: a.srt"),
            (
                "file = \"a.srt\"\ncompression = \"3/2\"",
                "trace: a.srt, 3/2 times as fast",
            ),
            ("synthetic = \"bias=0.7\"", "trace: synthetic, bias=0.7"),
        ] {
            let of_trace = format!("[workload]\nload = 0\n[workload.trace]\n{given}\n");
            assert_eq!(scenario(&of_trace).load().as_deref(), Some(told));
        }
    }

    #[test]
    fn sizes_of_grids_are_told() {
        let mesh = scenario(
            "[network]\ntopology = \"mesh\"\nwidth = 4\nheight = 3\nnodes_per_switch = 2\n",
        );
        let said = Some("4 \u{d7} 3 mesh, 2 end nodes a switch");
        assert_eq!(mesh.topology().as_deref(), said);
        let torus = scenario("[network]\ntopology = \"torus\"\ndimensions = [8, 8]\n");
        assert_eq!(torus.topology().as_deref(), Some("8 \u{d7} 8 torus"));
        assert_eq!(scenario("[run]\nseed = 1\n").topology(), None);
    }
}
