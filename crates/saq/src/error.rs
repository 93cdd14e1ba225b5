//! What can go wrong in a port memory.

use thiserror::Error;

use crate::{Item, MarkerId, QueueId};

/// A broken invariant or a wrong call of a port memory. The caller adds unit and tick.
///
/// Overflow is a bug of the model, never a drop [spec page `switch.md`]: credits must have kept the
/// packet away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum MmuError {
    /// The packet does not fit: its sender had no credits for it.
    #[error("cell pool exhausted: {needed} cells needed, {free} free of {pool}")]
    PoolExhausted {
        /// Cells of the packet.
        needed: u16,
        /// Free cells.
        free: u32,
        /// Cells of the memory.
        pool: u32,
    },
    /// A packet takes at least one cell.
    #[error("item {item} has 0 cells: at least 1 is needed")]
    ZeroCells {
        /// The packet given.
        item: Item,
    },
    /// A packet was asked of a queue that has none.
    #[error("queue {queue} has no packet")]
    QueueEmpty {
        /// The queue given.
        queue: QueueId,
    },
    /// There is no such queue.
    #[error("no queue {queue}: legal are numbers below {queues}")]
    UnknownQueue {
        /// The queue given.
        queue: QueueId,
        /// Queues of this memory.
        queues: usize,
    },
    /// There is no such marker record.
    #[error("no marker {marker}: legal are numbers below {markers}")]
    UnknownMarker {
        /// The marker given.
        marker: MarkerId,
        /// Marker records of this memory.
        markers: usize,
    },
    /// Each CAM line owns one marker record, and it is in a queue already.
    #[error("marker {marker} is in queue {host} already")]
    MarkerPlaced {
        /// The marker given.
        marker: MarkerId,
        /// The queue that it sits in.
        host: QueueId,
    },
    /// The lease is not of this memory.
    #[error(
        "lease of {cells} cells from {first} to {last} is not of this memory: {leased} cells are leased"
    )]
    ForeignLease {
        /// First cell of the lease.
        first: u16,
        /// Last cell of the lease.
        last: u16,
        /// Cells of the lease.
        cells: u16,
        /// Cells leased from this memory.
        leased: u32,
    },
    /// Cells were lost or made: free + queued + leased must be the pool.
    #[error(
        "cells not conserved: {free} free + {queued} queued + {leased} leased is not the pool of {pool}"
    )]
    Conservation {
        /// Free cells.
        free: u32,
        /// Cells of packets in queues.
        queued: u32,
        /// Cells of packets that have left their queue with their tail still here.
        leased: u32,
        /// Cells of the memory.
        pool: u32,
    },
    /// A walk over the lists met a cell twice, or one that no list may hold (found by `audit`).
    #[error("cell {cell} is linked twice or out of place")]
    CellMislinked {
        /// The cell.
        cell: u16,
    },
    /// A queue's counters and its list differ (found by `audit`).
    #[error("queue {queue} counts {packets} packets in {cells} cells, its list differs")]
    QueueMiscounted {
        /// The queue.
        queue: QueueId,
        /// Packets it counts.
        packets: u32,
        /// Cells it counts.
        cells: u32,
    },
    /// A marker record is in a wrong place or order (found by `audit`).
    #[error("marker {marker} is out of place")]
    MarkerMislinked {
        /// The marker.
        marker: MarkerId,
    },
}
