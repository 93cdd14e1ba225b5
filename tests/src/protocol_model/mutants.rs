//! Rules broken on purpose: each must be caught, else the exploration shows nothing. The production
//! code is not touched; what goes into it or comes out of it is.

use super::events::NOW;
use super::queues::Queues;
use recn::{MarkedQueues, ProtocolError, RecnConfig, RecnPort};
use saq::{MarkerId, MmuError, QueueId};
use switch::bits;

/// A rule that is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mutant {
    /// No marker where the host is a normal queue.
    MarkerOmitted,
    /// No marker where the host is the SAQ of a less specific point.
    NestedMarkerOmitted,
    /// The detection queue stays what it is as its root is found.
    SwapOmitted,
    /// A SAQ is freed without the R bit.
    FreedNotReady,
    /// A SAQ is freed that is not a leaf.
    FreedNotLeaf,
    /// A SAQ is freed although it is blocked.
    FreedBlocked,
    /// The end of the SAQ timer is not looked at.
    TimerForgotten,
    /// A token over a link is not sent.
    TokenLost,
    /// A token over a link is sent twice.
    TokenTwice,
    /// A token inside a switch is not sent.
    InternalTokenLost,
    /// A refusal over a link is not answered.
    NackForgotten,
    /// A refusal inside a switch is taken for a child.
    RefusalForgotten,
    /// An adopted root owes no token.
    AdoptionForgotten,
    /// Xon over a link is not sent.
    XonLost,
    /// Xon inside a switch is not sent.
    InternalXonLost,
    /// A notification is not followed by the Xoff in force.
    XoffBehindNotificationOmitted,
}

impl Mutant {
    /// All.
    pub const ALL: [Mutant; 16] = [
        Mutant::MarkerOmitted,
        Mutant::NestedMarkerOmitted,
        Mutant::SwapOmitted,
        Mutant::FreedNotReady,
        Mutant::FreedNotLeaf,
        Mutant::FreedBlocked,
        Mutant::TimerForgotten,
        Mutant::TokenLost,
        Mutant::TokenTwice,
        Mutant::InternalTokenLost,
        Mutant::NackForgotten,
        Mutant::RefusalForgotten,
        Mutant::AdoptionForgotten,
        Mutant::XonLost,
        Mutant::InternalXonLost,
        Mutant::XoffBehindNotificationOmitted,
    ];

    /// One line.
    pub const fn what(self) -> &'static str {
        match self {
            Mutant::MarkerOmitted => "no marker where the host is a normal queue",
            Mutant::NestedMarkerOmitted => {
                "no marker where the host is the SAQ of a less specific point"
            }
            Mutant::SwapOmitted => "the detection queue stays what it is as its root is found",
            Mutant::FreedNotReady => "a SAQ is freed without the R bit",
            Mutant::FreedNotLeaf => "a SAQ is freed that is not a leaf",
            Mutant::FreedBlocked => "a SAQ is freed although it is blocked",
            Mutant::TimerForgotten => "the end of the SAQ timer is not looked at",
            Mutant::TokenLost => "a token over a link is not sent",
            Mutant::TokenTwice => "a token over a link is sent twice",
            Mutant::InternalTokenLost => "a token inside a switch is not sent",
            Mutant::NackForgotten => "a refusal over a link is not answered",
            Mutant::RefusalForgotten => "a refusal inside a switch is taken for a child",
            Mutant::AdoptionForgotten => "an adopted root owes no token",
            Mutant::XonLost => "Xon over a link is not sent",
            Mutant::InternalXonLost => "Xon inside a switch is not sent",
            Mutant::XoffBehindNotificationOmitted => {
                "a notification is not followed by the Xoff in force"
            }
        }
    }

    /// Step 7: makes the lines in `checks` look as if they might be freed, where that frees them.
    pub(super) fn before_free(
        self,
        recn: &mut RecnPort,
        queues: &impl MarkedQueues,
        checks: u64,
        config: &RecnConfig,
    ) -> Result<(), ProtocolError> {
        for line in bits(checks & recn.cam.valid()) {
            let line = line as u8;
            let mut changed = recn.clone();
            match self {
                Mutant::FreedNotReady => changed.cam.set_ready(line, true),
                Mutant::FreedNotLeaf => changed.cam.set_leaf(line, true),
                Mutant::FreedBlocked => changed.cam.set_blocked(line, false),
                _ => return Ok(()),
            }
            if changed.may_free(queues, line, NOW, config) {
                if self == Mutant::FreedBlocked {
                    recn.free(line)?;
                }
                *recn = changed;
            }
        }
        Ok(())
    }
}

/// Queues as an allocation sees them; a mutant takes some for vacant that are not.
pub(super) struct MutatedQueues<'a> {
    queues: &'a mut Queues,
    /// Queue of line 0.
    base: QueueId,
    mutant: Option<Mutant>,
}

impl<'a> MutatedQueues<'a> {
    /// `base` is the queue of line 0.
    pub(super) fn new(queues: &'a mut Queues, base: QueueId, mutant: Option<Mutant>) -> Self {
        MutatedQueues {
            queues,
            base,
            mutant,
        }
    }
}

impl MarkedQueues for MutatedQueues<'_> {
    fn is_empty(&self, queue: QueueId) -> bool {
        self.queues.is_empty(queue)
    }
    fn is_vacant(&self, queue: QueueId) -> bool {
        let omitted = match self.mutant {
            Some(Mutant::MarkerOmitted) => queue < self.base,
            Some(Mutant::NestedMarkerOmitted) => queue >= self.base,
            _ => false,
        };
        omitted || self.queues.is_vacant(queue)
    }
    fn packets(&self, queue: QueueId) -> u32 {
        self.queues.packets(queue)
    }
    fn has_markers(&self, queue: QueueId) -> bool {
        self.queues.has_markers(queue)
    }
    fn place_marker(&mut self, marker: MarkerId, host: QueueId) -> Result<(), MmuError> {
        self.queues.place_marker(marker, host)
    }
    fn take_head_marker(&mut self, queue: QueueId) -> Option<MarkerId> {
        self.queues.take_head_marker(queue)
    }
    fn swap(&mut self, a: QueueId, b: QueueId) -> Result<(), MmuError> {
        self.queues.swap(a, b)
    }
}
