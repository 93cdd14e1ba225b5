//! One port with its memory, and small numbers that distinguish the thresholds.

use flow_control::{Edge, Thresholds};
use recn::{Answer, Detection, Met, ProtocolError, RecnConfig, RecnPort, Rules, Version};
use saq::Mmu;
use turnpool::Point;
use units::{LineId, PacketId, PortId, QueueId, Span, Tick};

pub(crate) const NOW: Tick = Tick(100);
pub(crate) const LATER: Tick = Tick(1000);
pub(crate) const A: LineId = LineId(0);
pub(crate) const B: LineId = LineId(1);
pub(crate) const IN_0: PortId = PortId(0);
pub(crate) const IN_2: PortId = PortId(2);
pub(crate) const VERSIONS: [Version; 4] =
    [Version::Basic, Version::Enhanced, Version::Dd, Version::DdIq];

pub(crate) const NORMAL: QueueId = QueueId(0);

pub(crate) const SAQS: usize = 3;

pub(crate) fn config() -> RecnConfig {
    RecnConfig {
        saqs: SAQS as u8,
        detection_egress_packets: 3,
        detection_ingress_packets: 3,
        propagation_packets: 2,
        thresholds: Thresholds::new(5, 1, Edge::Reached).unwrap(),
        saq_timer: Span(10),
        retry: Span(20),
        xoff_repeat: Span(30),
        ppu_interval: Span(1),
        iq_egress_lines: false,
        root_xoff_packets: None,
    }
}

pub(crate) fn point(turns: &[u32]) -> Point {
    let step = |point: Point, &turn: &u32| point.prepend(turn, 3).unwrap();
    turns.iter().rev().fold(Point::EMPTY, step)
}

/// A port with `base` normal queues and three SAQs.
#[derive(Debug)]
pub(crate) struct Port {
    pub(crate) recn: RecnPort,
    pub(crate) memory: Mmu,
}

impl Port {
    pub(crate) fn new(version: Version, base: u16) -> Port {
        let rules = Rules::of(version);
        Port {
            recn: RecnPort::new(SAQS, QueueId(base), rules, rules.moves()),
            memory: Mmu::new(64, usize::from(base) + SAQS, SAQS),
        }
    }

    /// A port with a SAQ for `point`, made while its host was empty.
    pub(crate) fn with_saq(version: Version, point: Point) -> Port {
        let mut port = Port::new(version, 1);
        assert_eq!(port.set_aside(point, NOW), Answer::Accepted(A));
        port
    }

    pub(crate) fn full(version: Version) -> Port {
        let mut port = Port::new(version, 1);
        for turn in 0..SAQS as u32 {
            assert_ne!(port.set_aside(point(&[turn]), NOW), Answer::Refused);
        }
        port
    }

    /// Sets a point aside, in the way of its version.
    pub(crate) fn set_aside(&mut self, point: Point, now: Tick) -> Answer {
        let (recn, memory) = (&mut self.recn, &mut self.memory);
        if recn.rules().tokens {
            recn.notified(memory, point, NORMAL, false, now).unwrap()
        } else {
            let answer = recn.requested(memory, point, NORMAL, false, now);
            answer.unwrap().expect("a new point")
        }
    }

    pub(crate) fn notified(&mut self, point: Point, owned: bool) -> Result<Answer, ProtocolError> {
        self.recn.notified(&mut self.memory, point, NORMAL, owned, NOW)
    }

    /// Ingress detection for a point in the first detection queue.
    pub(crate) fn detected(&mut self, point: Point) -> Detection {
        let detection =
            self.recn.ingress_detection(&mut self.memory, NORMAL, point, NOW, &config());
        detection.unwrap()
    }

    /// An internal Xoff or Xon.
    pub(crate) fn met(
        &mut self,
        point: Point,
        xoff: bool,
        last: bool,
    ) -> Result<Met, ProtocolError> {
        self.recn.internal_flow(&mut self.memory, point, xoff, last, NORMAL, NOW)
    }

    pub(crate) fn queue(&self, line: LineId) -> QueueId {
        self.recn.queue(line)
    }

    /// Stores packets, without FCU or CDU.
    pub(crate) fn fill(&mut self, queue: QueueId, packets: u32) {
        for packet in 0..packets {
            self.memory.push(queue, PacketId(packet), 1).unwrap();
        }
    }

    pub(crate) fn leave(&mut self, queue: QueueId) -> bool {
        let lease = self.memory.pop(queue).unwrap();
        self.memory.release(lease).unwrap();
        self.recn.head_left(&self.memory, queue)
    }

    /// Step 6 of the commit: the lines that became ready.
    pub(crate) fn settle(&mut self) -> Vec<usize> {
        let ready = self.recn.settle_marked(&mut self.memory, false);
        units::bits::ones(ready.unwrap()).collect()
    }

    /// Step 7 of the commit: the lines that are freed.
    pub(crate) fn free(&mut self, now: Tick) -> Vec<LineId> {
        let mut checks = self.recn.take_checks(false);
        let config = config();
        let next = || {
            let freed = self.recn.free_next(&self.memory, &mut checks, now, &config);
            freed.unwrap().map(|freed| freed.line)
        };
        std::iter::from_fn(next).collect()
    }
}
