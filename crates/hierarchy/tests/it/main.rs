//! Two-level routing, rule by rule. Quotations are of the spec page `rsi.md`.

mod common;

mod by_way;
mod every_hop;
#[path = "../../../units/tests/it/fixed.rs"]
mod fixed;
mod lar;
mod recovery;
mod tables;
mod vcs;
