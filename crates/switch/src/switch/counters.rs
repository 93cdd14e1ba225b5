//! Q of each egress port: what two-level routing decides by (spec: rsi.md, LAR).

use hierarchy::LarCounter;
use units::{PortId, Tick};

/// Counters of the egress ports of a switch, cells. What is written in a tick is read from the next
/// on: ports that decide in one tick do not see each other.
#[derive(Debug)]
pub struct EgressCounters {
    kind: LarCounter,
    counts: Box<[u32]>,
    /// Written in tick `written`.
    fresh: Vec<(PortId, i32)>,
    written: Tick,
}

impl EgressCounters {
    /// All 0, of so many ports.
    pub fn new(kind: LarCounter, ports: usize) -> EgressCounters {
        EgressCounters {
            kind,
            counts: vec![0; ports].into(),
            fresh: Vec::with_capacity(4 * ports),
            written: Tick::ZERO,
        }
    }

    /// What they count.
    pub fn kind(&self) -> LarCounter {
        self.kind
    }

    /// A packet is assigned to a port, or, with less than no cells, is so no longer.
    pub fn assigned(&mut self, port: PortId, cells: i32, now: Tick) {
        if self.kind == LarCounter::Requests {
            self.write(port, cells, now);
        }
    }

    /// A head requests a port from now on, or, with less than no cells, no longer.
    pub fn requested(&mut self, port: PortId, cells: i32, now: Tick) {
        if self.kind == LarCounter::RequestsAndCredits {
            self.write(port, cells, now);
        }
    }

    fn write(&mut self, port: PortId, change: i32, now: Tick) {
        self.settle(now);
        self.written = now;
        self.fresh.push((port, change));
    }

    fn settle(&mut self, now: Tick) {
        if self.written < now {
            for (port, change) in self.fresh.drain(..) {
                let count = &mut self.counts[port.index()];
                *count = count
                    .checked_add_signed(change)
                    .expect("what is taken from a counter was added before");
            }
        }
    }

    /// What was written, that of the last tick included: for audits.
    pub fn written(&self) -> Vec<i64> {
        let mut counts: Vec<i64> = self.counts.iter().map(|&count| count.into()).collect();
        for &(port, change) in &self.fresh {
            counts[port.index()] += i64::from(change);
        }
        counts
    }

    /// What they count in tick `now`, by port, without credit.
    pub fn read(&mut self, now: Tick) -> &[u32] {
        self.settle(now);
        &self.counts
    }
}
