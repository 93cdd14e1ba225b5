//! How long the links of a run were paused, and why.

use observe::{PauseRow, PauseSummary, Stats};
use plan::{FabricConfig, params};
use std::collections::BTreeMap;
use topology::Endpoint;
use units::{Span, VcId, WireId};

/// A line for each VC of each link that ends at a switch, those from end nodes last.
pub(super) fn rows(config: &FabricConfig, stats: &Stats) -> Vec<PauseRow> {
    if config.switch.pfc.is_none() {
        return Vec::new();
    }
    let graph = config.network.graph();
    let wire = |(switch, port): (u32, u8)| WireId::at(graph.port_index(switch, port));
    let name = |(switch, port): (u32, u8)| format!("s{switch}.p{port}");
    let ports = (0..graph.switches() as u32)
        .flat_map(|switch| (0..graph.ports(switch) as u8).map(move |port| (switch, port)));
    let from_switches = ports.filter_map(|from| match graph.peer(from.0, from.1) {
        Endpoint::Port { switch, port } => Some((name(from), wire(from), (switch, port))),
        Endpoint::Node(_) | Endpoint::None => None,
    });
    let from_nodes = (0..graph.nodes()).map(|node| {
        let own = WireId::at(graph.ports_total() + node);
        (format!("n{node}"), own, graph.node_port(node as u32))
    });
    let measured = config.run.duration.since(config.run.warmup);
    let (mut rows, mut is_slow) = (Vec::new(), Vec::new());
    for (from, sender, to) in from_switches.chain(from_nodes) {
        for vc in 0..config.switch.all_vcs() {
            let there = stats.pause_count(sender, VcId(vc));
            let here = stats.pause_count(wire(to), VcId(vc));
            let paused = there.paused;
            let cause = stats.pause_cause(wire(to), VcId(vc));
            let output = cause.map(|cause| name((to.0, cause.way.output.0)));
            is_slow.push(cause.is_some_and(|cause| !cause.is_paused));
            rows.push(PauseRow {
                from: from.clone(),
                to: name(to),
                vc,
                pauses: there.pauses,
                paused_ns: config.time_base.span_to_ns(paused),
                paused_share: (measured > Span::ZERO).then(|| paused.0 as f64 / measured.0 as f64),
                pauses_said: here.sent,
                pauses_repeated: here.repeated,
                pauses_spread: here.spread,
                cause: output,
                cause_vc: cause.map(|cause| cause.way.vc.0),
                depth: None,
            });
        }
    }
    let depths = depths(&rows, &is_slow);
    for (row, depth) in rows.iter_mut().zip(depths) {
        row.depth = depth;
    }
    rows
}

/// How many links away from an output that is slow by itself, over their main causes, each link is
/// paused; `is_slow`: that its own cause is one. Others have a link that is paused, or none.
fn depths(rows: &[PauseRow], is_slow: &[bool]) -> Vec<Option<u32>> {
    let named = rows.iter().zip(0..);
    let places: BTreeMap<(&str, u8), usize> =
        named.map(|(row, at)| ((row.from.as_str(), row.vc), at)).collect();
    let depth = |start: usize| {
        let (mut at, mut depth) = (start, 1);
        while !is_slow[at] {
            let cause = (rows[at].cause.as_deref()?, rows[at].cause_vc?);
            if depth as usize >= rows.len() {
                return None;
            }
            at = *places.get(&cause)?;
            depth += 1;
        }
        Some(depth)
    };
    (0..rows.len()).map(depth).collect()
}

/// The totals of these lines.
pub(super) fn summary(config: &FabricConfig, rows: &[PauseRow]) -> Option<PauseSummary> {
    let pfc = config.switch.pfc?;
    let overrides = config.link.wire_overrides.iter().map(|o| o.1);
    let wire = overrides.fold(config.link.wire, Span::max);
    let headroom = params(config).and_then(|params| params.check_headroom(wire));
    let shares = rows.iter().filter_map(|row| row.paused_share);
    Some(PauseSummary {
        xoff_bytes: pfc.xoff_bytes,
        xon_bytes: pfc.xon_bytes,
        headroom_bytes: headroom.ok().flatten().unwrap_or_default(),
        vcs: rows.len() as u64,
        vcs_paused: rows.iter().filter(|row| row.paused_ns > 0.0).count() as u64,
        pauses: rows.iter().map(|row| row.pauses).sum(),
        pauses_spread: rows.iter().map(|row| row.pauses_spread).sum(),
        depth: rows.iter().filter_map(|row| row.depth).max().unwrap_or(0),
        pause_ns: rows.iter().map(|row| row.paused_ns).sum(),
        worst_share: shares
            .fold(None, |most, share| Some(most.map_or(share, |m: f64| m.max(share)))),
    })
}
