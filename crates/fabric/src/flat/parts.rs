//! The parts of a fabric that the flat engine runs, as one.

use super::ecn::Ends;
use super::mode::{Features, Plain, Saqs};
use super::reorder::Reorder;
use super::threads::{self, Here};
use super::{Flat, Mode, TICKS_MAX, needs_order};
use crate::engine::{Faultable, Implementation, Running, larger};
use crate::waits::Standing;
use crate::watch::{RunError, Watch};
use hierarchy::TwoLevelTable;
use observe::{Observer, Offered, Outstanding, Owner, PortProbe, PortView, ReorderPeak};
use plan::{ConfigError, FabricConfig, checked};
use std::sync::Arc;
use units::{PortId, Span, SwitchId, Tick, Unit};
use workload::Given;

/// All parts, which threads share.
pub(crate) struct Parts<M: Mode> {
    parts: Vec<Flat<M>>,
    exchange: threads::Exchange,
}

/// A fabric before its first tick, in up to so many parts, if the observer can be split; and the
/// observers of the other parts.
///
/// # Errors
/// What cannot be built, see [`ConfigError`].
pub(crate) fn build<O: Observer>(
    config: &FabricConfig,
    threads: usize,
    observer: &mut O,
) -> Result<(Running, Vec<O>), ConfigError> {
    let params = checked(config)?;
    let parts = if config.faults.is_none() { threads } else { 1 };
    let graph = config.network.graph();
    let mut here = Here::new(graph, parts);
    let mut forks: Vec<O> = (1..here.parts).map_while(|_| observer.fork()).collect();
    if forks.len() + 1 < here.parts {
        (here, forks) = (Here::new(graph, 1), Vec::new());
    }
    if !forks.is_empty() {
        observer.meet(&mut forks.iter_mut().collect::<Vec<_>>());
    }
    let exchange = threads::Exchange::new(&here, config, &params);
    let running = if O::IS_ORDERED || needs_order(config, &params) {
        Running::Timed(Box::new(Parts { parts: Flat::all(config, &here)?, exchange }))
    } else {
        match Some(Features::of(config, &params)) {
            Plain::KNOWN => {
                Running::Plain(Box::new(Parts { parts: Flat::all(config, &here)?, exchange }))
            }
            Saqs::KNOWN => {
                Running::Saqs(Box::new(Parts { parts: Flat::all(config, &here)?, exchange }))
            }
            _ => Running::Eager(Box::new(Parts { parts: Flat::all(config, &here)?, exchange })),
        }
    };
    Ok((running, forks))
}

impl<M: Mode> Implementation for Parts<M> {
    fn run_until<'a, O: Observer + 'a>(
        &mut self,
        observers: impl Iterator<Item = &'a mut O>,
        end: Tick,
    ) {
        // Known when it is compiled: no tick that runs ahead is compiled for such observers.
        if M::EAGER && O::IS_ORDERED {
            unreachable!("built as `Timed`");
        }
        assert!(end.0 <= TICKS_MAX, "tick {end}: the flat engine counts to {TICKS_MAX}");
        self.exchange.run(&mut self.parts, observers, end);
    }

    fn give_message(&mut self, message: Given, now: Tick) {
        self.parts.iter_mut().for_each(|part| part.give_message(message, now));
    }

    fn end<'a, O: Observer + 'a>(&self, observers: impl Iterator<Item = &'a mut O>) {
        self.parts.iter().zip(observers).for_each(|(part, observer)| part.end(observer));
    }

    fn look_at(&mut self, watch: &mut Watch) -> Result<(), RunError> {
        self.parts.iter_mut().for_each(Flat::settle_for_looks);
        watch.look(&self.parts)
    }

    fn at_home(&mut self) -> (bool, Option<String>) {
        self.parts.iter_mut().for_each(Flat::settle_for_looks);
        let is_busy = self.packets_in_network() > 0 || self.parts.iter().any(Flat::is_busy);
        (is_busy, self.parts.iter().find_map(Flat::left_over))
    }

    fn threads(&self) -> usize {
        self.exchange.threads()
    }

    fn limit_threads(&mut self, threads: usize) {
        self.exchange.limit_threads(threads);
    }

    fn ticks_served(&self) -> Option<u64> {
        Some(self.parts.iter().map(|part| part.served).sum())
    }

    fn owners(&self) -> &Arc<[Owner]> {
        &self.parts[0].owners
    }

    fn packets_in_network(&self) -> usize {
        self.parts.signs().in_network
    }

    fn packets(&self) -> (u64, u64) {
        let all = self.parts.iter().map(Flat::packets);
        let (waiting, in_network) = all.fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        (waiting, in_network as u64)
    }

    fn answers(&self) -> (u64, Option<u64>) {
        let ends = || self.parts.iter().map(|part| &part.ends);
        let under_way: i64 = ends().flat_map(Ends::answers).sum();
        (under_way as u64, ends().map(Ends::cnps_made).sum())
    }

    fn marking_events(&self) -> [u64; 3] {
        let sum = |a: [u64; 3], b: [u64; 3]| std::array::from_fn(|at| a[at] + b[at]);
        self.parts.iter().map(|part| part.marks.events()).fold([0; 3], sum)
    }

    fn reorder_peak(&self) -> Option<ReorderPeak> {
        let buffers = self.parts.iter().flat_map(|part| &part.reorder);
        buffers.map(Reorder::peak).reduce(larger)
    }

    fn longest_waits(&self) -> [Span; 2] {
        let most = |a: [Span; 2], b: [Span; 2]| [a[0].max(b[0]), a[1].max(b[1])];
        self.parts.iter().map(Flat::longest_waits).fold([Span::ZERO; 2], most)
    }

    fn forget_waits(&mut self) {
        let switches = self.parts.iter_mut().flat_map(|part| &mut part.switches);
        switches.for_each(|switch| switch.longest = [0; 2]);
    }

    fn outstanding(&self, mut visit: impl FnMut(Outstanding)) {
        self.parts.iter().for_each(|part| part.outstanding(&mut visit));
    }

    fn replies_to_come(&self, mut visit: impl FnMut(Outstanding)) {
        self.parts.iter().for_each(|part| part.replies_to_come(&mut visit));
    }

    fn unadmitted(&self) -> Vec<Offered> {
        let mut offers = Vec::new();
        self.parts.iter().for_each(|part| part.unadmitted(&mut offers));
        offers.sort_by_key(|offered| (offered.born, offered.source));
        offers
    }

    fn audit(&self) -> Result<(), String> {
        self.parts.iter().try_for_each(Flat::audit)
    }

    fn probe(&mut self, mut visit: impl FnMut(PortProbe)) {
        self.parts.iter_mut().for_each(|part| part.probe(&mut visit));
    }

    fn look(&mut self, unit: Unit) -> Option<PortView> {
        self.parts.iter_mut().find_map(|part| part.look(unit))
    }

    /// One part: a fabric with faults has no others, and in others nothing is seen of faults.
    fn faultable(&mut self) -> &mut impl Faultable {
        &mut self.parts[0]
    }

    fn two_level_tables(&self, visit: impl FnMut(SwitchId, PortId, &TwoLevelTable)) {
        self.parts[0].two_level_tables(visit);
    }
}
