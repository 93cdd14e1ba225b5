//! What a fabric says of itself between two ticks: its engine tells.

use super::Fabric;
use crate::engine::{Implementation, Running, either};
use hierarchy::TwoLevelTable;
use observe::{Observer, Outstanding, PortProbe, PortView, ReorderPeak, View};
use switch::RequestView;
use units::{PortId, Span, SwitchId, Unit, broken};

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

    /// Visits all that was generated before now and has not arrived: messages on their way into
    /// admittance, messages in admittance, packets in the network. Each once, in no order that
    /// means anything.
    pub(crate) fn outstanding(&self, visit: impl FnMut(Outstanding)) {
        either!(&self.engine, it => it.outstanding(visit));
    }

    /// Visits the replies that wait for their delay.
    pub(crate) fn replies_to_come(&self, visit: impl FnMut(Outstanding)) {
        either!(&self.engine, it => it.replies_to_come(visit));
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

    /// The longest that any head has requested, of normal queues and of SAQs, see
    /// [`switch::Switch::longest_waits`].
    pub(crate) fn longest_waits(&self) -> [Span; 2] {
        either!(&self.engine, it => it.longest_waits())
    }

    /// The longest waits are counted anew from the present tick on.
    pub(crate) fn forget_waits(&mut self) {
        either!(&mut self.engine, it => it.forget_waits());
    }

    /// The most that has waited in the reorder buffer of any one end node, where they have one.
    pub(crate) fn reorder_peak(&self) -> Option<ReorderPeak> {
        either!(&self.engine, it => it.reorder_peak())
    }

    /// How often a full input memory was an event of ECN so far, how often no marks were owed then,
    /// and the data packets that waited in these memories.
    pub(crate) fn marking_events(&self) -> [u64; 3] {
        either!(&self.engine, it => it.marking_events())
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
