//! The memory management unit (MMU) of one port memory: a pool of cells, the queues linked through
//! it, and the markers that keep order when a set-aside queue (SAQ) is allocated.
//!
//! Main decision: every queue of a port is a linked list in *one* pool with one next-slot register
//! per cell, as the hardware has it [priya-recn-iq-2017]. A packet moves between queues by
//! relinking, and a full queue becomes a SAQ by exchanging two queue records. The cost: a packet is
//! reached from the head of its queue only, and static shares of the memory are the caller's
//! credits, not a wall in the pool.
//!
//! ```
//! use saq::Mmu;
//! use units::{LineId, PacketId, QueueId};
//!
//! const NORMAL: QueueId = QueueId(0);
//! const SAQ: QueueId = QueueId(1);
//!
//! // 4 KB in cells of 64 bytes; a normal queue and one SAQ, whose CAM line owns marker 0.
//! let mut mmu = Mmu::new(64, 2, 1);
//! mmu.push(NORMAL, PacketId(812), 1)?;
//! mmu.place_marker(LineId(0), NORMAL)?; // the SAQ is allocated: what is queued must leave first
//! mmu.push(SAQ, PacketId(813), 1)?;
//!
//! let lease = mmu.pop(NORMAL)?; // transmission starts: the packet has left its queue ...
//! assert_eq!(lease.packet, PacketId(812));
//! assert_eq!(mmu.free_cells(), 62); // ... and holds its cell until the tail has left
//! assert_eq!(mmu.take_head_marker(NORMAL), Some(LineId(0))); // the SAQ is ready now
//! mmu.release(lease)?;
//! assert_eq!(mmu.free_cells(), 63);
//! mmu.audit()?;
//! # Ok::<(), saq::MmuError>(())
//! ```
//!
//! Out of scope: CAM lines and routes, when a queue is ready or blocked, thresholds, credits, and
//! the clock. Sources: spec pages `recn.md` (order, occupancy), `switch.md` (memory and credits).

mod audit;
mod cells;
mod markers;
mod mmu;
#[cfg(test)]
mod oracle_tests;
mod queries;
mod queue;

pub use mmu::{Mmu, MmuError};
pub use queue::Lease;
