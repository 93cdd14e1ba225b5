//! Which engine runs a fabric, and what both implementations do.

use crate::faults::seen::Seen;
use crate::flat::{Eager, Parts, Plain, Saqs, Timed};
use crate::reference::Reference;
use crate::watch::{RunError, Watch};
use hierarchy::TwoLevelTable;
use observe::{
    Observer, Offered, Outstanding, Owner, PacketKind, PacketView, PortProbe, PortView, ReorderPeak,
};
use plan::LinkState;
use std::num::NonZeroUsize;
use std::sync::Arc;
use units::{PortId, Span, SwitchId, Tick, Unit};
use workload::Given;

/// Which engine runs a fabric. Results are byte-identical.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Engine {
    /// The flat engine, on one thread.
    #[default]
    Fast,
    /// [`Engine::Fast`] on up to this many threads, at most one a switch. It is one with an
    /// observer that cannot be split ([`observe::Observer::fork`]), and with faults: recovery reads
    /// both ends of a link.
    Parallel(NonZeroUsize),
    /// The units of the hardware, each visited when anything may happen there.
    Reference,
    /// The units, all visited on every tick, in an order drawn from a seed.
    Shuffled(u64),
}

impl Engine {
    /// Threads that it asks for.
    pub(crate) fn threads(self) -> usize {
        match self {
            Engine::Parallel(threads) => threads.get(),
            Engine::Fast | Engine::Reference | Engine::Shuffled(_) => 1,
        }
    }
}

/// One of the two engines: runs a fabric, and says what it looks like between two ticks. Who holds
/// one matches on [`Running`], so that hooks of observers are plain calls.
pub(crate) trait Implementation {
    /// Simulates up to, not including, tick `end`, each part with its observer.
    fn run_until<'a, O: Observer + 'a>(
        &mut self,
        observers: impl Iterator<Item = &'a mut O>,
        end: Tick,
    );

    /// A message of a trace is given to its source, before tick `now`.
    fn give_message(&mut self, message: Given, now: Tick);

    /// The run is over: stores that an observer was told ahead of the end are taken back.
    fn end<'a, O: Observer + 'a>(&self, _observers: impl Iterator<Item = &'a mut O>) {}

    /// A look of the watchdog.
    ///
    /// # Errors
    /// Deadlock, standstill or livelock.
    fn look_at(&mut self, watch: &mut Watch) -> Result<(), RunError>;

    /// Whether anything is on its way or to come, or a closed loop will hear of a message that is
    /// gone and go on; and the first thing that is not at home.
    fn at_home(&mut self) -> (bool, Option<String>);

    /// Threads that it asks the system for.
    fn threads(&self) -> usize {
        1
    }

    /// Runs on at most so many threads from now on.
    fn limit_threads(&mut self, _threads: usize) {}

    /// Ticks in which there was anything to do, of all parts, where they are counted.
    fn ticks_served(&self) -> Option<u64> {
        None
    }

    /// Whose ports they are, by wire.
    fn owners(&self) -> &Arc<[Owner]>;

    /// Packets in the network: admitted and not yet ejected.
    fn packets_in_network(&self) -> usize;

    /// Packets of messages in admittance, and packets in the network, answers of ECN not counted.
    fn packets(&self) -> (u64, u64);

    /// Answers of ECN in the network and before injection; CNPs made, where there are any.
    fn answers(&self) -> (u64, Option<u64>);

    /// How often a full input memory was an event of ECN so far, how often no marks were pending
    /// then, and the data packets that waited in these memories.
    fn marking_events(&self) -> [u64; 3];

    /// The most that has waited in the reorder buffer of any one end node, where they have one.
    fn reorder_peak(&self) -> Option<ReorderPeak>;

    /// The longest that any head has requested, of normal queues and of SAQs.
    fn longest_waits(&self) -> [Span; 2];

    /// The longest waits are counted anew from the present tick on.
    fn forget_waits(&mut self);

    /// Visits all that was generated before now and has not arrived, in admittance, on its way
    /// there or in the network. Each once, in no order that means anything.
    fn outstanding(&self, visit: impl FnMut(Outstanding));

    /// Visits the replies that wait for their delay.
    fn replies_to_come(&self, visit: impl FnMut(Outstanding));

    /// Messages generated before now that would enter admittance later, by their generation.
    fn unadmitted(&self) -> Vec<Offered>;

    /// See [`crate::Fabric::audit`].
    fn audit(&self) -> Result<(), String>;

    /// See [`crate::Fabric::probe`].
    fn probe(&mut self, visit: impl FnMut(PortProbe));

    /// See [`crate::Fabric::look`].
    fn look(&mut self, unit: Unit) -> Option<PortView>;

    /// What links and nodes fail in.
    fn faultable(&mut self) -> &mut impl Faultable;

    /// See [`crate::Fabric::two_level_tables`].
    fn two_level_tables(&self, visit: impl FnMut(SwitchId, PortId, &TwoLevelTable));
}

/// What happens to an engine between two ticks, where links and nodes fail.
pub(crate) trait Faultable {
    /// The link between two ports goes down or comes up, both ways. As it goes down what is on the
    /// wire is lost, and the two ends agree on their credit again.
    fn set_link(&mut self, observer: &mut impl Observer, ends: (Owner, Owner), state: LinkState);

    /// The switch at an end of a link that has gone down or come up hears of it.
    fn port_changed(&mut self, observer: &mut impl Observer, end: Owner, state: LinkState);

    /// A switch fails, before its links go down: what is in its memories is lost.
    fn lose_packets(&mut self, observer: &mut impl Observer, switch: u32);

    /// A switch has failed; its links are down.
    fn fail(&mut self, observer: &mut impl Observer, switch: u32);

    /// All tables of a switch, and the links that are up, are these from now on.
    fn set_tables(
        &mut self,
        observer: &mut impl Observer,
        switch: u32,
        table: &TwoLevelTable,
        live: u64,
    );

    /// Sources with closed loops hear of what was lost or stranded, and reorder buffers wait for it
    /// no longer: in every multiple of `faults.notice_ns` [choice], a timeout without its packets.
    fn notify_sources(&mut self, observer: &mut impl Observer);

    /// What has happened since the last fault.
    fn take_seen(&mut self) -> Seen;
}

/// The engine of a fabric; the flat one in one of its modes.
pub(crate) enum Running {
    Reference(Box<Reference>),
    Plain(Box<Parts<Plain>>),
    Saqs(Box<Parts<Saqs>>),
    Eager(Box<Parts<Eager>>),
    Timed(Box<Parts<Timed>>),
}

/// The same of each [`Implementation`].
macro_rules! either {
    ($engine:expr, $it:ident => $what:expr) => {
        match $engine {
            $crate::engine::Running::Reference($it) => $what,
            $crate::engine::Running::Plain($it) => $what,
            $crate::engine::Running::Saqs($it) => $what,
            $crate::engine::Running::Eager($it) => $what,
            $crate::engine::Running::Timed($it) => $what,
        }
    };
}

pub(crate) use either;

/// A message that has not arrived, or part of it.
#[inline(always)]
pub(crate) fn of_message(message: Offered) -> Outstanding {
    Outstanding {
        source: message.source,
        destination: message.destination,
        group: message.group,
        kind: message.kind,
        born: message.born,
        asked: message.asked,
        is_message: true,
        injected: None,
    }
}

/// A packet in the network; none of ECN's answers, for which nobody waits.
#[inline(always)]
pub(crate) fn of_packet(packet: PacketView) -> Option<Outstanding> {
    let is_answer = matches!(packet.kind, PacketKind::Ack | PacketKind::Cnp);
    (!is_answer).then(|| Outstanding {
        source: packet.source,
        destination: packet.destination,
        group: packet.group,
        kind: packet.kind,
        born: packet.born,
        asked: packet.asked,
        is_message: packet.last,
        // Nothing starts in tick 0: the stages of admittance take one at least.
        injected: (packet.injected > Tick::ZERO).then_some(packet.injected),
    })
}

/// The larger of two, packets and bytes apart.
pub(crate) fn larger(a: ReorderPeak, b: ReorderPeak) -> ReorderPeak {
    ReorderPeak { packets: a.packets.max(b.packets), bytes: a.bytes.max(b.bytes) }
}
