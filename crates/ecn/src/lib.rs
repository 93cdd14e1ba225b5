//! Explicit congestion notification: [`marking`] in switches, [`response`] of sources. The two
//! halves meet only in the bit of a packet.

pub mod marking;
pub mod response;
