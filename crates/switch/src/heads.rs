//! Head registers, and what an arbiter finds among them: the crossbar's
//! ([`mod@crate::scheduler`]) and the link's ([`mod@crate::egress`]).

use units::{ClassId, PortId, QueueId, Tick};

/// What the head of a queue requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requested {
    /// Nothing.
    Nothing,
    /// One output.
    One,
    /// Several outputs, of which it takes the first that is granted.
    Several,
}

/// Register of the head of a queue, as an arbiter sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// From this tick on; at an ingress queue of a switch also since when this packet is at the
    /// head and may request.
    pub visible: Tick,
    /// Class that it takes in the next memory.
    pub class: ClassId,
    /// Cells that it takes there.
    pub cells: u16,
    /// Output that an ingress queue requests, the first of several.
    pub output: PortId,
    /// What it requests.
    pub requested: Requested,
}

impl Head {
    /// Of a queue that requests nothing.
    pub const NONE: Head = Head {
        visible: Tick::ZERO,
        class: ClassId(0),
        cells: 0,
        output: PortId(0),
        requested: Requested::Nothing,
    };
}

// With the record of its queue in one cache line.
const _: () = assert!(size_of::<Head>() <= 16);

/// What is found among the heads that request the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heads {
    /// The queue that goes first, and since when its head is visible; for arbiters that read ages
    /// the oldest, with its age.
    pub first: Option<(QueueId, Tick)>,
    /// When the first of the others becomes visible; [`Tick::MAX`] if there is none.
    pub invisible: Tick,
    /// One that is visible lacks room or credit.
    pub starved: bool,
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
    /// Looks at the head of `queue`; `fits` says whether there is room or credit for it. Whether it
    /// may go.
    #[inline(always)]
    pub(crate) fn look_at(
        &mut self,
        queue: QueueId,
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
            self.first = Some((queue, visible));
        } else {
            self.starved = true;
        }
        fits
    }
}
