//! Max-min fair rates by progressive filling, as slow as the definition reads, and what every flow
//! got of its share.

use super::flow_sets::{Set, Sets};
use super::history::{History, Interval, is_in};
use fabric::Ideal;
use std::collections::BTreeMap;
use units::Span;

/// A share is stated for flows that could expect so many of the largest packets.
const SHARE_PACKETS_MIN: f64 = 32.0;
/// What two ways to add up rates may differ by, relative.
const ROUNDING: f64 = 1e-6;

/// Flows (source, destination) with their rates, bytes/ns.
pub(super) type Rates = BTreeMap<(u32, u32), f64>;

/// A link: the injection link of a node, or the one behind a port of a switch.
type Link = (bool, u32, u8);

/// What is possible for a set of flows; what was printed stands where it may.
pub(super) fn of(sets: &Sets<'_>, which: Set, printed: Option<f64>) -> Option<f64> {
    let (history, fair) = (sets.history, sets.fair.as_ref()?);
    match which {
        Set::Group(_) => None,
        Set::Victims => {
            let victims = fair.iter().filter(|((_, to), _)| history.is_victim(*to));
            let total = victims.map(|(_, rate)| rate).sum();
            Some(printed.filter(|&printed| near(printed, total)).unwrap_or(total))
        }
        Set::All => Some(bound(sets, fair, printed)),
    }
}

/// The bound is the cut bound where that is higher than the max-min total: which weights it finds
/// is its own affair, that it is no less than the one and no more than what is offered is not.
fn bound(sets: &Sets<'_>, fair: &Rates, printed: Option<f64>) -> f64 {
    let (history, span) = (sets.history, sets.span);
    let total: f64 = fair.values().sum();
    let offered: f64 = demands(history, span).values().sum();
    let legal = total * (1.0 - ROUNDING)..=offered * (1.0 + ROUNDING);
    // All of it, of which the record has the sum.
    let ideal: Option<Ideal> = fabric::ideal(history.config, span.0, span.1);
    let rates: Rates = ideal
        .map(|ideal| ideal.flows.iter().map(|f| ((f.0, f.1), f.2)).collect())
        .unwrap_or_default();
    let of = |flow| rates.get(flow).copied().unwrap_or(0.0);
    if let Some((flow, rate)) = fair.iter().find(|(flow, rate)| !near(of(flow), **rate)) {
        let what = format!("{flow:?}: {}, the shares give {rate}", of(flow));
        history.add("max-min rate", &what);
    }
    printed.filter(|printed| legal.contains(printed)).unwrap_or(total)
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= ROUNDING * a.abs().max(b.abs())
}

/// The smallest part of its max-min share that any flow got, of those with a share worth stating.
pub(super) fn worst_share(sets: &Sets<'_>, printed: Option<f64>) -> Option<f64> {
    let (history, span) = (sets.history, sets.span);
    let ns = history.ns(span.1 - span.0);
    let mut delivered: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    for packet in history.raw.ejected.iter().filter(|p| is_in(p.at, span)) {
        *delivered.entry(packet.flow()).or_default() += u64::from(packet.bytes);
    }
    let least = SHARE_PACKETS_MIN * f64::from(history.config.packet_bytes);
    let shared = sets.fair.iter().flatten().filter(|(_, rate)| **rate * ns >= least);
    let got = |flow| delivered.get(flow).copied().unwrap_or(0) as f64;
    let worst = shared.map(|(flow, rate)| got(flow) / ns / rate).reduce(f64::min)?;
    Some(printed.filter(|&printed| near(printed, worst)).unwrap_or(worst))
}

/// What the sources demand in a span on average.
fn demands(history: &History<'_>, span: Interval) -> Rates {
    mean_over_pieces(history, span, |demands| demands.clone())
}

/// Max-min fair rates in a span on average.
pub(super) fn max_min(history: &History<'_>, span: Interval) -> Rates {
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
