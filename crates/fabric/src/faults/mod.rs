//! Links that go down and come up, and tables that change, between two ticks of a run.

mod events;
mod random;
pub(crate) mod seen;

pub(crate) use events::{FaultRecord, Faults};
use random::events;

use crate::engine::{Faultable, Implementation, Running, either};
use crate::fabric::Fabric;
use observe::{Observer, Owner};
use plan::{LinkState, RouteTable};
use std::sync::Arc;
use topology::Endpoint;
use units::{ElementId, PortId};

impl<O: Observer> Fabric<O> {
    /// The link behind a port of a switch, both ways. As it goes down the packets on the wire are
    /// lost, and credit; the two ends agree on their credit again. While it is down nothing starts
    /// on it, and heads that want it wait. Nothing is lost where it is down already.
    ///
    /// # Panics
    /// If nothing is connected there, or this is the flat engine without configured faults.
    pub fn set_link(&mut self, switch: u32, port: PortId, state: LinkState) {
        let ends = self.ends(switch, port);
        either!(&mut self.engine, it => it.faultable().set_link(&mut self.observer, ends, state));
        self.faults.disturbed = true;
    }

    /// The table of an ingress port of a switch is another one from now on, and so is what is
    /// looked ahead for behind the link that ends there. Where it leads a packet nowhere, that is
    /// stranded as it comes to the head of its queue: removed, and counted.
    ///
    /// # Panics
    /// If nothing is connected there, switches do not route by tables, or the table has not one
    /// entry for each node, or leads to ports that are not connected; or this is the flat engine.
    pub fn set_table(&mut self, switch: u32, port: PortId, table: &Arc<RouteTable>) {
        let ends = self.ends(switch, port);
        let Running::Reference(units) = &mut self.engine else {
            panic!("s{switch}: a table is changed in the units");
        };
        units.set_table(&mut self.observer, ends, table);
        self.faults.disturbed = true;
    }

    /// Both ends of the link at a port of a switch.
    fn ends(&self, switch: u32, port: PortId) -> (Owner, Owner) {
        let element = ElementId(switch);
        let here = Owner { element, port };
        let there = self.peer(here);
        let there = there.unwrap_or_else(|| panic!("s{switch}.p{port}: nothing is connected"));
        (here, there)
    }

    /// The port at the other end of a link.
    fn peer(&self, here: Owner) -> Option<Owner> {
        let graph = self.faults.network.graph();
        match graph.peer(here.element.0, here.port.0) {
            Endpoint::Node(node) => {
                let element = ElementId::at(graph.switches() + node as usize);
                Some(Owner { element, port: PortId(0) })
            }
            Endpoint::Port { switch, port } => {
                Some(Owner { element: ElementId(switch), port: PortId(port) })
            }
            Endpoint::None => None,
        }
    }
}
