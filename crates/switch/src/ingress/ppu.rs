//! PPU: separates congested flows. On `cioq` an arriving packet goes to the SAQ of the longest
//! match; with a cold queue (`recn-dd-iq`) it is moved there from the head of that queue.

use recn::RecnPort;
use turnpool::Route;
use units::{QueueId, Span, Tick};

/// The cold queue.
pub const COLD: QueueId = QueueId(0);

/// The packet processing unit of one ingress port.
///
/// ```
#[doc = include_str!("../of_examples.txt")]
/// let mut recn = RecnPort::new(1, QueueId(1), Rules::of(Version::Enhanced), false);
/// let mut memory = saq::Mmu::<()>::new(64, 2, 1);
/// recn.notified(&mut memory, point, QueueId(0), true, Tick(0))?;
/// let route = packet(&[5, 1]).route;
/// // `recn`: what matches a line is stored in its SAQ.
/// let ppu = Ppu::new(None);
/// assert_eq!(ppu.saq_on_arrival(Some(&recn), &route), Some(QueueId(1)));
/// assert_eq!(ppu.saq_on_arrival(Some(&recn), &packet(&[4]).route), None);
/// // `recn-dd-iq`: all are stored in the cold queue, and moved from its head.
/// let ppu = Ppu::new(Some(Span(7)));
/// assert!(ppu.has_cold_queue() && ppu.saq_on_arrival(Some(&recn), &route).is_none());
/// assert_eq!(ppu.saq_of_head(Some(&recn), COLD, &route), Some(QueueId(1)));
/// # Ok::<(), recn::ProtocolError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Ppu {
    /// Between two moves; `None` without a cold queue.
    interval: Option<Span>,
    /// No packet is moved before this tick.
    next_move: Tick,
}

impl Ppu {
    /// Steers arrivals, or with `interval` moves a packet from the cold queue in that time.
    pub fn new(interval: Option<Span>) -> Ppu {
        Ppu { interval: interval.map(|span| span.max(Span::TICK)), next_move: Tick::ZERO }
    }

    /// Whether arrivals go to a cold queue.
    pub fn has_cold_queue(&self) -> bool {
        self.interval.is_some()
    }

    /// SAQ of the longest match for an arriving packet, by the CAM as committed.
    pub fn saq_on_arrival(&self, recn: Option<&RecnPort>, route: &Route) -> Option<QueueId> {
        let recn = recn.filter(|_| !self.has_cold_queue())?;
        recn.cam().lookup(route).map(|line| recn.queue(line))
    }

    /// SAQ into which the packet at the head of `queue` is to be moved.
    pub fn saq_of_head(
        &self,
        recn: Option<&RecnPort>,
        queue: QueueId,
        route: &Route,
    ) -> Option<QueueId> {
        if !self.has_cold_queue() || queue != COLD {
            return None;
        }
        let recn = recn.filter(|r| r.cam().in_use() > 0)?;
        recn.cam().lookup(route).map(|line| recn.queue(line))
    }

    /// The first tick from `at` on in which it may move a packet.
    pub fn may_move_from(&self, at: Tick) -> Tick {
        at.max(self.next_move)
    }

    /// It moves a packet now.
    pub fn moved(&mut self, now: Tick) {
        self.next_move = now + self.interval.unwrap_or(Span::TICK);
    }
}
