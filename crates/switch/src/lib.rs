//! One switch of a lossless network, register by register.

mod event;
mod packet;

pub use event::{Event, Place, Side};
pub use packet::{Fifo, Flow, Packet, PacketKind, Packets, payload};
