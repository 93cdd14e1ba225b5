//! Constants that pages state, beside those of the code.

use crate::page::{failed, io, root};
use plan::{CELLS_MAX, Organisation, QUEUES_MAX, SchemeKind};
use scenario::{FILE_BYTES_MAX, Scenario, Set};
use serde_json::Value;
use setaside::{Exit, Failure};
use units::grouped;

/// What a page must contain, spaces and line breaks alike.
type Stated = (&'static str, String);

const ARCHITECTURE: &str = "docs/architecture.md";
const ERRORS: &str = "docs/errors.md";

/// Everything that is stated and not on its page.
pub(super) fn missing() -> Result<Vec<String>, Failure> {
    let mut stated = limits();
    stated.extend(names());
    stated.extend(exit_codes());
    stated.extend(defaults()?);
    let mut missing = Vec::new();
    for (page, text) in stated {
        let found = std::fs::read_to_string(root().join(page)).map_err(io(page))?;
        let found: Vec<&str> = found.split_whitespace().collect();
        if !found.join(" ").contains(&text) {
            missing.push(format!("{page} does not say `{text}`, as the code has it"));
        }
    }
    Ok(missing)
}

fn limits() -> Vec<Stated> {
    let ports = topology::PORTS_MAX;
    let lines = cam::LINES_MAX;
    let [cells, queues, nodes] = [CELLS_MAX, QUEUES_MAX, topology::NODES_MAX].map(grouped);
    let mebibytes = FILE_BYTES_MAX >> 20;
    let ideals = [topology::FLOW_HOPS_MAX, topology::COUNTS_MAX as u64, fabric::PIECES_MAX as u64];
    let ideals = ideals.map(|limit| ("docs/topo.md", grouped(limit)));
    let others = vec![
        (ARCHITECTURE, format!("{ports} ports a switch and {lines} CAM lines a port")),
        (ARCHITECTURE, format!("{cells} cells a port memory, {queues} queues a port")),
        (ARCHITECTURE, format!("{nodes} end nodes")),
        (ERRORS, format!("of more than {mebibytes} MiB is refused")),
    ];
    others.into_iter().chain(ideals).collect()
}

/// Every organisation and scheme that is modelled.
fn names() -> Vec<Stated> {
    let all = Organisation::NAMES.iter().chain(SchemeKind::NAMES);
    all.map(|name| ("docs/introduction.md", format!("`{name}`"))).collect()
}

/// A row of the table for each code.
fn exit_codes() -> Vec<Stated> {
    let all = [
        Exit::Ok,
        Exit::Failure,
        Exit::Usage,
        Exit::Deadlock,
        Exit::BrokenInvariant,
        Exit::BadTrace,
        Exit::Interrupted,
    ];
    all.map(|exit| (ERRORS, format!("| {} | ", exit.code()))).into()
}

fn defaults() -> Result<Vec<Stated>, Failure> {
    let schema = scenario::schema();
    let mut stated = stages(&schema)?;
    let watchdog = number(&schema, "run.watchdog_ns", "default")?;
    let watchdog = format!("`run.watchdog_ns` (default {} ns)", grouped(watchdog));
    stated.push((ERRORS, watchdog));
    for timer in ["recn.saq_timer_ns", "recn.retry_ns", "recn.xoff_repeat_ns"] {
        let ns = number(&schema, timer, "default")?;
        stated.push(("docs/memory-cost.md", format!("`{timer}` = {ns}")));
    }
    let bound = format!("default {} × ports", wait_bound_per_port()?);
    stated.push(("docs/units/scheduler.md", bound));
    Ok(stated)
}

/// The table of the stages: default and least of each.
fn stages(schema: &Value) -> Result<Vec<Stated>, Failure> {
    let mut rows = Vec::new();
    for stage in ["route", "lookup", "enqueue", "arbitration", "crossbar", "credit_return"] {
        let key = format!("switch.stages.{stage}");
        let default = number(schema, &key, "default")?;
        let least = number(schema, &key, "minimum")?;
        rows.push((ARCHITECTURE, format!("| `{stage}` | {default} | {least} |")));
    }
    Ok(rows)
}

fn number(schema: &Value, key: &str, what: &str) -> Result<u64, Failure> {
    let path = key.replace('.', "/properties/");
    let place = format!("/$defs/scenario/properties/{path}/{what}");
    let found = schema.pointer(&place).and_then(Value::as_u64);
    found.ok_or_else(|| failed(format!("the schema has no {what} of {key}")))
}

/// The default of the waiting bound, in packet times for each port, from a switch of 8 ports.
fn wait_bound_per_port() -> Result<u64, Failure> {
    const PORTS: u64 = 8;
    let file = root().join("scenarios/theory/single-switch.toml");
    let ports = Set::new("switch.ports", &PORTS.to_string());
    let bound = Scenario::load(&file, &[ports])?.get("switch.wait_bound_packets");
    let packets: Option<u64> = bound.and_then(|text| text.replace('_', "").parse().ok());
    let packets = packets.ok_or_else(|| failed("switch.wait_bound_packets is no number"))?;
    Ok(packets / PORTS)
}
