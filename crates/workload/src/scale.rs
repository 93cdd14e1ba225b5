//! What the clock makes of times and lengths.

use units::Span;

/// What the clock makes of times and lengths; [`units::TimeBase`] is one, [`FnScale`] makes one
/// of two closures.
pub trait TimeScale {
    /// The first tick that is not before `ns`; `u64::MAX` for what 64 bits do not hold.
    fn ns_to_ticks(&self, ns: u64) -> Span;

    /// Ticks for which a message of `bytes` occupies a link; at least 1 for every byte number
    /// above 0.
    fn link_ticks(&self, bytes: u32) -> Span;
}

impl TimeScale for units::TimeBase {
    fn ns_to_ticks(&self, ns: u64) -> Span {
        self.ns_to_ticks_ceil(ns)
    }

    fn link_ticks(&self, bytes: u32) -> Span {
        units::TimeBase::link_ticks(self, bytes)
    }
}

/// A [`TimeScale`] of two closures: (ns -> ticks, bytes -> link ticks).
#[derive(Clone, Copy, Debug)]
pub struct FnScale<N, L>(pub N, pub L);

impl<N: Fn(u64) -> Span, L: Fn(u32) -> Span> TimeScale for FnScale<N, L> {
    fn ns_to_ticks(&self, ns: u64) -> Span {
        self.0(ns)
    }

    fn link_ticks(&self, bytes: u32) -> Span {
        self.1(bytes)
    }
}
