//! The order of arrival in input memories, where the number of older packets that a younger one may
//! pass is bounded (spec: ecn.md).

use super::{Flat, Kind, Mode, NONE, T};
use observe::Observer;

/// Packets of input memories that have not started.
#[derive(Debug, Default)]
pub(crate) struct Bypass {
    /// There is a bound.
    pub(crate) is_on: bool,
    most: usize,
    /// By port, with their VCs, the oldest first. VCs have an order each.
    order: Vec<Vec<(u32, u8)>>,
}

impl Bypass {
    /// A packet may pass so many older ones of its VC; `None`: any number.
    pub(crate) fn new(most: Option<u32>, ports: usize) -> Bypass {
        let Some(most) = most else {
            return Bypass::default();
        };
        Bypass { is_on: true, most: most as usize, order: vec![Vec::new(); ports] }
    }

    /// A packet of a VC is stored.
    pub(crate) fn stored(&mut self, p: usize, k: usize, vc: u8) {
        self.order[p].push((k as u32, vc));
    }

    /// A packet starts, or is removed: the one of its VC that may go from now on, or [`NONE`].
    pub(crate) fn left(&mut self, p: usize, k: usize) -> u32 {
        let Some(order) = self.order.get_mut(p) else {
            return NONE;
        };
        let Some(at) = order.iter().position(|(other, _)| *other == k as u32) else {
            return NONE;
        };
        let (_, vc) = order.remove(at);
        let of_vc = |(_, other): &&(u32, u8)| *other == vc;
        if order[..at].iter().filter(of_vc).count() > self.most {
            // Removed, before it might go.
            return NONE;
        }
        let next = order.iter().filter(of_vc).nth(self.most);
        next.map_or(NONE, |(next, _)| *next)
    }

    /// Whether a packet may go before all of its VC that are older.
    fn may_go(&self, p: usize, k: u32) -> bool {
        let Some(order) = self.order.get(p) else {
            return true;
        };
        let Some(at) = order.iter().position(|(other, _)| *other == k) else {
            return true;
        };
        let older = order[..at].iter().filter(|(_, vc)| *vc == order[at].1);
        older.count() <= self.most
    }
}

impl<M: Mode> Flat<M> {
    /// Whether the head of an ingress queue may go before what is older.
    #[inline(always)]
    pub(crate) fn may_pass(&self, p: usize, record: usize) -> bool {
        !self.rare.extras || self.bypass.may_go(p, self.queues[record].head)
    }

    /// A packet may go from now on: if it is a head it requests, from the next tick on or as it
    /// becomes visible.
    #[inline(never)]
    pub(crate) fn passes(&mut self, observer: &mut impl Observer, p: usize, k: u32, t: T) {
        let first = self.port[p].ingress as usize;
        if self.has_saqs(p) {
            let mut queues = 0..self.ingress_queues(p);
            if let Some(queue) = queues.find(|queue| self.queues[first + queue].head == k) {
                self.refresh(p, queue, t);
            }
            return;
        }
        let queues = first..first + usize::from(self.port[p].ingress_queues);
        if let Some(record) = queues.into_iter().find(|&queue| self.queues[queue].head == k) {
            if self.rare.two_level {
                self.update_head(observer, record, t);
            }
            if let Some(head) = self.packets.slots.get_mut(self.queues[record].head as usize) {
                head.visible = head.visible.max(t + 1);
                self.wheel.put(head.visible, Kind::Head, record);
            }
        }
    }
}
