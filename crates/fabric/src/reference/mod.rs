//! The units of a fabric, what is on the wires between them, and their clock.

mod audit;
mod build;
mod clock;
mod dues;
mod elements;
mod faults;
mod queries;
mod transit;
mod visits;
mod waits;
mod wires;

use crate::routing;
use clock::Clock;
use elements::Elements;
use endnode::EndNode;
use plan::{ConfigError, FabricConfig};
use switch::{Egress, Switch};
use transit::Transit;
use units::Tick;

/// A fabric of units.
#[derive(Debug)]
pub(crate) struct Reference {
    elements: Elements,
    transit: Transit,
    clock: Clock,
    /// Everything before this tick has been simulated.
    now: Tick,
}

impl Reference {
    /// Before the first tick. With a seed all is visited in every tick, in an order drawn from it.
    ///
    /// # Errors
    /// What cannot be built.
    pub(crate) fn new(
        config: &FabricConfig,
        shuffle: Option<u64>,
    ) -> Result<Reference, ConfigError> {
        build::build(config, shuffle)
    }

    fn switches(&self) -> &[Switch] {
        &self.elements.switches
    }

    /// Egress ports: of the switches, then the injection ports of the end nodes.
    fn egresses(&self) -> impl Iterator<Item = &Egress> {
        let outputs = self.switches().iter().flat_map(Switch::outputs);
        outputs.chain(self.nodes().iter().map(EndNode::injection))
    }

    fn switch(&self, switch: u32) -> &Switch {
        &self.elements.switches[switch as usize]
    }

    fn nodes(&self) -> &[EndNode] {
        &self.elements.nodes
    }

    fn node(&self, node: u32) -> &EndNode {
        &self.elements.nodes[node as usize]
    }
}
