//! Defaults that follow from other keys. Fixed ones stand in the table of keys.

use crate::error::ScenarioError;
use crate::keys::{GROUPS, MOVING};
use crate::node_set::NodeSet;
use crate::plain::Plain;
use crate::settings::{Settings, join};
use crate::traced;
use units::{Ratio, Span, TimeBase};
use workload::MessageBytes;

/// Default thresholds of one memory size, in packets (spec recn.md, Default thresholds).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Row {
    memory_bytes: u64,
    pub(crate) detection: u64,
    pub(crate) propagation: u64,
    pub(crate) xoff: u64,
    pub(crate) xon: u64,
}

const fn row(memory_bytes: u64, detection: u64, propagation: u64, xoff: u64, xon: u64) -> Row {
    Row { memory_bytes, detection, propagation, xoff, xon }
}

/// By memory, the smallest first. 32 KB: trees; 128 KB: 1 % of the memory [paper garcia-mesh-2005].
const CIOQ: &[Row] =
    &[row(4_096, 5, 5, 10, 5), row(32_768, 10, 10, 10, 5), row(131_072, 20, 20, 20, 10)];

/// [paper priya-recn-iq-2017]; Xoff propagates there.
const IQ: &[Row] = &[row(4_096, 5, 10, 10, 5)];

/// "Other sizes take the row of the next smaller memory of that organisation"; what is below them
/// all takes the first.
pub(crate) fn thresholds(organisation: &str, memory_bytes: u64) -> Row {
    let rows = if organisation == "iq" { IQ } else { CIOQ };
    let fitting = rows.iter().rev().find(|row| row.memory_bytes <= memory_bytes);
    *fitting.unwrap_or(&rows[0])
}

/// Fills in every default that follows from other keys, those of the network aside.
pub(crate) fn apply(settings: &mut Settings, errors: &mut Vec<ScenarioError>) {
    recn(settings, errors);
    let control = u64::from(settings.small("link.control_packet_bytes"));
    settings.fill("link.named_control_bytes", Plain::Integer(control));
    const ADMITTANCE: &str = "endnode.admittance_bytes";
    // The messages of a trace are larger than a bound that fits packets.
    if traced::is_given(settings) && !settings.given(ADMITTANCE) {
        settings.remove(ADMITTANCE);
        settings.fill(ADMITTANCE, Plain::Word("unbounded".to_owned()));
    }
    let packet = MessageBytes::Fixed(settings.small("link.packet_bytes"));
    settings.fill("workload.message_bytes", Plain::Sizes(packet));
    if settings.moving {
        moving(settings, errors);
    }
    for group in settings.group_paths() {
        for name in ["arrivals", "message_bytes"] {
            if let Some(plain) = settings.plain(&join("workload", name)).cloned() {
                settings.fill(&join(&group, name), plain);
            }
        }
    }
    if settings.plain("workload.load").is_none() && !errors.iter().any(|e| e.key == "workload.load")
    {
        if !settings.group_paths().is_empty() || traced::is_given(settings) {
            settings.fill("workload.load", Plain::Ratio(None));
        } else {
            errors.push(settings.refuse(
                "workload.load",
                "missing, and there is no other group of sources: nothing would be sent",
                format!("legal: a number from 0 to 1, or a [workload.hot], a [{MOVING}], a [[{GROUPS}]] or a [workload.trace]"),
            ));
        }
    }
}

/// Of hot spots that move: all nodes send, and turn from one to the next without a pause.
fn moving(settings: &mut Settings, errors: &mut Vec<ScenarioError>) {
    let at = |name: &str| join(MOVING, name);
    let is_open = ["sources", "share"].map(|name| settings.plain(&at(name)).is_none());
    if is_open == [true; 2]
        && let Ok(all) = NodeSet::read("all")
    {
        settings.fill(&at("sources"), Plain::NodeSet(all));
    }
    let period = at("period_ns");
    let dwell_ns = settings.integer(&at("dwell_ns"));
    let overlap = settings.integer(&at("overlap"));
    let (None, Some(dwell_ns), Some(overlap)) = (settings.plain(&period), dwell_ns, overlap) else {
        return;
    };
    if !dwell_ns.is_multiple_of(overlap) {
        errors.push(settings.refuse(
            &period,
            format!("missing, and dwell_ns / overlap = {dwell_ns} / {overlap} is no whole number"),
            format!("legal: a {period} in whole ns, or a dwell_ns that is a multiple of overlap"),
        ));
    }
    // Also where it is wrong: what else is wrong is found too.
    settings.fill(&period, Plain::Integer(dwell_ns / overlap));
}

fn recn(settings: &mut Settings, errors: &mut Vec<ScenarioError>) {
    let memory = settings.integer("switch.port_memory_bytes").unwrap_or(0);
    let row = thresholds(settings.word("switch.organisation"), memory);
    const BOTH: &str = "recn.detection_packets";
    const EGRESS: &str = "recn.detection_egress_packets";
    const INGRESS: &str = "recn.detection_ingress_packets";
    if [BOTH, EGRESS, INGRESS].iter().all(|path| settings.given(path)) {
        errors.push(settings.refuse(
            BOTH,
            format!("it has no effect, as both {EGRESS} and {INGRESS} are given"),
            "remove it",
        ));
    }
    let detection = settings.integer(BOTH).unwrap_or(row.detection);
    settings.fill(EGRESS, Plain::Integer(detection));
    settings.fill(INGRESS, Plain::Integer(detection));
    settings.remove(BOTH);
    let given = settings.integer("recn.xoff_packets");
    let xoff = given.unwrap_or(row.xoff);
    settings.fill("recn.xoff_packets", Plain::Integer(xoff));
    settings.fill("recn.propagation_packets", Plain::Integer(row.propagation.min(xoff)));
    let half = if given.is_some() { xoff / 2 } else { row.xon };
    settings.fill("recn.xon_packets", Plain::Integer(row.xon.min(half)));
    // "default 1 link-phit time"
    let phit = Ratio::new(u64::from(settings.small("link.phit_bytes")), 1).ok();
    let rate = settings.ratio("link.rate_bytes_per_ns");
    let phit_ns = phit.zip(rate).and_then(|(phit, rate)| phit.div(rate).ok());
    settings.fill("recn.ppu_interval_ns", Plain::Ratio(phit_ns));
}

/// Packet times a port (spec switch.md, Waiting bound; decision 0016).
const WAIT_BOUND_PER_PORT: u64 = 8;

/// The default of the waiting bound, of switches with up to so many ports.
pub(crate) fn wait_bound(settings: &mut Settings, ports: u32) {
    let packets = WAIT_BOUND_PER_PORT * u64::from(ports);
    settings.fill("switch.wait_bound_packets", Plain::Integer(packets));
}

/// The default of the time to drain: a tenth of the run, rounded up to whole ns that are whole
/// ticks; none where that would be more ticks than there may be.
pub(crate) fn drain(settings: &mut Settings, time_base: &TimeBase, ticks_max: Span) {
    let ticks_per_ns = time_base.ticks_per_ns();
    let duration = settings.ratio("run.duration_ns").map_or(0.0, Ratio::to_f64);
    let step = ticks_per_ns.den();
    let drain = (duration / 10.0 / step as f64).ceil() * step as f64;
    let is_legal = (duration + drain) * ticks_per_ns.to_f64() <= ticks_max.0 as f64;
    let drain = is_legal.then(|| Ratio::new(drain as u64, 1).ok()).flatten();
    settings.fill("run.drain_ns", Plain::Ratio(drain));
}

/// Keys that a later `--set` or a study replaces when it gives `path`: without this they would win
/// over it.
pub(crate) fn displaced_by(path: &str) -> &'static [&'static str] {
    match path {
        "recn.detection_packets" => {
            &["recn.detection_egress_packets", "recn.detection_ingress_packets"]
        }
        "network.file" => &["network.edges"],
        "network.edges" => &["network.file"],
        "network.global_links_file" => &["network.global_links"],
        "network.global_links" => &["network.global_links_file"],
        "switch.queues" => &["switch.scheme"],
        "switch.scheme" => &["switch.queues"],
        "workload.hot.sources" => &["workload.hot.share"],
        "workload.hot.share" => &["workload.hot.sources"],
        "workload.moving.sources" => &["workload.moving.share"],
        "workload.moving.share" => &["workload.moving.sources"],
        "ecn.buffer_packets" => &["switch.cell_bytes", "switch.port_memory_bytes"],
        "switch.cell_bytes" | "switch.port_memory_bytes" => &["ecn.buffer_packets"],
        "switch.forwarding_ns" => &["switch.stages.route"],
        "switch.stages.route" => &["switch.forwarding_ns"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // "| 32 KB cioq | 10 | 10 | 10 | 5 |, 128 KB cioq | 20 | 20 | 20 | 10 |, 4 KB iq | 5 | - | 10 |
    // 5, 4 KB cioq | 5 | 5 | 10 | 5; other sizes take the row of the next smaller memory of that
    // organisation."
    #[test]
    fn rows_by_memory() {
        let of = |organisation: &str, memory: u64| {
            let row = thresholds(organisation, memory);
            (row.detection, row.propagation, row.xoff, row.xon)
        };
        assert_eq!(of("cioq", 32_768), (10, 10, 10, 5));
        assert_eq!(of("cioq", 131_071), (10, 10, 10, 5));
        assert_eq!(of("cioq", 131_072), (20, 20, 20, 10));
        assert_eq!(of("cioq", u64::MAX), (20, 20, 20, 10));
        assert_eq!(of("cioq", 32_767), (5, 5, 10, 5));
        assert_eq!(of("cioq", 64), (5, 5, 10, 5));
        assert_eq!(of("iq", 131_072), (5, 10, 10, 5));
    }
}
