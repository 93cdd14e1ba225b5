//! The networks that are explored, with two faults each that overlap in any way.

use super::explore::{Explored, Faults};
use super::shape::{Shape, complete, ring, spread};

pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) shape: fn() -> Shape,
    pub(crate) faults: Faults,
    /// States, steps, states at rest, depth.
    pub(crate) found: [usize; 4],
}

pub(crate) fn complete_by(nodes: usize, super_nodes: usize, each: usize) -> Shape {
    let global = spread(nodes, super_nodes, each);
    Shape::new((nodes, &complete(nodes)), super_nodes, &global, false)
}

pub(crate) fn c4() -> Shape {
    Shape::new((4, &ring(4)), 1, &[], false)
}

const ANY: Faults = Faults { count: 2, links: true, routers: true };
const LINKS: Faults = Faults { count: 2, links: true, routers: false };
const THREE: Faults = Faults { count: 3, ..ANY };

const fn case(name: &'static str, shape: fn() -> Shape, faults: Faults, found: [usize; 4]) -> Case {
    Case { name, shape, faults, found }
}

/// Explored one after the other: 0.9 million states.
pub(crate) const SMALL: &[Case] = &[
    case("K2", || complete_by(2, 1, 0), THREE, [92, 290, 20, 10]),
    case("K3", || complete_by(3, 1, 0), THREE, [12_939, 72_402, 72, 17]),
    case("K1 x 3", || complete_by(1, 3, 1), ANY, [3_042, 12_114, 30, 15]),
    case("K2 x 2", || complete_by(2, 2, 1), THREE, [59_717, 320_863, 102, 31]),
    case("K2 x 2, 2 links", || complete_by(2, 2, 2), ANY, [11_183, 49_272, 47, 20]),
    case("K2 x 3", || complete_by(2, 3, 1), LINKS, [14_310, 55_575, 30, 22]),
    case("K3 x 2", || complete_by(3, 2, 1), LINKS, [23_762, 100_699, 38, 26]),
    case("K3 x 2, 2 links", || complete_by(3, 2, 2), LINKS, [13_282, 48_360, 47, 22]),
    case("C4", c4, ANY, [784_819, 4_207_356, 47, 32]),
];

/// Explored by a test of their own, beside the others: 3.6 million states.
pub(crate) const LARGE: &[Case] = &[
    case("K4", || complete_by(4, 1, 0), ANY, [278_456, 1_590_254, 68, 25]),
    case("K2 x 3", || complete_by(2, 3, 1), ANY, [399_915, 2_114_295, 93, 28]),
    case("K3 x 2", || complete_by(3, 2, 1), ANY, [2_927_933, 17_937_077, 107, 35]),
];

impl Case {
    pub(crate) fn row(&self) -> String {
        let [states, steps, at_rest, depth] = self.found.map(|n| units::grouped(n as u128));
        let what = if self.faults.routers { "links, nodes" } else { "links" };
        let count = self.faults.count;
        format!("| {} | {count}, {what} | {states} | {steps} | {at_rest} | {depth} |\n", self.name)
    }

    pub(crate) fn numbers(found: &Explored) -> [usize; 4] {
        [found.states, found.steps, found.at_rest, found.depth]
    }
}
