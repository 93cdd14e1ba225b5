//! Head registers, and what an arbiter finds among them: the crossbar's ([`mod@crate::scheduler`]) and the link's
//! ([`mod@crate::out_port::link_arbiter`]).

use crate::packet::Packet;
use saq::{Mmu, QueueId};
use units::Tick;

/// "Requests nothing".
pub(crate) const NO_OUTPUT: u8 = u8::MAX;

/// Register of the head of a queue, as an arbiter sees it.
#[derive(Debug, Clone, Copy)]
pub struct Head {
    /// From this tick on; at an ingress queue of a switch also since when this packet is at the
    /// head and may request.
    pub(crate) visible: Tick,
    /// Class and cells that it takes in the next memory.
    pub(crate) class: u16,
    pub(crate) cells: u16,
    /// Output that an ingress queue requests.
    pub(crate) output: u8,
}

impl Head {
    /// Of a queue that requests nothing.
    pub(crate) const NONE: Head = Head {
        visible: 0,
        class: 0,
        cells: 0,
        output: NO_OUTPUT,
    };

    #[inline]
    pub(crate) fn of(packet: &Packet) -> Head {
        Head {
            visible: packet.due,
            class: packet.class,
            cells: packet.cells,
            output: packet.output,
        }
    }
}

// With the record of its queue in one cache line.
const _: () = assert!(size_of::<Head>() <= 16);

/// A port memory, with the head register of each queue beside it.
pub type Memory = Mmu<Head>;

/// What is found among the heads that request the same.
pub(crate) struct Heads {
    /// The queue that goes first, and since when its head is visible; for arbiters that read ages
    /// the oldest, with its age.
    pub(crate) first: Option<(QueueId, Tick)>,
    /// When the first of the others becomes visible.
    pub(crate) invisible: Tick,
    /// One that is visible lacks room or credit.
    pub(crate) starved: bool,
}

impl Default for Heads {
    fn default() -> Heads {
        Heads {
            first: None,
            invisible: Tick::MAX,
            starved: false,
        }
    }
}

impl Heads {
    /// Looks at the head of `queue`; `fits` says whether there is room or credit for it. Returns whether it may go.
    #[inline(always)]
    pub(crate) fn look_at(
        &mut self,
        queue: usize,
        visible: Tick,
        now: Tick,
        fits: impl FnOnce() -> bool,
    ) -> bool {
        if visible > now {
            self.invisible = self.invisible.min(visible);
            return false;
        }
        let fits = fits();
        if fits {
            self.first = Some((queue as QueueId, visible));
        } else {
            self.starved = true;
        }
        fits
    }

    /// The queue that goes first.
    #[inline(always)]
    pub(crate) fn queue(&self) -> Option<QueueId> {
        self.first.map(|(queue, _)| queue)
    }
}
