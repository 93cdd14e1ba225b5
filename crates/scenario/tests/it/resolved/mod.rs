//! What a scenario resolves to: defaults, `--set`, printing, building.

mod hierarchical;
mod keys;
mod networks;
mod switches;
mod warnings;
mod windows;

use crate::sets;
use scenario::Scenario;

const BASE: &str = "
network.topology = \"bmin\"
network.nodes = 64
switch.scheme = \"recn\"
workload.load = 0.5
run.duration_ns = 100_000
";

fn with(texts: &[&str]) -> Scenario {
    Scenario::parse(BASE, "base.toml", None, &sets(texts))
        .unwrap_or_else(|errors| panic!("{errors}"))
}

fn refused(texts: &[&str]) -> String {
    match Scenario::parse(BASE, "base.toml", None, &sets(texts)) {
        Ok(scenario) => panic!("accepted:\n{}", scenario.resolved_toml()),
        Err(errors) => errors.to_string(),
    }
}
