//! Pause per VC in the place of credits (spec: pfc.md): what is stored of a VC at an input, the
//! word that waits for the link upstream, and at a sending port which VCs are closed. A closed one
//! has no credit, any other has all of it, and sending takes none.

use super::{Flat, Kind, Mode, NONE, T};
use flow_control::{Control, PauseRegister, PauseRule, PauseState, PauseWord};
use observe::{Event, Observer, Side};
use plan::{ConfigError, FabricConfig, Layouts, Params};
use std::collections::VecDeque;
use units::{Tick, VcId};

/// A word is queued so long before it is due: it starts a tick later at the earliest, and must have
/// come in the tick before the pause runs out.
const AHEAD: u64 = 2;

/// Registers of a VC at an input.
#[derive(Debug, Clone, Copy, Default)]
struct Receiver {
    /// Cells of packets whose heads are stored and whose tails have not left.
    cells: u32,
    register: PauseRegister,
    /// The word that waits for the link.
    waits: Option<PauseWord>,
}

/// Registers of a VC at a sending port.
#[derive(Debug, Clone, Copy, Default)]
struct Sender {
    state: PauseState,
    is_closed: bool,
}

/// A packet whose head has left an input.
#[derive(Debug, Clone, Copy)]
struct Leaving {
    /// Its tail has left when this tick begins.
    end: T,
    vc: u8,
    cells: u16,
}

/// All pauses of a fabric; of one with credits nothing.
#[derive(Debug, Default)]
pub(crate) struct Pauses {
    /// Links have pause in the place of credits.
    pub(crate) is_on: bool,
    rule: Option<PauseRule>,
    cell_bytes: u64,
    vcs: usize,
    /// By port: cells that a VC may take.
    shares: Vec<u32>,
    /// By port and VC.
    receivers: Vec<Receiver>,
    senders: Vec<Sender>,
    /// By port, by their ends.
    leaving: Vec<VecDeque<Leaving>>,
}

impl Pauses {
    /// Of a fabric with so many ports in which nothing is stored.
    ///
    /// # Errors
    /// Memories that cannot be, or that pause does not keep from overflowing.
    pub(crate) fn new(
        config: &FabricConfig,
        params: &Params,
        ports: usize,
    ) -> Result<Pauses, ConfigError> {
        let Some(pause) = &params.pause else {
            return Ok(Pauses::default());
        };
        let graph = config.network.graph();
        let layouts = Layouts { params, graph };
        let mut shares = vec![0; ports];
        for s in 0..graph.switches() as u32 {
            for port in 0..graph.ports(s) as u8 {
                let layout = layouts.ingress(s, port)?.unwrap_or_default();
                shares[graph.port_index(s, port)] = layout.cells / u32::from(params.vcs);
            }
        }
        let vcs = usize::from(params.vcs);
        Ok(Pauses {
            is_on: true,
            rule: Some(pause.rule),
            cell_bytes: params.config.cell_bytes.into(),
            vcs,
            shares,
            receivers: vec![Receiver::default(); ports * vcs],
            senders: vec![Sender::default(); ports * vcs],
            leaving: vec![VecDeque::new(); ports],
        })
    }

    fn rule(&self) -> PauseRule {
        self.rule.expect("a fabric with pause")
    }

    /// The tails that have left an input by the beginning of tick `t` free their cells.
    fn settle(&mut self, p: usize, t: T) {
        let rule = self.rule();
        while let Some(&left) = self.leaving[p].front().filter(|left| left.end <= t) {
            self.leaving[p].pop_front();
            let receiver = &mut self.receivers[p * self.vcs + usize::from(left.vc)];
            receiver.cells -= u32::from(left.cells);
            let stored = u64::from(receiver.cells) * self.cell_bytes;
            receiver.register.fall(stored, &rule);
        }
    }

    /// When the next tail has left an input, if a word may come of it.
    fn next_tail(&self, p: usize) -> Option<T> {
        let end = self.leaving[p].front()?.end;
        let mut vcs = self.receivers[p * self.vcs..][..self.vcs].iter();
        vcs.any(|vc| vc.register.is_wanted()).then_some(end)
    }

    /// By VC: cells that an input counts, those of packets that leave taken off.
    pub(crate) fn counted(&self, p: usize) -> impl Iterator<Item = u32> {
        let receivers = self.receivers[p * self.vcs..][..self.vcs].iter().enumerate();
        receivers.map(move |(vc, receiver)| {
            let leaving = self.leaving[p].iter().filter(|left| usize::from(left.vc) == vc);
            receiver.cells - leaving.map(|left| u32::from(left.cells)).sum::<u32>()
        })
    }

    /// Whether a sender is to stay paused until at most so many cells of the VC are left.
    pub(crate) fn wanted_down_to(&self, p: usize, vc: u16) -> Option<u32> {
        let wanted = self.receivers[p * self.vcs + usize::from(vc)].register;
        let down_to = (self.rule().xon() / self.cell_bytes) as u32;
        wanted.is_wanted().then_some(down_to)
    }
}

impl<M: Mode> Flat<M> {
    /// Step 5 of a port is asked for.
    fn ask_for_pause(&mut self, p: usize, at: T, t: T) {
        if at <= t {
            self.due[Kind::Pause as usize].push(p as u32);
        } else {
            self.wheel.put(at, Kind::Pause, p);
        }
    }

    fn ask_for_tail(&mut self, p: usize, t: T) {
        if let Some(end) = self.pauses.next_tail(p) {
            self.ask_for_pause(p, end - 1, t);
        }
    }

    /// Step 2: a packet is stored at an input.
    #[inline(never)]
    pub(crate) fn stored_where_paused(&mut self, p: usize, k: usize) {
        let packet = &self.packets.slots[k];
        let (t, vc) = (packet.stored, usize::from(packet.vc));
        let cells = packet.cells;
        let pauses = &mut self.pauses;
        pauses.settle(p, t);
        let rule = pauses.rule();
        let receiver = &mut pauses.receivers[p * pauses.vcs + vc];
        receiver.cells += u32::from(cells);
        let stored = receiver.cells;
        receiver.register.rise(u64::from(stored) * pauses.cell_bytes, &rule);
        let word = receiver.register.waiting(&rule, Tick(u64::from(t) + AHEAD));
        let says = word != receiver.waits;
        let share = pauses.shares[p];
        if stored > share {
            let what = format!("overflow: {stored} cells of VC {vc} in its share of {share}");
            self.broken(p, Side::Ingress, t, &what);
        }
        if says {
            self.ask_for_pause(p, t, t);
        }
    }

    /// Step 1: a packet leaves an input; its cells are free from tick `end` on.
    #[inline(never)]
    pub(crate) fn leaves_where_paused(
        &mut self,
        p: usize,
        (class, cells): (u16, u16),
        end: T,
        t: T,
    ) {
        let leaving = &mut self.pauses.leaving[p];
        let at = leaving.partition_point(|other| other.end <= end);
        let vc = class as u8;
        leaving.insert(at, Leaving { end, vc, cells });
        self.ask_for_tail(p, t);
    }

    /// Step 1: a word has started on the link of a port.
    pub(crate) fn hear_pause(&mut self, p: usize, word: PauseWord, vc: VcId, t: T) {
        let rule = self.pauses.rule();
        let receiver = &mut self.pauses.receivers[p * self.pauses.vcs + vc.index()];
        receiver.waits = None;
        receiver.register.send(word, Tick(t.into()));
        let quanta = rule.quanta().filter(|_| word == PauseWord::Pause);
        if let Some(due) = quanta.and(receiver.register.repeat(&rule)) {
            let at = T::try_from(due.0.saturating_sub(AHEAD)).unwrap_or(NONE);
            self.ask_for_pause(p, at, t);
        }
    }

    /// Step 4: a word has come to a sending port.
    pub(crate) fn hear(
        &mut self,
        observer: &mut impl Observer,
        p: usize,
        word: PauseWord,
        vc: VcId,
        t: T,
    ) {
        let (rule, now) = (self.pauses.rule(), Tick(t.into()));
        let sender = &mut self.pauses.senders[p * self.pauses.vcs + vc.index()];
        sender.state.hear(word, &rule, now);
        let closes = word == PauseWord::Pause;
        let changes = std::mem::replace(&mut sender.is_closed, closes) != closes;
        if let Some(due) = sender.state.due(now) {
            let at = T::try_from(due.0 - 1).unwrap_or(NONE);
            self.ask_for_pause(p, at, t);
        }
        if changes && closes {
            self.counters[self.port[p].credits as usize + vc.index()] = 0;
            let word = PauseWord::Pause;
            self.observe(observer, (p, Side::Egress), Event::Paused { vc, word }, t);
        } else if changes {
            self.go_on(observer, p, vc, t);
        }
        // With PAUSE too: a head that is overdue reserves its ports only while it has room.
        if changes && self.rare.is_iq && self.port[p].at_switch {
            self.ask_crossbar(self.port[p].element as usize, t + 1);
        }
    }

    /// A VC may send again.
    fn go_on(&mut self, observer: &mut impl Observer, p: usize, vc: VcId, t: T) {
        let port = &self.port[p];
        self.counters[port.credits as usize + vc.index()] = port.credit_cells;
        let word = PauseWord::Resume;
        self.observe(observer, (p, Side::Egress), Event::Paused { vc, word }, t);
        if self.port[p].eligible != 0 {
            let at = self.port[p].busy.max(t + 1);
            self.ask_link(p, at);
        }
    }

    /// Steps 4 and 5 of all that is due.
    pub(crate) fn pause_steps(&mut self, observer: &mut impl Observer, t: T) {
        while let Some(p) = self.due[Kind::Control as usize].pop() {
            self.controls(observer, p as usize, t);
        }
        let mut due = std::mem::take(&mut self.due[Kind::Pause as usize]);
        due.sort_unstable();
        due.dedup();
        for p in due.drain(..) {
            self.pause_step(observer, p as usize, t);
        }
        self.due[Kind::Pause as usize] = due;
    }

    /// Step 5: tails that leave in this tick, words that follow from what is stored, and pauses
    /// that run out.
    fn pause_step(&mut self, observer: &mut impl Observer, p: usize, t: T) {
        self.pauses.settle(p, t + 1);
        let (rule, first) = (self.pauses.rule(), p * self.pauses.vcs);
        for number in 0..self.pauses.vcs {
            let (vc, receiver) = (VcId(number as u8), &mut self.pauses.receivers[first + number]);
            let word = receiver.register.waiting(&rule, Tick(u64::from(t) + AHEAD));
            let back = std::mem::replace(&mut receiver.waits, word);
            if back == word {
                continue;
            }
            if let Some(back) = back {
                self.take_back(p, Control::Pause(back, vc));
            }
            if let Some(word) = word {
                self.push_control(observer, p, Control::Pause(word, vc), t);
            }
        }
        self.ask_for_tail(p, t);
        self.run_out(observer, p, t);
    }

    /// Pauses that have run out when the next tick begins.
    fn run_out(&mut self, observer: &mut impl Observer, p: usize, t: T) {
        let (next, first) = (Tick(u64::from(t) + 1), p * self.pauses.vcs);
        for number in 0..self.pauses.vcs {
            let sender = &mut self.pauses.senders[first + number];
            if !sender.is_closed || sender.state.is_paused(next) {
                continue;
            }
            sender.is_closed = false;
            self.go_on(observer, p, VcId(number as u8), t);
            if self.rare.is_iq && self.port[p].at_switch {
                self.ask_crossbar(self.port[p].element as usize, t + 1);
            }
        }
    }

    /// A control packet that waits for a link is taken back.
    fn take_back(&mut self, p: usize, control: Control) {
        let waiting = &mut self.recn.waiting[p];
        if let Some(at) = waiting.iter().position(|other| *other == control) {
            waiting.remove(at);
        }
        self.port[p].named = !self.recn.waiting[p].is_empty();
    }
}
