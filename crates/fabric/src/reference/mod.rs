//! The units of a fabric: switches, end nodes, what is on the wires between them, and their clock
//! (docs: architecture.md, engines).

mod audit;
mod build;
mod classes;
mod clock;
mod elements;
mod faults;
mod queries;
mod routing;
mod transit;
mod waits;
mod wires;

use clock::Clock;
use elements::Elements;
use endnode::EndNode;
use observe::Observer;
use plan::ConfigError;
use plan::FabricConfig;
use switch::Switch;
use transit::Transit;
use units::{ElementId, Tick};
use workload::Given;

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

    /// Simulates up to, not including, tick `end`.
    pub(crate) fn run_until(&mut self, observer: &mut impl Observer, end: Tick) {
        let (elements, transit) = (&mut self.elements, &mut self.transit);
        self.clock.run(elements, transit, observer, self.now, end);
        self.now = end;
    }

    /// A message of a trace is given to its source.
    pub(crate) fn give_message(&mut self, message: Given) {
        let (elements, transit) = (&mut self.elements, &mut self.transit);
        let node = message.source as usize;
        elements.nodes[node].give(message);
        let element = ElementId::at(elements.switches.len() + node);
        elements.forget_due(element, transit);
    }

    fn switches(&self) -> &[Switch] {
        &self.elements.switches
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
