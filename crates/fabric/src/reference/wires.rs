//! A wire: packets and control packets on their way to the port at which it ends.

use flow_control::Control;
use std::collections::VecDeque;
use switch::Packets;
use units::{ClassId, PacketId, Tick};

/// A credit packet on its way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Credit {
    pub(crate) due: Tick,
    pub(crate) cells: u32,
    pub(crate) class: ClassId,
}

/// One wire.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wire {
    pub(crate) packets: VecDeque<PacketId>,
    /// Apart: their stage at the receiver makes them later than a named packet sent after them.
    pub(crate) credits: VecDeque<Credit>,
    /// Other control packets, and when they arrive.
    pub(crate) named: VecDeque<(Tick, Control)>,
}

impl Wire {
    /// When the packet that arrives next does.
    #[inline]
    pub(crate) fn packet_due(&self, packets: &Packets) -> Option<Tick> {
        Some(packets[*self.packets.front()?].stored)
    }

    /// When anything arrives next; [`Tick::MAX`]: nothing is on it.
    pub(crate) fn next_due(&self, packets: &Packets) -> Tick {
        let packet = self.packet_due(packets).unwrap_or(Tick::MAX);
        let credit = self.credits.front().map_or(Tick::MAX, |credit| credit.due);
        let named = self.named.front().map_or(Tick::MAX, |(due, _)| *due);
        packet.min(credit).min(named)
    }

    /// Takes a credit packet that is due by `now`.
    #[inline]
    pub(crate) fn take_credit(&mut self, now: Tick) -> Option<Credit> {
        self.credits.pop_front_if(|credit| credit.due <= now)
    }

    /// Takes another control packet that is due by `now`.
    #[inline]
    pub(crate) fn take_named(&mut self, now: Tick) -> Option<Control> {
        self.named.pop_front_if(|(due, _)| *due <= now).map(|(_, control)| control)
    }

    /// Whether a control packet is on it.
    pub(crate) fn has_control(&self) -> bool {
        !self.credits.is_empty() || !self.named.is_empty()
    }

    /// What was told of faults over a wire that was cut does not arrive.
    pub(crate) fn forget_recovery(&mut self) {
        self.named.retain(|(_, control)| !matches!(control, Control::Recovery(_)));
    }
}
