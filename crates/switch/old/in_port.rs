//! An ingress port: memory, head registers, the transfer under way on its crossbar input.

use crate::env::{Env, Place};
use crate::heads::{Head, Memory};
use crate::params::{MemoryLayout, Params, short};
use crate::recn::{RecnPort, Rules};
use crate::requests::Class;
use saq::{Lease, QueueId};
use units::{Tick, Unit, broken};

/// A packet on the crossbar, until its cells are released.
#[derive(Debug)]
pub(crate) struct Transfer {
    pub(crate) lease: Lease,
    /// Its tail leaves in the tick before: its cells are free, their credit may go upstream.
    pub(crate) end: Tick,
    /// Class that it holds in this memory.
    pub(crate) class: u16,
}

/// One ingress port.
// In the order of use: the transfer; what every packet touches of the memory; the rest.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct InPort {
    pub(crate) transfer: Option<Transfer>,
    /// Name for observers.
    pub place: Place,
    /// SAQs.
    pub recn: Option<Box<RecnPort>>,
    pub(crate) normal: QueueId,
    /// No SAQ is in use here, as was seen last; [`crate::Switch::stir`] comes before one is.
    quiet: bool,
    /// `recn-dd-iq`: the PPU moves no packet before this tick.
    pub(crate) next_move: Tick,
    /// Port memory (MMU); without cells where the organisation has none.
    pub memory: Memory,
    /// Name in messages.
    pub unit: Unit,
    /// `recn-dd-iq`: packets in the cold queue, by output (CDU).
    pub(crate) cold_by_output: Box<[u32]>,
}

// Lines that a hop touches whole.
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::offset_of!(InPort, memory) == 64);

impl InPort {
    /// An empty port. `layout` is `None` where the organisation has no memory here.
    pub fn new(params: &Params, layout: Option<MemoryLayout>, unit: Unit, place: Place) -> InPort {
        let layout = layout.unwrap_or(MemoryLayout {
            cells: 0,
            queues: 0,
            classes: 0,
            class_cells: 0,
        });
        let saqs = if layout.queues > 0 { params.saqs() } else { 0 };
        let queues = (layout.queues + saqs) as usize;
        InPort {
            memory: Memory::with_registers(short(layout.cells), queues, saqs as usize, Head::NONE),
            recn: params.rules.filter(|_| saqs > 0).map(|rules| {
                Box::new(RecnPort::new(
                    saqs as usize,
                    layout.queues as QueueId,
                    rules,
                    rules.moves(),
                ))
            }),
            cold_by_output: vec![
                0;
                if params.rules.is_some_and(Rules::moves) {
                    64
                } else {
                    0
                }
            ]
            .into(),
            next_move: 0,
            normal: layout.queues as QueueId,
            transfer: None,
            quiet: true,
            unit,
            place,
        }
    }

    /// The tail of the last packet on the crossbar, if it has left before tick `now`: its cells are free. Returns class,
    /// cells and the tick from which on their credit may go upstream.
    #[inline(always)]
    pub(crate) fn end_transfer(&mut self, now: Tick) -> Option<(u16, u32, Tick)> {
        let Transfer { lease, end, class } = self.transfer.take_if(|t| t.end <= now)?;
        let cells = u32::from(lease.cells);
        if let Err(error) = self.memory.release(lease) {
            broken(self.unit, end - 1, &error);
        }
        Some((class, cells, end))
    }

    /// Asks for the record itself ahead of its use: a field of each cache line.
    #[inline(always)]
    pub fn prefetch(&self) {
        self.prefetch_transfer();
        prefetch::line(&self.memory);
    }

    /// Asks for the registers of the transfer.
    #[inline(always)]
    pub fn prefetch_transfer(&self) {
        prefetch::line(&self.transfer);
    }

    /// Asks for what the end of the transfer touches, if there is one.
    #[inline(always)]
    pub fn prefetch_memory(&self) {
        if self.transfer.is_some() {
            prefetch::line(&self.memory);
        }
    }

    /// Asks for the cells of the packet on the crossbar.
    #[inline(always)]
    pub fn prefetch_lease(&self) {
        if let Some(transfer) = &self.transfer {
            self.memory.prefetch_lease(&transfer.lease);
        }
    }

    /// Asks for the CAM, if it will be looked at.
    #[inline(always)]
    pub(crate) fn prefetch_cam(&self) {
        if let Some(recn) = self.recn.as_deref()
            && !self.quiet
        {
            prefetch::line(recn);
        }
    }

    /// The first queue of a class.
    #[inline(always)]
    pub(crate) fn first_of(&self, class: Class) -> usize {
        match class {
            Class::Normal => 0,
            Class::Saq => usize::from(self.normal),
        }
    }

    /// Class of a queue, and its number within the class.
    #[inline]
    pub(crate) fn class_of(&self, queue: QueueId, env: &impl Env) -> (Class, usize) {
        if env.is_plain() || queue < self.normal {
            (Class::Normal, usize::from(queue))
        } else {
            (Class::Saq, usize::from(queue - self.normal))
        }
    }

    /// Whether a head of `queue` may request: SAQs that are not ready or are blocked may not.
    #[inline]
    pub(crate) fn may_request(&self, queue: QueueId, env: &impl Env) -> bool {
        self.is_quiet(env) || self.recn.as_ref().is_none_or(|r| r.may_request(queue))
    }

    /// Whether no SAQ is in use here, as far as is known without looking. Only known where heads are stored late.
    #[inline(always)]
    pub(crate) fn is_quiet(&self, env: &impl Env) -> bool {
        env.is_plain() || env.stores_late() && self.quiet
    }

    /// SAQs may be in use here from now on: see [`crate::Switch::stir`].
    #[inline]
    pub(crate) fn end_quiet(&mut self) {
        self.quiet = false;
    }

    /// If no SAQ is in use here any more, heads may be stored late again.
    #[inline]
    pub(crate) fn look_for_quiet(&mut self, env: &mut impl Env) {
        if !self.quiet && self.recn.as_ref().is_none_or(|r| r.is_quiet()) {
            self.quiet = true;
            env.set_late(self.place.port, true);
        }
    }

    /// Whether a packet is on the crossbar in tick `now`.
    #[inline]
    pub fn is_busy(&self, now: Tick) -> bool {
        self.transfer.as_ref().is_some_and(|t| t.end > now)
    }

    /// Class and cells of the packet that is leaving over the crossbar.
    pub fn leaving(&self) -> Option<(u16, u32)> {
        self.transfer
            .as_ref()
            .map(|t| (t.class, u32::from(t.lease.cells)))
    }

    /// Everything is at home: no packet, no marker, no SAQ. Names what is not.
    pub fn left_over(&self) -> Option<String> {
        if self.memory.free_cells() != self.memory.pool_cells() {
            return Some(format!(
                "{}: {} cells in use",
                self.unit,
                self.memory.queued_cells() + self.memory.leased_cells()
            ));
        }
        let in_use = self.recn.as_ref()?.cam.in_use();
        (in_use > 0).then(|| format!("{}: {in_use} SAQs in use", self.unit))
    }
}
