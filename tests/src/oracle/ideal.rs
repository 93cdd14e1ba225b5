//! Max-min fair rates of each piece of time, and what every flow got of its share.

use super::history::{History, Interval, is_in};
use fabric::Ideal;
use observe::{FlowSetResult, Record};
use std::collections::BTreeMap;
use topology::Flows;
use units::{Ratio, Span};

/// A share is stated for flows that could expect so many of the largest packets.
const SHARE_PACKETS_MIN: f64 = 32.0;
/// What two ways to add up rates may differ by, relative.
const ROUNDING: f64 = 1e-6;

/// Flows (source, destination) with their rates, bytes/ns.
type Rates = BTreeMap<(u32, u32), f64>;

pub(super) fn compare(history: &History<'_>, record: &Record) {
    let (summary, measured) = (&record.summary, history.measured());
    let fair = max_min(history, measured);
    let printed = summary.ideal_bytes_per_ns;
    bound(history, measured, &fair, printed, "ideal_bytes_per_ns");
    let name = "victims.ideal_bytes_per_ns";
    of_victims(history, &fair, summary.victims.as_ref(), name);
    let expected =
        if measured.0 < measured.1 { worst_share(history, measured, &fair) } else { None };
    let found = summary.worst_flow_share;
    let same = match (found, expected) {
        (Some(a), Some(b)) => near(a, b),
        (None, None) => true,
        _ => false,
    };
    if !same {
        history.exact("worst_flow_share", &found, &expected);
    }
    for window in &history.config.windows {
        let span = (window.start, window.end);
        if let Some(result) = summary.windows.get(&window.name) {
            let name = format!("windows.{}.ideal_bytes_per_ns", window.name);
            let printed = result.all.ideal_bytes_per_ns;
            let fair = max_min(history, span);
            bound(history, span, &fair, printed, &name);
            let name = format!("windows.{}.victims.ideal_bytes_per_ns", window.name);
            of_victims(history, &fair, result.victims.as_ref(), &name);
        }
    }
}

/// The bound is the cut bound where that is higher than the max-min total: which weights it finds
/// is its own affair, that it is no less than the one and no more than what is offered is not.
fn bound(history: &History<'_>, span: Interval, fair: &Rates, printed: Option<f64>, name: &str) {
    history.exact(&format!("{name} is there"), &printed.is_some(), &(span.0 < span.1));
    let Some(printed) = printed else { return };
    let total: f64 = fair.values().sum();
    let offered: f64 = demands(history, span).values().sum();
    if printed < total * (1.0 - ROUNDING) || printed > offered * (1.0 + ROUNDING) {
        let what = format!("printed {printed}, max-min {total}, offered {offered}");
        history.add(name, &what);
    }
    // The whole of it is there for whoever wants more than the sum.
    let ideal: Option<Ideal> = fabric::ideal(history.config, span.0, span.1);
    let rates: Rates = ideal
        .map(|ideal| ideal.flows.iter().map(|f| ((f.0, f.1), f.2)).collect())
        .unwrap_or_default();
    let flows = || fair.iter().filter(|f| *f.1 > 0.0);
    let differs =
        flows().find(|(flow, rate)| !near(rates.get(flow).copied().unwrap_or(0.0), **rate));
    if let Some((flow, rate)) = differs {
        let what =
            format!("max-min rate of {flow:?}: {:?}, the shares give {rate}", rates.get(flow));
        history.add(name, &what);
    }
}

/// What is possible for the victims: the max-min rates of the flows to no hot destination.
fn of_victims(history: &History<'_>, fair: &Rates, victims: Option<&FlowSetResult>, name: &str) {
    let Some(printed) = victims.and_then(|victims| victims.ideal_bytes_per_ns) else {
        return;
    };
    let hot = &history.config.hot_destinations;
    let victims = fair.iter().filter(|((_, to), _)| !hot.contains(to));
    let total: f64 = victims.map(|(_, rate)| rate).sum();
    if !near(printed, total) {
        history.add(name, &format!("printed {printed}, the shares give {total}"));
    }
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= ROUNDING * a.abs().max(b.abs())
}

/// The smallest part of its max-min share that any flow got, of those with a share worth stating.
fn worst_share(history: &History<'_>, span: Interval, fair: &Rates) -> Option<f64> {
    let ns = history.ns(span.1 - span.0);
    let mut delivered: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    for packet in history.raw.ejected.iter().filter(|p| is_in(p.at, span)) {
        *delivered.entry(packet.flow()).or_default() += u64::from(packet.bytes);
    }
    let least = SHARE_PACKETS_MIN * f64::from(history.config.packet_bytes);
    fair.iter()
        .filter(|(_, rate)| **rate * ns >= least)
        .map(|(flow, rate)| delivered.get(flow).copied().unwrap_or(0) as f64 / ns / rate)
        .reduce(f64::min)
}

/// What the sources demand in a span on average.
fn demands(history: &History<'_>, span: Interval) -> Rates {
    mean_over_pieces(history, span, |demands| demands.clone())
}

/// Max-min fair rates in a span on average.
fn max_min(history: &History<'_>, span: Interval) -> Rates {
    mean_over_pieces(history, span, |demands| fair(history, demands))
}

/// Rates of each piece of time in which no source starts or stops, weighted with its ticks.
fn mean_over_pieces(history: &History<'_>, span: Interval, of: impl Fn(&Rates) -> Rates) -> Rates {
    let generators = &history.config.workload.generators;
    let mut bounds = vec![span.0, span.1];
    for (_, g) in generators {
        let inside = [g.start_tick(), g.end_tick()];
        bounds.extend(inside.into_iter().filter(|&t| span.0 < t && t < span.1));
    }
    bounds.sort_unstable();
    bounds.dedup();
    let per_tick = 1.0 / history.ns(Span::TICK);
    let mut mean = Rates::new();
    for piece in bounds.windows(2) {
        let mut demands = Rates::new();
        for (node, g) in generators {
            if g.start_tick() <= piece[0] && piece[0] < g.end_tick() {
                g.each_destination(|destination, bytes_per_tick| {
                    *demands.entry((*node, destination)).or_default() += bytes_per_tick * per_tick;
                });
            }
        }
        let share = (piece[1] - piece[0]).0 as f64 / (span.1 - span.0).0 as f64;
        for (flow, rate) in of(&demands) {
            *mean.entry(flow).or_default() += rate * share;
        }
    }
    mean
}

/// The rates that are fair by `topology::Flows`, which its own tests hold against progressive
/// filling.
fn fair(history: &History<'_>, demands: &Rates) -> Rates {
    let (network, base) = (&history.config.network, &history.config.time_base);
    let per_ns = base.ticks_per_ns().num() * u64::from(base.phit_bytes());
    let ns = base.ticks_per_ns().den() * base.link_phit_ticks().0;
    let mut flows = Flows::new(network, Ratio::new(per_ns, ns).expect("a rate"));
    let nodes = 0..network.nodes() as u32;
    for source in nodes.clone() {
        let row = nodes.clone().map(|to| demands.get(&(source, to)).copied().unwrap_or(0.0));
        flows.set(source, &row.collect::<Vec<_>>()).expect("a legal demand");
    }
    let fair = flows.max_min();
    let rates: Vec<_> = nodes.map(|source| flows.rates(&fair, source)).collect();
    let rate = |&(source, to): &(u32, u32)| rates[source as usize][to as usize];
    demands.keys().map(|flow| (*flow, rate(flow))).collect()
}
