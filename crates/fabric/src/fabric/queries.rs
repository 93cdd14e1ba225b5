//! What a fabric says of itself between two ticks: its engine tells.

use super::Fabric;
use crate::engine::{Implementation, Running, either};
use hierarchy::TwoLevelTable;
use observe::{Observer, PortProbe, PortView, View};
use switch::RequestView;
use units::{PortId, SwitchId, Unit, broken};

impl<O: Observer> Fabric<O> {
    /// Visits every connected port, ingress before egress, switches before end nodes.
    pub fn probe(&mut self, visit: impl FnMut(PortProbe)) {
        either!(&mut self.engine, it => it.probe(visit));
    }

    /// A side of a port as the last simulated tick has left it; none for a whole switch or node.
    pub fn look(&mut self, unit: Unit) -> Option<PortView> {
        either!(&mut self.engine, it => it.look(unit))
    }

    /// Visits every head that requests the crossbar of its switch, by the registers of units.
    ///
    /// # Panics
    /// If this is the flat engine, which has none.
    pub fn requests(&self, visit: impl FnMut(SwitchId, RequestView)) {
        let Running::Reference(units) = &self.engine else {
            panic!("requests are registers of the units");
        };
        units.requests(visit);
    }

    /// Visits the tables of every ingress port that has two-level ones, as they are now.
    pub fn two_level_tables(&self, visit: impl FnMut(SwitchId, PortId, &TwoLevelTable)) {
        either!(&self.engine, it => it.two_level_tables(visit));
    }

    /// Looks at every memory cell by cell and at the credits of every link: for tests, every few
    /// hundred ticks.
    ///
    /// # Errors
    /// What is not where it must be.
    pub fn audit(&self) -> Result<(), String> {
        either!(&self.engine, it => it.audit())
    }

    /// Ticks in which the flat engine found anything to do, of all parts; `None` of the units.
    pub fn ticks_served(&self) -> Option<u64> {
        either!(&self.engine, it => it.ticks_served())
    }

    /// Threads that it asks the system for: those asked for, at most one a switch, one where the
    /// observer cannot be split, and no more than [`Fabric::limit_threads`] allows.
    pub fn threads(&self) -> usize {
        either!(&self.engine, it => it.threads())
    }

    /// Runs on at most so many threads from now on. Results do not depend on it.
    ///
    /// # Panics
    /// With 0 threads.
    pub fn limit_threads(&mut self, threads: usize) {
        assert!(threads > 0, "0 threads: legal is 1 or more");
        either!(&mut self.engine, it => it.limit_threads(threads));
    }

    /// Packets in the network: admitted and not yet ejected.
    pub fn packets_in_network(&self) -> usize {
        either!(&self.engine, it => it.packets_in_network())
    }

    /// The run is over: observers are told of messages that were generated before now and would
    /// enter admittance later. They count as generated and not refused. Returns their packets.
    pub(crate) fn offer_unadmitted(&mut self) -> u64 {
        let owners = either!(&self.engine, it => it.owners().clone());
        let view = View { now: self.now, owners: &owners };
        let mut packets = 0;
        for offered in either!(&self.engine, it => it.unadmitted()) {
            packets += u64::from(offered.packets);
            self.observer.offered(view, offered);
        }
        packets
    }

    /// Every packet generated and not delivered must be in admittance or in the network, or one of
    /// the `unadmitted`.
    pub(crate) fn check_conservation(&self, expected: u64, unadmitted: u64) {
        let (waiting, in_network) = either!(&self.engine, it => it.packets());
        let found = waiting + unadmitted + in_network;
        if found != expected {
            let what = format!(
                "conservation: {expected} packets generated and not delivered, {found} found"
            );
            broken(Unit::Switch { switch: 0 }, self.now, &what);
        }
    }

    /// Every packet delivered must have been answered by one ACK; every CNP must be somewhere.
    pub(crate) fn check_acks(&self, delivered: u64, acks_delivered: u64) {
        let (under_way, cnps_made) = either!(&self.engine, it => it.answers());
        let (what, delivered) = match cnps_made {
            Some(made) => ("CNPs made", made),
            None => ("packets delivered", delivered),
        };
        let found = acks_delivered + under_way;
        if found != delivered {
            let what = format!("{delivered} {what}, {found} answers found");
            broken(Unit::Switch { switch: 0 }, self.now, &what);
        }
    }
}
