//! Two-level routing, rule by rule. Quotations are of the spec page `rsi.md`.

mod common;

mod by_way;
mod every_hop;
mod lar;
mod recovery;
mod selection;
mod tables;
mod vcs;
