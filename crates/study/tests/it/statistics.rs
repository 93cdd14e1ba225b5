//! Intervals of processes whose truth is known.

mod coverage;
mod figures;
mod process;
