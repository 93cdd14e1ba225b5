//! How long the links of a run were paused, and why.

use observe::{PauseRow, PauseSummary, Stats};
use plan::{FabricConfig, params};
use std::collections::BTreeMap;
use topology::Endpoint;
use units::{Span, VcId, WireId};

/// A line for each VC of each link that ends at a switch: those from switches by switch and port,
/// then those from end nodes.
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
    let (mut rows, mut causes) = (Vec::new(), Vec::new());
    for (from, sender, to) in from_switches.chain(from_nodes) {
        for vc in 0..config.switch.all_vcs() {
            let there = stats.pause_count(sender, VcId(vc));
            let here = stats.pause_count(wire(to), VcId(vc));
            let paused = there.paused;
            let cause = stats.pause_cause(wire(to), VcId(vc));
            let output = cause.map(|cause| name((to.0, cause.way.output.0)));
            let cause_vc = cause.map(|cause| cause.way.vc.0);
            let is_paused = cause.is_some_and(|cause| cause.is_paused);
            causes.push(match output.clone().zip(cause_vc) {
                None => Cause::None,
                Some(way) if is_paused => Cause::Paused(way),
                Some(_) => Cause::Slow,
            });
            rows.push(PauseRow {
                from: from.clone(),
                to: name(to),
                vc,
                pauses: there.pauses,
                paused_ns: config.time_base.span_to_ns(paused),
                paused_share: (measured > Span::ZERO).then(|| paused.0 as f64 / measured.0 as f64),
                pauses_said: here.said,
                pauses_repeated: here.repeated,
                pauses_spread: here.spread,
                cause: output,
                cause_vc,
                depth: None,
            });
        }
    }
    let depths = depths(&rows, &causes);
    for (row, depth) in rows.iter_mut().zip(depths) {
        row.depth = depth;
    }
    rows
}

/// Why a link is paused.
enum Cause {
    /// It never is.
    None,
    /// An output that is slow by itself.
    Slow,
    /// A link that is paused, and its VC.
    Paused((String, u8)),
}

/// How many links away from a slow output, over their main causes, each link is paused.
fn depths(rows: &[PauseRow], causes: &[Cause]) -> Vec<Option<u32>> {
    let named = rows.iter().zip(0..);
    let places: BTreeMap<(&str, u8), usize> =
        named.map(|(row, at)| ((row.from.as_str(), row.vc), at)).collect();
    let depth = |start: usize| {
        let (mut at, mut depth) = (start, 1);
        loop {
            match &causes[at] {
                Cause::Slow => return Some(depth),
                Cause::Paused((link, vc)) if (depth as usize) < rows.len() => {
                    at = *places.get(&(link.as_str(), *vc))?;
                    depth += 1;
                }
                Cause::None | Cause::Paused(_) => return None,
            }
        }
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
