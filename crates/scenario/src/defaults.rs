//! Defaults that follow from other keys. Fixed ones are in the table of keys.

use crate::draft::Draft;
use crate::keys::MOVING;
use crate::node_set::NodeSet;
use crate::plain::Plain;
use crate::settings::{Settings, join};
use crate::traced;
use units::{Ratio, Span, TimeBase};
use workload::MessageBytes;

/// Default thresholds by memory size, packets (recn.md): size, detection, propagation, Xoff, Xon.
type Row = (u64, [u64; 4]);

/// By memory, the smallest first. 32 KB: trees; 128 KB: 1 % of the memory [paper garcia-mesh-2005].
const CIOQ: &[Row] =
    &[(4_096, [5, 5, 10, 5]), (32_768, [10, 10, 10, 5]), (131_072, [20, 20, 20, 10])];

/// [paper priya-recn-iq-2017]; Xoff propagates there.
const IQ: &[Row] = &[(4_096, [5, 10, 10, 5])];

/// "Other sizes take the row of the next smaller memory of that organisation"; what is below them
/// all takes the first.
fn thresholds(organisation: &str, memory_bytes: u64) -> [u64; 4] {
    let rows = if organisation == "iq" { IQ } else { CIOQ };
    let fitting = rows.iter().rev().find(|row| row.0 <= memory_bytes);
    fitting.unwrap_or(&rows[0]).1
}

/// Fills in every default that follows from other keys, those of the network aside.
pub(crate) fn apply(draft: &mut Draft) {
    const LOAD: &str = "workload.load";
    recn(draft);
    let control = u64::from(draft.small("link.control_packet_bytes"));
    draft.fill("link.named_control_bytes", control);
    // The messages of a trace are larger than a bound that fits packets.
    if traced::is_given(draft) && !draft.given("endnode.admittance_bytes") {
        draft.replace("endnode.admittance_bytes", "unbounded");
    }
    let packet = MessageBytes::Fixed(draft.small("link.packet_bytes"));
    draft.fill("workload.message_bytes", Plain::Sizes(packet));
    moving(draft);
    for group in draft.group_paths() {
        for name in ["arrivals", "message_bytes"] {
            if let Some(plain) = draft.plain(&join("workload", name)).cloned() {
                draft.fill(&join(&group, name), plain);
            }
        }
    }
    if draft.plain(LOAD).is_some() || draft.is_wrong(LOAD) {
        return;
    }
    if !draft.group_paths().is_empty() || traced::is_given(draft) {
        draft.fill(LOAD, Plain::Ratio(None));
    } else {
        draft.refuse(
            &[LOAD],
            "missing, and there is no other group of sources: nothing would be sent",
            "legal: a number from 0 to 1, or a [workload.hot], a [workload.moving], a [[workload.group]] or a [workload.trace]",
        );
    }
}

/// Of hot spots that move: all nodes send, and turn from one to the next without a pause.
fn moving(draft: &mut Draft) {
    if !draft.has_section(MOVING) {
        return;
    }
    let [sources, share, period, dwell, overlap] =
        ["sources", "share", "period_ns", "dwell_ns", "overlap"].map(|name| join(MOVING, name));
    if [&sources, &share].iter().all(|path| draft.plain(path).is_none())
        && let Ok(all) = NodeSet::read("all")
    {
        draft.fill(&sources, Plain::NodeSet(all));
    }
    let (dwell_ns, overlap) = (draft.integer(&dwell), draft.integer(&overlap));
    let (None, Some(dwell_ns), Some(overlap)) = (draft.plain(&period), dwell_ns, overlap) else {
        return;
    };
    if !dwell_ns.is_multiple_of(overlap) {
        draft.refuse(
            &[&period],
            format!("missing, and dwell_ns / overlap = {dwell_ns} / {overlap} is no whole number"),
            format!("legal: a {period} in whole ns, or a dwell_ns that is a multiple of overlap"),
        );
    }
    // Also where it is wrong: what else is wrong is found too.
    draft.fill(&period, dwell_ns / overlap);
}

fn recn(draft: &mut Draft) {
    const BOTH: &str = "recn.detection_packets";
    const EGRESS: &str = "recn.detection_egress_packets";
    const INGRESS: &str = "recn.detection_ingress_packets";
    let memory = draft.integer("switch.port_memory_bytes").unwrap_or(0);
    let row = thresholds(draft.word("switch.organisation"), memory);
    let [detection, propagation, row_xoff, xon] = row;
    if [BOTH, EGRESS, INGRESS].iter().all(|path| draft.given(path)) {
        let what = format!("it has no effect, as both {EGRESS} and {INGRESS} are given");
        draft.refuse(&[BOTH], what, "remove it");
    }
    let detection = draft.integer(BOTH).unwrap_or(detection);
    draft.fill(EGRESS, detection);
    draft.fill(INGRESS, detection);
    draft.remove(BOTH);
    let given = draft.integer("recn.xoff_packets");
    let xoff = given.unwrap_or(row_xoff);
    draft.fill("recn.xoff_packets", xoff);
    draft.fill("recn.propagation_packets", propagation.min(xoff));
    draft.fill("recn.xon_packets", if given.is_some() { xon.min(xoff / 2) } else { xon });
    // "default 1 link-phit time"
    let phit = Ratio::new(u64::from(draft.small("link.phit_bytes")), 1).ok();
    let rate = draft.ratio("link.rate_bytes_per_ns");
    let phit_ns = phit.zip(rate).and_then(|(phit, rate)| phit.div(rate).ok());
    draft.fill("recn.ppu_interval_ns", phit_ns);
}

/// Packet times a port (spec switch.md, Waiting bound; decision 0016).
const WAIT_BOUND_PER_PORT: u64 = 8;

pub(crate) fn wait_bound(settings: &mut Settings, ports: u32) {
    settings.fill("switch.wait_bound_packets", WAIT_BOUND_PER_PORT * u64::from(ports));
}

/// The default of the time to drain: a tenth of the run, rounded up to whole ns that are whole
/// ticks; none where that would be more ticks than there may be.
pub(crate) fn drain(settings: &mut Settings, time_base: &TimeBase, ticks_max: Span) {
    let ticks_per_ns = time_base.ticks_per_ns();
    let duration = settings.ratio("run.duration_ns").map_or(0.0, Ratio::to_f64);
    let step = ticks_per_ns.den();
    let drain = (duration / 10.0 / step as f64).ceil() * step as f64;
    let is_legal = (duration + drain) * ticks_per_ns.to_f64() <= ticks_max.0 as f64;
    settings.fill("run.drain_ns", is_legal.then(|| Ratio::new(drain as u64, 1).ok()).flatten());
}

/// Keys replaced when a later `--set` or a study gives `path`: else they would win over it.
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
