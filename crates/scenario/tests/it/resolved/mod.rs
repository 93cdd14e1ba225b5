//! What a scenario resolves to: defaults, `--set`, printing, building.

mod hierarchical;
mod keys;
mod networks;
mod switches;
mod values;
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

/// Keys of `texts`, apart by blanks, set over a text.
fn of(text: &str, texts: &str) -> Result<Scenario, String> {
    let scenario = Scenario::parse(text, "base.toml", None, &sets(texts));
    scenario.map_err(|errors| errors.to_string())
}

fn with(texts: &str) -> Scenario {
    of(BASE, texts).unwrap_or_else(|errors| panic!("{errors}"))
}

fn refused(texts: &str) -> String {
    of(BASE, texts).map(|scenario| scenario.resolved_toml()).expect_err("legal")
}

/// A scenario reads back from its resolved text as what it is.
fn read_back(scenario: &Scenario) -> Scenario {
    let text = scenario.resolved_toml();
    let again = of(&text, "").unwrap_or_else(|errors| panic!("{errors}\n{text}"));
    assert_eq!(again.resolved_toml(), text);
    assert_eq!(again.hash(), scenario.hash());
    again
}
