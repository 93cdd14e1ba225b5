//! The units of a switch, each alone, rule by rule. Quotations are of the spec pages `clock.md` and
//! `switch.md`, unless another is named.

mod common;
mod config;
mod fake_ports;
mod one_switch;

mod cdu;
mod counters;
mod glue;
mod glue_recn;
mod link;
mod link_arbiter;
mod marking;
mod memory;
mod mu;
mod packets;
mod params;
mod pause;
mod ppu;
mod probe;
mod ru;
mod scheduler;
mod schemes;
mod two_level;
