//! `uniform`: every candidate alike, without the source itself unless `workload.self`.

use std::sync::Arc;

use crate::rng::Xoshiro256PlusPlus;

use super::Rule;
use crate::rng::below;

pub(super) const RULE: Rule = Rule::Random;

/// Draws over all nodes but one: a number at or above the one left out stands for the node
/// after it.
#[derive(Clone, Debug)]
pub(crate) struct UniformAll {
    pub(crate) rng: Xoshiro256PlusPlus,
    /// Number of candidates, the node left out not counted.
    pub(crate) count: u32,
    /// The node left out; `u32::MAX` leaves none out.
    pub(crate) without: u32,
}

impl UniformAll {
    #[inline]
    pub(crate) fn draw(&mut self) -> u32 {
        let drawn = below(&mut self.rng, u64::from(self.count)) as u32;
        self.candidate(drawn)
    }

    #[inline]
    fn candidate(&self, drawn: u32) -> u32 {
        drawn + u32::from(drawn >= self.without)
    }

    /// Every node that may be drawn, in order.
    pub(crate) fn candidates(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.count).map(|drawn| self.candidate(drawn))
    }
}

/// Draws over a list; several sources share it.
#[derive(Clone, Debug)]
pub(crate) struct UniformList {
    pub(crate) rng: Xoshiro256PlusPlus,
    pub(crate) candidates: Arc<[u32]>,
}

impl UniformList {
    #[inline]
    pub(crate) fn draw(&mut self) -> u32 {
        self.candidates[below(&mut self.rng, self.candidates.len() as u64) as usize]
    }
}
