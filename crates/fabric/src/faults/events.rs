//! Links and nodes that fail and recover at given ticks (spec: rsi.md, Fault discovery and
//! recovery).

use super::seen::Seen;
use crate::engine::{Faultable, either};
use crate::fabric::Fabric;
use observe::{Observer, Owner};
use plan::{FabricConfig, FaultEvent, FaultTables, FaultTarget, LinkState};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use topology::Network;
use units::{ElementId, PortId, Span, Tick};

/// What comes, and what has failed.
#[derive(Debug)]
pub(crate) struct Faults {
    pending: VecDeque<FaultEvent>,
    /// Links that have failed, by the lower of their two ends, and how many causes keep each down:
    /// one at a given time and one at random may overlap.
    links: Causes<Owner>,
    /// Switches that have failed.
    nodes: Causes<u32>,
    log: Vec<FaultRecord>,
    pub(super) network: Arc<Network>,
    recomputes: bool,
    notice: Span,
    /// Something may have been lost or stranded: a link or table was changed.
    pub(super) disturbed: bool,
}

/// What is down, and how many causes keep it down.
#[derive(Debug)]
struct Causes<T>(BTreeMap<T, u32>);

impl<T> Default for Causes<T> {
    fn default() -> Causes<T> {
        Causes(BTreeMap::new())
    }
}

impl<T: Ord> Causes<T> {
    fn contains(&self, target: &T) -> bool {
        self.0.contains_key(target)
    }

    /// One more. Whether it is the first.
    fn add(&mut self, target: T) -> bool {
        let causes = self.0.entry(target).or_default();
        *causes += 1;
        *causes == 1
    }

    /// One less. Whether it was the last.
    fn remove(&mut self, target: &T) -> bool {
        let Some(causes) = self.0.get_mut(target) else {
            return false;
        };
        *causes -= 1;
        *causes == 0 && self.0.remove(target).is_some()
    }
}

/// A fault, and what came of it until the next one, be that in the same tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FaultRecord {
    /// What happened.
    pub event: FaultEvent,
    /// The tick of the last change of an entry before the next fault; that of the fault if none
    /// changed.
    pub converged: Tick,
    /// FD, FR and end marks that were sent before the next fault.
    pub messages: u64,
    /// Packets lost to it: on links that went down, in memories of a node, or cut in two.
    pub lost: u64,
    /// Packets stranded before the next fault.
    pub stranded: u64,
    /// Where tables are recomputed: they were used. Else they could deadlock, or need more VCs, and
    /// the configured ones less what leads nowhere are.
    pub recomputed: Option<bool>,
}

impl Faults {
    /// All that will happen.
    pub(crate) fn new(config: &FabricConfig) -> Faults {
        let mut events = super::events(config);
        events.sort_unstable();
        Faults {
            pending: events.into(),
            links: Causes::default(),
            nodes: Causes::default(),
            log: Vec::new(),
            network: config.network.clone(),
            recomputes: config.faults.tables == FaultTables::Recomputed,
            notice: config.faults.notice.min(config.run.watchdog),
            disturbed: false,
        }
    }

    /// The tick before which the next one happens.
    pub(crate) fn next(&self) -> Tick {
        self.pending.front().map_or(Tick::MAX, |event| event.at)
    }

    /// The first tick after `now` in which end nodes hear of what is lost; never as long as nothing
    /// can be.
    pub(crate) fn next_notice(&self, now: Tick) -> Tick {
        if !self.disturbed {
            return Tick::MAX;
        }
        Tick((now.0 / self.notice.0).saturating_add(1).saturating_mul(self.notice.0))
    }
}

impl<O: Observer> Fabric<O> {
    /// Faults before the present tick.
    pub(crate) fn apply_faults(&mut self) {
        while self.faults.next() <= self.now() {
            self.close_record();
            let Some(event) = self.faults.pending.pop_front() else {
                return;
            };
            self.faults.disturbed = true;
            self.faults.log.push(FaultRecord {
                event,
                converged: event.at,
                messages: 0,
                lost: 0,
                stranded: 0,
                recomputed: None,
            });
            match event.target {
                FaultTarget::Link { switch, port } => {
                    let here = Owner { element: ElementId(switch), port: PortId(port) };
                    self.fault_of_link(here, event.recovers);
                }
                FaultTarget::Node { switch } => self.fault_of_node(switch, event.recovers),
            }
            self.recompute();
        }
    }

    /// What has happened since the last fault belongs to it.
    pub(crate) fn close_record(&mut self) {
        let seen = self.take_seen();
        if let Some(record) = self.faults.log.last_mut() {
            record.converged = record.converged.max(seen.changed);
            record.messages += seen.messages;
            record.lost += seen.lost;
            record.stranded += seen.stranded;
        }
    }

    fn take_seen(&mut self) -> Seen {
        either!(&mut self.engine, it => it.take_seen())
    }

    /// Every fault so far, and what came of it.
    pub(crate) fn fault_log(&mut self) -> &[FaultRecord] {
        self.close_record();
        &self.faults.log
    }

    fn fault_of_link(&mut self, here: Owner, recovers: bool) {
        let Some(there) = self.peer(here) else { return };
        let link = if before(here, there) { here } else { there };
        if recovers {
            if self.faults.links.remove(&link) && self.may_be_up(here, there) {
                self.link_up(here, there);
            }
        } else if self.faults.links.add(link) && self.nodes_work(here, there) {
            self.link_down(here, there);
        }
    }

    fn fault_of_node(&mut self, switch: u32, recovers: bool) {
        let ends: Vec<_> = (0..self.faults.network.graph().ports(switch))
            .map(|port| Owner { element: ElementId(switch), port: PortId(port as u8) })
            .filter_map(|here| Some((here, self.peer(here)?)))
            .collect();
        if recovers {
            if !self.faults.nodes.remove(&switch) {
                return;
            }
            for (here, there) in ends {
                if self.may_be_up(here, there) {
                    self.link_up(here, there);
                }
            }
            return;
        }
        let links = ends.into_iter().filter(|&(here, there)| self.may_be_up(here, there));
        let links: Vec<_> = links.collect();
        if !self.faults.nodes.add(switch) {
            return;
        }
        // First of all, so that nothing of it strands as its entries empty.
        let observer = &mut self.observer;
        either!(&mut self.engine, it => it.lose_packets(observer, switch));
        for (here, there) in links {
            self.link_down(here, there);
        }
        either!(&mut self.engine, it => it.fail(&mut self.observer, switch));
    }

    /// Where tables are recomputed: all of them, by what is left, in this tick [choice].
    fn recompute(&mut self) {
        let network = self.faults.network.clone();
        let Some(hierarchy) = network.hierarchy().filter(|_| self.faults.recomputes) else {
            return;
        };
        let switches = network.switches() as u32;
        let live: Vec<u64> = (0..switches).map(|switch| self.live(switch)).collect();
        let of = |switch: u32| live[switch as usize];
        let found = hierarchy.recompute(network.graph(), network.vcs(), &of);
        let found = found.ok().filter(|found| found.is_free());
        if let Some(record) = self.faults.log.last_mut() {
            record.recomputed = Some(found.is_some());
        }
        let tables = match found {
            Some(found) => found.tables,
            None => hierarchy.prune(network.graph(), &of),
        };
        for (switch, &live) in (0..switches).zip(&live) {
            let table = &tables[switch as usize];
            let observer = &mut self.observer;
            either!(&mut self.engine, it => it.set_tables(observer, switch, table, live));
        }
    }

    /// Ports of a switch to other switches whose links are up, a bit each.
    fn live(&self, switch: u32) -> u64 {
        let graph = self.faults.network.graph();
        let switches = graph.switches();
        (0..graph.ports(switch) as u8)
            .map(PortId)
            .filter(|&port| {
                let here = Owner { element: ElementId(switch), port };
                let there = self.peer(here);
                there.is_some_and(|there| {
                    there.element.index() < switches && self.may_be_up(here, there)
                })
            })
            .fold(0, |set, port| set | 1 << port.0)
    }

    /// Whether both ends work.
    fn nodes_work(&self, here: Owner, there: Owner) -> bool {
        let works = |end: Owner| !self.faults.nodes.contains(&end.element.0);
        works(here) && works(there)
    }

    /// Whether nothing keeps a link down.
    fn may_be_up(&self, here: Owner, there: Owner) -> bool {
        let link = if before(here, there) { here } else { there };
        self.nodes_work(here, there) && !self.faults.links.contains(&link)
    }

    fn link_down(&mut self, here: Owner, there: Owner) {
        self.change_link(here, there, LinkState::Down);
    }

    fn link_up(&mut self, here: Owner, there: Owner) {
        self.change_link(here, there, LinkState::Up);
    }

    fn change_link(&mut self, here: Owner, there: Owner, state: LinkState) {
        self.set_link(here.element.0, here.port, state);
        for end in [here, there] {
            either!(&mut self.engine, it => it.port_changed(&mut self.observer, end, state));
        }
    }
}

/// Which end of a link names it.
fn before(here: Owner, there: Owner) -> bool {
    (here.element, here.port) < (there.element, there.port)
}
