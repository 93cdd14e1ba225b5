//! The protocol of one port, unit by unit and rule by rule. Quotations are of spec page `recn.md`.

mod allocation;
mod cdu;
mod commit;
mod fcu;
mod life_cycle;
mod link;
mod markers;
mod port;
mod release;
mod rules;
