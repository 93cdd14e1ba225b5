//! The wires: packets and control packets on their way, by the port at which they will arrive.

use flow_control::Control;
use std::collections::VecDeque;
use switch::{Fifo, PacketId, Packets};
use units::Tick;

/// The element and the port that a dense port number stands for. Elements: switches first, then end nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owner {
    /// Element number.
    pub element: u32,
    /// Port of the element; 0 for an end node.
    pub port: u8,
}

/// Everything on wires.
#[derive(Debug, Clone, Default)]
pub struct Wires {
    /// Whose port it is.
    pub owners: Vec<Owner>,
    packets: Vec<Fifo>,
    /// Credits apart from the others: their stage at the receiver may let them overtake nothing of their own kind only.
    credits: Vec<VecDeque<(Tick, Control)>>,
    named: Vec<VecDeque<(Tick, Control)>>,
}

impl Wires {
    /// Wires that end at these ports.
    pub fn new(owners: Vec<Owner>) -> Wires {
        let ports = owners.len();
        Wires {
            owners,
            packets: vec![Fifo::default(); ports],
            credits: vec![VecDeque::new(); ports],
            named: vec![VecDeque::new(); ports],
        }
    }

    /// Puts a packet on the wire to `to`.
    #[inline]
    pub fn send(&mut self, to: u32, packets: &mut Packets, id: PacketId) {
        self.packets[to as usize].push(packets, id);
    }

    /// When the next packet is due at `at`.
    #[inline]
    pub fn packet_due(&self, at: u32, packets: &Packets) -> Option<Tick> {
        self.packets[at as usize].due(packets)
    }

    /// Takes the packet that arrives next at `at`.
    #[inline]
    pub fn take(&mut self, at: u32, packets: &Packets) -> Option<PacketId> {
        self.packets[at as usize].pop(packets)
    }

    /// Puts a control packet on the wire to `to`.
    #[inline]
    pub fn send_control(&mut self, to: u32, due: Tick, control: Control) {
        let wire = if control.is_named() {
            &mut self.named
        } else {
            &mut self.credits
        };
        wire[to as usize].push_back((due, control));
    }

    /// Takes a control packet that is due at `at` by `now`.
    #[inline]
    pub fn take_control(&mut self, at: u32, now: Tick) -> Option<Control> {
        for wire in [&mut self.credits[at as usize], &mut self.named[at as usize]] {
            if wire.front().is_some_and(|&(due, _)| due <= now) {
                return wire.pop_front().map(|(_, control)| control);
            }
        }
        None
    }

    /// Control packets on all wires.
    pub fn control_packets(&self) -> usize {
        self.credits
            .iter()
            .chain(&self.named)
            .map(VecDeque::len)
            .sum()
    }
}
