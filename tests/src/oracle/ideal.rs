//! Max-min fair rates by progressive filling, as slow as the definition reads, and what every flow
//! got of its share.

use super::history::{History, Interval, is_in};
use fabric::Ideal;
use observe::{FlowSetResult, Record};
use std::collections::BTreeMap;
use units::Span;

/// A share is stated for flows that could expect so many of the largest packets.
const SHARE_PACKETS_MIN: f64 = 32.0;
/// What two ways to add up rates may differ by, relative.
const ROUNDING: f64 = 1e-6;

/// Flows (source, destination) with their rates, bytes/ns.
type Rates = BTreeMap<(u32, u32), f64>;

/// A link: the injection link of a node, or the one behind a port of a switch.
type Link = (bool, u32, u8);

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
    // All of it, of which the record has the sum.
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
    mean_over_pieces(history, span, |demands| fill(history, demands))
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

/// All rates rise together; a flow stops at its demand, and all flows of a link when it is full.
fn fill(history: &History<'_>, demands: &Rates) -> Rates {
    let base = &history.config.time_base;
    let link_rate = f64::from(base.phit_bytes()) / history.ns(base.link_phit_ticks());
    let routes: BTreeMap<(u32, u32), Vec<Link>> = demands
        .keys()
        .map(|&(source, destination)| {
            let path = history.config.network.path(source, destination);
            let hops = path.expect("a route").hops;
            let injection = (true, source, 0);
            let links = hops.iter().map(|h| (false, h.switch, h.out_port));
            ((source, destination), std::iter::once(injection).chain(links).collect())
        })
        .collect();
    let mut rates = Rates::new();
    let mut room: BTreeMap<Link, f64> = BTreeMap::new();
    let mut rising: BTreeMap<Link, u32> = BTreeMap::new();
    for link in routes.values().flatten() {
        room.insert(*link, link_rate);
        *rising.entry(*link).or_default() += 1;
    }
    while rates.len() < demands.len() {
        // The level at which the next flow stops.
        let flows = demands.iter().filter(|(flow, _)| !rates.contains_key(*flow));
        let demand = flows.map(|(_, demand)| *demand).fold(f64::INFINITY, f64::min);
        let of_link = |link: &Link| room[link] / f64::from(rising[link]);
        let links = rising.iter().filter(|(_, flows)| **flows > 0);
        let level = links.map(|(link, _)| of_link(link)).fold(demand, f64::min);
        let stops = |flow: &(u32, u32)| {
            demands[flow] <= level * (1.0 + 1e-12)
                || routes[flow].iter().any(|l| of_link(l) <= level * (1.0 + 1e-12))
        };
        let all = demands.keys().filter(|flow| !rates.contains_key(*flow));
        let stopped: Vec<(u32, u32)> = all.filter(|flow| stops(flow)).copied().collect();
        for flow in stopped {
            for link in &routes[&flow] {
                *room.get_mut(link).expect("a link of a route") -= level;
                *rising.get_mut(link).expect("a link of a route") -= 1;
            }
            rates.insert(flow, level);
        }
    }
    rates
}
