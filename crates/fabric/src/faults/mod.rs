//! Links, nodes and tables that fail, change and recover between two ticks (spec: rsi.md, Fault
//! discovery).

mod random;
pub(crate) mod seen;

use crate::engine::{Faultable, Implementation, Running, either};
use crate::fabric::Fabric;
use observe::{Observer, Owner};
use plan::{FabricConfig, FaultEvent, FaultTables, FaultTarget, LinkState, RouteTable};
use random::events;
use seen::Seen;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use topology::{Endpoint, Network};
use units::{ElementId, PortId, Span, Tick};

/// What comes, and what has failed.
#[derive(Debug)]
pub(crate) struct Faults {
    pending: VecDeque<FaultEvent>,
    /// What has failed, a link by the lower of its two ends, and how many causes keep it down: one
    /// at a given time and one at random may overlap.
    causes: BTreeMap<FaultTarget, u32>,
    log: Vec<FaultRecord>,
    network: Arc<Network>,
    recomputes: bool,
    notice: Span,
    /// Something may have been lost or stranded: a link or table was changed.
    disturbed: bool,
}

/// A fault, and what came of it until the next one, be that in the same tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FaultRecord {
    pub(crate) event: FaultEvent,
    /// Before the next fault; the last change is the fault itself if no entry changed.
    pub(crate) seen: Seen,
    /// Where tables are recomputed: they were used. Else they could deadlock, or need more VCs, and
    /// the configured ones less what leads nowhere are.
    pub(crate) recomputed: Option<bool>,
}

impl Faults {
    /// All that will happen.
    pub(crate) fn new(config: &FabricConfig) -> Faults {
        let mut events = events(config);
        events.sort_unstable();
        Faults {
            pending: events.into(),
            causes: BTreeMap::new(),
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

    /// The next tick in which end nodes hear of what is lost; never while nothing can be.
    pub(crate) fn next_notice(&self, now: Tick) -> Tick {
        if !self.disturbed {
            return Tick::MAX;
        }
        Tick((now.0 / self.notice.0).saturating_add(1).saturating_mul(self.notice.0))
    }

    /// One more cause keeps this down. Whether it is the first.
    fn add(&mut self, target: FaultTarget) -> bool {
        let causes = self.causes.entry(target).or_default();
        *causes += 1;
        *causes == 1
    }

    /// One less. Whether it was the last.
    fn remove(&mut self, target: FaultTarget) -> bool {
        let Some(causes) = self.causes.get_mut(&target) else {
            return false;
        };
        *causes -= 1;
        *causes == 0 && self.causes.remove(&target).is_some()
    }

    /// Whether both ends of a link work.
    fn nodes_work(&self, here: Owner, there: Owner) -> bool {
        let node = |end: Owner| FaultTarget::Node { switch: end.element.0 };
        !self.causes.contains_key(&node(here)) && !self.causes.contains_key(&node(there))
    }

    /// Whether nothing keeps a link down.
    fn may_be_up(&self, here: Owner, there: Owner) -> bool {
        self.nodes_work(here, there) && !self.causes.contains_key(&link(here, there))
    }
}

impl<O: Observer> Fabric<O> {
    /// The link behind a port of a switch, both ways. As it goes down the packets on the wire are
    /// lost, and credit; the two ends agree on their credit again. While it is down nothing starts
    /// on it, and heads that want it wait. Nothing is lost where it is down already.
    ///
    /// # Panics
    /// If nothing is connected there, or this is the flat engine without configured faults.
    pub fn set_link(&mut self, switch: u32, port: PortId, state: LinkState) {
        let ends = self.ends(switch, port);
        either!(&mut self.engine, it => it.faultable().set_link(&mut self.observer, ends, state));
        self.faults.disturbed = true;
    }

    /// The table of an ingress port of a switch is another one from now on, and so is what is
    /// looked ahead for behind the link that ends there. Where it leads a packet nowhere, that is
    /// stranded as it comes to the head of its queue: removed, and counted.
    ///
    /// # Panics
    /// If nothing is connected there, switches do not route by tables, or the table has not one
    /// entry for each node, or leads to ports that are not connected; or this is the flat engine.
    pub fn set_table(&mut self, switch: u32, port: PortId, table: &Arc<RouteTable>) {
        let ends = self.ends(switch, port);
        let Running::Reference(units) = &mut self.engine else {
            panic!("s{switch}: a table is changed in the units");
        };
        units.set_table(&mut self.observer, ends, table);
        self.faults.disturbed = true;
    }

    /// Both ends of the link at a port of a switch.
    fn ends(&self, switch: u32, port: PortId) -> (Owner, Owner) {
        let element = ElementId(switch);
        let here = Owner { element, port };
        let there = self.peer(here);
        let there = there.unwrap_or_else(|| panic!("s{switch}.p{port}: nothing is connected"));
        (here, there)
    }

    /// The port at the other end of a link.
    fn peer(&self, here: Owner) -> Option<Owner> {
        let graph = self.faults.network.graph();
        match graph.peer(here.element.0, here.port.0) {
            Endpoint::Node(node) => {
                let element = ElementId::at(graph.switches() + node as usize);
                Some(Owner { element, port: PortId(0) })
            }
            Endpoint::Port { switch, port } => {
                Some(Owner { element: ElementId(switch), port: PortId(port) })
            }
            Endpoint::None => None,
        }
    }

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
                seen: Seen { changed: event.at, ..Seen::default() },
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
        let seen = either!(&mut self.engine, it => it.faultable().take_seen());
        if let Some(record) = self.faults.log.last_mut() {
            let so_far = &mut record.seen;
            so_far.changed = so_far.changed.max(seen.changed);
            so_far.messages += seen.messages;
            so_far.lost += seen.lost;
            so_far.stranded += seen.stranded;
        }
    }

    /// Every fault so far, and what came of it.
    pub(crate) fn fault_log(&mut self) -> &[FaultRecord] {
        self.close_record();
        &self.faults.log
    }

    fn fault_of_link(&mut self, here: Owner, recovers: bool) {
        let Some(there) = self.peer(here) else { return };
        let link = link(here, there);
        if recovers {
            if self.faults.remove(link) && self.faults.may_be_up(here, there) {
                self.change_link(here, there, LinkState::Up);
            }
        } else if self.faults.add(link) && self.faults.nodes_work(here, there) {
            self.change_link(here, there, LinkState::Down);
        }
    }

    fn fault_of_node(&mut self, switch: u32, recovers: bool) {
        let node = FaultTarget::Node { switch };
        if recovers {
            if self.faults.remove(node) {
                for (here, there) in self.links_up(switch) {
                    self.change_link(here, there, LinkState::Up);
                }
            }
            return;
        }
        let links = self.links_up(switch);
        if !self.faults.add(node) {
            return;
        }
        // First of all, so that nothing of it strands as its entries empty.
        either!(&mut self.engine, it => it.faultable().lose_packets(&mut self.observer, switch));
        for (here, there) in links {
            self.change_link(here, there, LinkState::Down);
        }
        either!(&mut self.engine, it => it.faultable().fail(&mut self.observer, switch));
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
        if let Some(record) = self.faults.log.last_mut() {
            record.recomputed = Some(found.is_some());
        }
        let tables = found.unwrap_or_else(|| hierarchy.prune(network.graph(), &of));
        for (switch, &live) in (0..switches).zip(&live) {
            let table = &tables[switch as usize];
            let observer = &mut self.observer;
            either!(&mut self.engine, it => it.faultable().set_tables(observer, switch, table, live));
        }
    }

    /// Ports of a switch to other switches whose links are up, a bit each.
    fn live(&self, switch: u32) -> u64 {
        let switches = self.faults.network.switches();
        let links = self.links_up(switch).into_iter();
        let between = links.filter(|(_, there)| there.element.index() < switches);
        between.fold(0, |set, (here, _)| set | 1 << here.port.0)
    }

    /// The links of a switch that nothing keeps down, by its ends of them.
    fn links_up(&self, switch: u32) -> Vec<(Owner, Owner)> {
        (0..self.faults.network.graph().ports(switch))
            .map(|port| Owner { element: ElementId(switch), port: PortId(port as u8) })
            .filter_map(|here| Some((here, self.peer(here)?)))
            .filter(|&(here, there)| self.faults.may_be_up(here, there))
            .collect()
    }

    fn change_link(&mut self, here: Owner, there: Owner, state: LinkState) {
        self.set_link(here.element.0, here.port, state);
        for end in [here, there] {
            either!(&mut self.engine, it => it.faultable().port_changed(&mut self.observer, end, state));
        }
    }
}

/// A link, by the lower of its two ends.
fn link(here: Owner, there: Owner) -> FaultTarget {
    let Owner { element, port } = here.min(there);
    FaultTarget::Link { switch: element.0, port: port.0 }
}
