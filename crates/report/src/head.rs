//! The head of a page: what was run, in the field's words, from the resolved scenarios.

use crate::load::{self, as_number, text};
use crate::names;
use crate::store::{Run, Store};
use crate::text::{distinct, joined, listed, shortest, time};
use std::fs;
use std::path::Path;
use toml::{Table, Value};

/// Values of a sweep that are listed one by one; of more, how many there are.
const VALUES_MAX: usize = 8;

/// Heading and text of each fact, and the resolved scenario of the run, or of the first run of a
/// sweep; empty where there is none.
pub(crate) type Head = (Vec<(String, String)>, String);

/// A heading, and its text for a scenario.
type Asked = (&'static str, fn(&Scenario) -> Option<String>);

/// The head of a store; what cannot be read is left out.
pub(crate) fn of(dir: &Path, store: &Store) -> Head {
    let runs = store.runs.iter().filter(|run| run.status == "ok");
    let read = |run: &Run| {
        let dir = if store.is_sweep { &dir.join("runs").join(&run.directory) } else { dir };
        fs::read_to_string(dir.join("scenario.toml")).ok()
    };
    let texts: Vec<String> = runs.filter_map(read).collect();
    let scenarios: Vec<Scenario> =
        texts.iter().filter_map(|text| text.parse().ok().map(Scenario)).collect();
    let mut facts = Vec::new();
    let asked: [Asked; 6] = [
        ("Topology", Scenario::topology),
        ("Switch", Scenario::switch),
        ("Scheme", Scenario::scheme),
        ("Speedup", |s| s.text("switch.speedup")),
        ("Load", Scenario::load),
        ("Simulated time", Scenario::times),
    ];
    for (name, value) in asked {
        let values = distinct(scenarios.iter().filter_map(value));
        if !values.is_empty() {
            facts.push((name.to_string(), listed(&values, VALUES_MAX, " | ")));
        }
    }
    facts.extend(windows(store).map(|windows| ("Windows".to_string(), windows)));
    if store.is_sweep && !store.axes.is_empty() {
        let axes = joined(store.axes.iter().map(|axis| names::key(axis).0), ", ");
        facts.push(("Axes".into(), axes));
    }
    (facts, texts.into_iter().next().unwrap_or_default())
}

fn windows(store: &Store) -> Option<String> {
    let Some(windows) = store.windows_of_all_runs() else {
        return Some("they differ from run to run".into());
    };
    let text = windows.iter().map(|row| match row.end_ns > row.start_ns {
        true => format!("{} {} to {}", row.window, time(row.start_ns), time(row.end_ns)),
        false => format!("{} empty", row.window),
    });
    (!windows.is_empty()).then(|| joined(text, ", "))
}

/// Names of values that are not what people write: a value, a comma, its name.
const VALUES: &str = include_str!("assets/values.txt");

fn plain(value: &str) -> String {
    let known = names::table(VALUES).find(|(key, _)| *key == value);
    known.map_or_else(|| value.replace("recn-dd", "RECN-DD"), |(_, name)| name.to_string())
}

struct Scenario(Table);

impl Scenario {
    fn value(&self, path: &str) -> Option<&Value> {
        let mut table = &self.0;
        let (tables, key) = path.rsplit_once('.')?;
        for name in tables.split('.') {
            table = table.get(name)?.as_table()?;
        }
        table.get(key)
    }

    fn text(&self, path: &str) -> Option<String> {
        self.value(path).map(text)
    }

    fn number(&self, path: &str) -> Option<f64> {
        self.value(path).and_then(as_number)
    }

    fn topology(&self) -> Option<String> {
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
            parts[0] = format!("{} {name}", joined(dimensions.iter().map(text), " \u{d7} "));
        }
        if let (Some(k), Some(n)) = (number("k"), number("n")) {
            parts.push(format!("k = {k}, n = {n}"));
        }
        parts.extend(self.text("network.file"));
        let size = |(key, name): &(&str, &str)| Some(format!("{} {name}", shortest(number(key)?)));
        parts.extend(sizes.iter().filter_map(size));
        Some(parts.join(", "))
    }

    fn switch(&self) -> Option<String> {
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

    fn scheme(&self) -> Option<String> {
        let scheme = self.text("switch.scheme")?;
        let saqs = self.number("recn.saqs").filter(|_| scheme.starts_with("recn"));
        let saqs = saqs.map_or(String::new(), |n| format!(", {n} SAQs a port"));
        let ecn = self.text("ecn.marking").filter(|m| m != "off" && m != "none");
        let ecn = ecn.map_or(String::new(), |marking| format!(", ECN marking: {marking}"));
        Some(plain(&scheme) + &saqs + &ecn)
    }

    fn load(&self) -> Option<String> {
        let parts = load::of(&self.0).into_iter().map(|(who, load)| match who.as_str() {
            "load" => load,
            who => format!("{who}: {load}"),
        });
        Some(joined(parts, "; ")).filter(|text| !text.is_empty())
    }

    fn times(&self) -> Option<String> {
        let duration = self.number("run.duration_ns")?;
        let warmup = self.number("run.warmup_ns").filter(|ns| *ns > 0.0);
        let warmup = warmup.map_or(String::new(), |ns| format!(", of it {} warm-up", time(ns)));
        Some(time(duration) + &warmup)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scenario(text: &str) -> Scenario {
        Scenario(text.parse().expect("TOML"))
    }

    #[test]
    fn a_scenario_is_put_in_words() {
        let s = scenario(
            "[network]\ntopology = \"bmin\"\nnodes = 64\n[switch]\norganisation = \"cioq\"\n\
             ports = 8\nscheme = \"recn\"\nport_memory_bytes = 32768\n[recn]\nsaqs = 8\n\
             [workload]\nload = 1\npattern = \"uniform\"\n[workload.hot]\nload = 0.5\n\
             pattern = \"hot\"\ndestinations = [32]\nshare = 0.25\nstart_ns = 800000\n\
             end_ns = 1100000\n[run]\nduration_ns = 1600000\nwarmup_ns = 5000\n",
        );
        let load = "1 of link rate, uniform; group hot: 0.5 of link rate, from 25 % of the nodes, \
                    to 32, from 800 \u{b5}s to 1.1 ms";
        assert_eq!(
            [s.topology(), s.switch(), s.scheme(), s.load(), s.times()].map(Option::unwrap),
            [
                "BMIN, 64 end nodes",
                "CIOQ, 8 ports, 32 KiB a port",
                "RECN, enhanced, 8 SAQs a port",
                load,
                "1.6 ms, of it 5 \u{b5}s warm-up",
            ]
        );
    }

    #[test]
    fn every_value_of_the_table_has_a_name() {
        assert_eq!(names::table(VALUES).count(), VALUES.lines().count());
        assert_eq!(plain("voq-net"), "VOQnet (a queue for each destination)");
    }

    #[test]
    fn sizes_of_grids_are_shown() {
        let mesh = scenario(
            "[network]\ntopology = \"mesh\"\nwidth = 4\nheight = 3\nnodes_per_switch = 2\n",
        );
        let text = Some("4 \u{d7} 3 mesh, 2 end nodes a switch");
        assert_eq!(mesh.topology().as_deref(), text);
        let torus = scenario("[network]\ntopology = \"torus\"\ndimensions = [8, 8]\n");
        assert_eq!(torus.topology().as_deref(), Some("8 \u{d7} 8 torus"));
        assert_eq!(scenario("[run]\nseed = 1\n").topology(), None);
    }
}
