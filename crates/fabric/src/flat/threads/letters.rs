//! What parts of a fabric send each other: packets, credit and control packets over links that
//! lead from one part to another.

use super::Here;
use crate::flat::{Flat, Fly, Mode, NONE, Packet, T};
use flow_control::Control;
use hierarchy::Trip;
use observe::{Observer, Side};
use topology::Graph;

/// What one part has sent to another within a window, by ports there, in the order of sending.
#[derive(Debug)]
pub(crate) struct Letters {
    packets: Vec<(u32, Packet, Trip)>,
    credits: Vec<(u32, Fly)>,
    controls: Vec<(u32, T, Control)>,
}

impl Letters {
    /// None, with room for so many of each.
    pub(super) fn with_room(letters: usize) -> Letters {
        Letters {
            packets: Vec::with_capacity(letters),
            credits: Vec::with_capacity(letters),
            controls: Vec::with_capacity(letters),
        }
    }

    fn is_empty(&self) -> bool {
        self.packets.is_empty() && self.credits.is_empty() && self.controls.is_empty()
    }
}

/// What a part has sent to others within the present window.
#[derive(Debug)]
pub(crate) struct Post {
    pub(crate) here: Here,
    /// Ports of other parts, and the packets that go there. Their records stay until the window
    /// ends: a switch marks a packet, or writes into its header, after it has started.
    leaving: Vec<(u32, u32)>,
    /// By part.
    letters: Vec<Letters>,
    /// When the first of all this is due.
    earliest: T,
}

impl Post {
    /// Of a part that has sent nothing.
    pub(crate) fn new(here: &Here, graph: &Graph) -> Post {
        let all = here.letters(graph).into_iter();
        let letters: Vec<_> = all.skip(here.part as usize * here.parts).take(here.parts).collect();
        let room = letters.iter().map(|letters| letters.packets.capacity());
        Post {
            here: here.clone(),
            leaving: Vec::with_capacity(room.sum()),
            letters,
            earliest: NONE,
        }
    }
}

impl<M: Mode> Flat<M> {
    /// Whether a port is of this part.
    pub(crate) fn is_here(&self, p: usize) -> bool {
        self.part_of(p) == self.post.here.part as usize
    }

    /// The part of a port.
    pub(crate) fn part_of(&self, p: usize) -> usize {
        let port = &self.port[p];
        let at_switch = match port.at_switch {
            true => port,
            false => &self.port[port.peer as usize],
        };
        self.post.here.of(at_switch.element)
    }

    /// A packet is on its way to a port of another part.
    #[inline(never)]
    pub(crate) fn leave(&mut self, to: usize, k: usize) {
        // It may make its input timed: what is stored there ahead, from the next window on, is
        // events again then.
        let takes_back = M::EAGER && self.rare.saqs;
        let due = if takes_back { 0 } else { self.packets.slots[k].stored };
        let post = &mut self.post;
        post.earliest = post.earliest.min(due);
        post.leaving.push((to as u32, k as u32));
    }

    /// Credit is on its way to a port of another part.
    #[inline(never)]
    pub(crate) fn post_credit(&mut self, to: usize, fly: Fly) {
        let part = self.part_of(to);
        let post = &mut self.post;
        post.earliest = post.earliest.min(fly.due);
        post.letters[part].credits.push((to as u32, fly));
    }

    /// A control packet is on its way to a port of another part.
    pub(crate) fn post_control(&mut self, to: usize, due: T, control: Control) {
        let part = self.part_of(to);
        let post = &mut self.post;
        post.earliest = post.earliest.min(due);
        post.letters[part].controls.push((to as u32, due, control));
    }

    /// The window is over: `send` takes what there is for each part. The first tick at which
    /// anything is due here, or that was sent is due elsewhere.
    pub(super) fn close_window(&mut self, mut send: impl FnMut(usize, &mut Letters)) -> T {
        let mut leaving = std::mem::take(&mut self.post.leaving);
        for (to, k) in leaving.drain(..) {
            let trip = match self.rare.two_level {
                true => *self.two_level.trip(k as usize),
                false => Trip::default(),
            };
            let (part, packet) = (self.part_of(to as usize), self.packets.slots[k as usize]);
            self.post.letters[part].packets.push((to, packet, trip));
            self.packets.remove(k);
        }
        self.post.leaving = leaving;
        for (part, letters) in self.post.letters.iter_mut().enumerate() {
            if !letters.is_empty() {
                send(part, letters);
            }
        }
        let sent = std::mem::replace(&mut self.post.earliest, NONE);
        self.wheel.first(self.now).min(sent)
    }

    /// Takes in what another part has sent before now.
    pub(super) fn take_in(&mut self, observer: &mut impl Observer, letters: &mut Letters) {
        let now = self.now;
        for (p, mut packet, trip) in letters.packets.drain(..) {
            self.is_in_time(p, packet.stored);
            packet.size = self.size_of(packet.bytes);
            let k = self.packets.insert(packet) as usize;
            if self.rare.two_level {
                *self.two_level.trip(k) = trip;
            }
            self.go_to_switch(observer, p as usize, k, now - 1);
        }
        for (p, fly) in letters.credits.drain(..) {
            self.is_in_time(p, fly.due);
            self.credit_goes_to(p as usize, fly, now);
        }
        for (p, due, control) in letters.controls.drain(..) {
            self.is_in_time(p, due);
            self.control_goes_to(p as usize, due, control);
        }
    }

    fn is_in_time(&self, p: u32, due: T) {
        if due < self.now {
            self.broken(p as usize, Side::Ingress, due, "what comes over a cut link is late");
        }
    }
}
