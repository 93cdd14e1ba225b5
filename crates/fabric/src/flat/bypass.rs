//! Input memories in which a packet may pass a bounded number of older ones of its VC (spec:
//! ecn.md).

use super::Flat;
use super::wheel::{Kind, NONE, T};

/// The order of arrival in each input memory.
#[derive(Debug, Default)]
pub(crate) struct Bypass {
    pub(crate) is_on: bool,
    /// A packet may pass so many older ones.
    most: usize,
    vcs: usize,
    /// By port and VC: packets that have not started, the oldest first.
    order: Vec<Vec<u32>>,
}

impl Bypass {
    /// For so many ports with so many VCs; without a bound nothing.
    pub(crate) fn new(most: Option<u32>, ports: usize, vcs: u8) -> Bypass {
        let Some(most) = most else {
            return Bypass::default();
        };
        let vcs = usize::from(vcs);
        Bypass {
            is_on: true,
            most: most as usize,
            vcs,
            order: vec![Vec::new(); ports * vcs],
        }
    }

    /// Whether a packet may go before all of its VC that are older.
    fn may_go(&self, p: usize, vc: usize, k: u32) -> bool {
        let order = &self.order[p * self.vcs + vc];
        let first = order.len().min(self.most.saturating_add(1));
        order[..first].contains(&k)
    }
}

impl<const EAGER: bool> Flat<EAGER> {
    /// Whether the head of an ingress queue would pass more older packets than it may.
    pub(crate) fn is_behind(&self, p: usize, queue: usize) -> bool {
        let port = &self.port[p];
        let head = self.queues[port.ingress as usize + queue].head;
        let vc = queue / usize::from(port.ingress_of_vc);
        head != NONE && !self.bypass.may_go(p, vc, head)
    }

    /// A packet is stored at an input.
    pub(crate) fn stored_where_bounded(&mut self, p: usize, k: usize) {
        let vc = usize::from(self.packets.slots[k].vc);
        self.bypass.order[p * self.bypass.vcs + vc].push(k as u32);
    }

    /// A packet has left an ingress queue: another may go now. Whether the next of the queue may.
    pub(crate) fn left_where_bounded(&mut self, p: usize, record: usize, k: usize, t: T) -> bool {
        let port = &self.port[p];
        let (first, queue) = (port.ingress as usize, record - port.ingress as usize);
        let vc = queue / usize::from(port.ingress_of_vc);
        let order = &mut self.bypass.order[p * self.bypass.vcs + vc];
        let at = order.iter().position(|&other| other == k as u32);
        order.remove(at.expect("a packet that was stored"));
        let Some(&next) = order.get(self.bypass.most) else {
            return !self.is_behind(p, queue);
        };
        // It was behind until now.
        let queues = usize::from(port.ingress_queues);
        let mut queues = first..first + queues;
        if let Some(other) = queues.find(|&other| self.queues[other].head == next)
            && other != record
        {
            let head = &mut self.packets.slots[next as usize];
            head.visible = head.visible.max(t + 1);
            self.wheel.put(head.visible, Kind::Head, other);
            if self.two_level.is_on {
                self.head_rises(other, t);
            }
        }
        !self.is_behind(p, queue)
    }
}
