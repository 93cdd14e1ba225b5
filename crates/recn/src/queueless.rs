//! CAM lines without queues, at the outputs of a switch with memories at inputs only.

use crate::{ProtocolError, RecnPort};
use cam::Allocation;
use turnpool::Point;
use units::LineId;

/// What Xoff or Xon does to a CAM line without a queue (`iq_egress_lines`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueuelessLine {
    /// Xoff: this line was allocated.
    Allocated(LineId),
    /// Xoff: no line is free.
    Refused,
    /// Xon: this line was freed.
    Freed(LineId),
    /// Xoff for a point that has a line, Xon for one that has none.
    Unchanged,
}

impl RecnPort {
    /// `iq_egress_lines`: Xoff or Xon from downstream at an output, whose lines have no queues:
    /// Xoff allocates the line, Xon frees it.
    ///
    /// # Errors
    /// Broken invariants.
    pub fn queueless_flow(
        &mut self,
        point: Point,
        xoff: bool,
    ) -> Result<QueuelessLine, ProtocolError> {
        if !xoff {
            let Some(line) = self.cam.find(&point) else {
                return Ok(QueuelessLine::Unchanged);
            };
            self.cam.free(line)?;
            return Ok(QueuelessLine::Freed(line));
        }
        Ok(match self.cam.allocate(point) {
            Allocation::Allocated(line) => QueuelessLine::Allocated(line),
            Allocation::Full => QueuelessLine::Refused,
            Allocation::Present(_) => QueuelessLine::Unchanged,
        })
    }
}
