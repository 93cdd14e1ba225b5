//! Ports with their queues and counters, one by one.

use super::ticks;
use crate::flat::records::{Queue, Words};
use crate::flat::threads::Here;
use crate::flat::wheel::IDS_MAX;
use crate::flat::{NONE, Port};
use observe::Owner;
use plan::{ConfigError, FabricConfig, Layouts, MemoryLayout, Params};
use topology::Endpoint;
use units::{ElementId, PortId, VcStep};

/// What grows port by port.
#[derive(Default)]
pub(super) struct Built {
    pub(super) port: Vec<Port>,
    pub(super) owners: Vec<Owner>,
    pub(super) queues: Vec<Queue>,
    pub(super) counters: Vec<u16>,
    pub(super) wide: Vec<u64>,
    pub(super) steps: Vec<Box<[VcStep]>>,
}

impl Built {
    /// Those of switches, then those of end nodes.
    pub(super) fn all(
        config: &FabricConfig,
        params: &Params,
        here: &Here,
    ) -> Result<Built, ConfigError> {
        let graph = config.network.graph();
        let layouts = Layouts { params, graph };
        let mut built = Built::default();
        for s in 0..graph.switches() as u32 {
            for number in 0..graph.ports(s) as u8 {
                built.port(config, &layouts, here, s, number)?;
            }
        }
        for n in 0..graph.nodes() as u32 {
            built.node_port(config, &layouts, here, n)?;
        }
        Ok(built)
    }

    fn port(
        &mut self,
        config: &FabricConfig,
        layouts: &Layouts<'_>,
        here: &Here,
        s: u32,
        number: u8,
    ) -> Result<(), ConfigError> {
        let network = &config.network;
        let graph = network.graph();
        let end = graph.peer(s, number);
        let steps = network.vc_steps(s, number);
        let keep = steps.iter().all(|step| *step == VcStep::Keep);
        self.steps.push(if keep { Box::default() } else { steps.into() });
        let latency = config.link.latency(s, number);
        if layouts.is_connected(s, number) {
            layouts.params.check_headroom(latency)?;
        }
        let port = Port {
            element: s,
            number,
            ports: graph.ports(s) as u8,
            width: network.turn_width(s) as u8,
            at_switch: true,
            latency: ticks(latency),
            is_cut: matches!(end, Endpoint::Port { switch, .. } if here.of(switch) != here.of(s)),
            ..Port::default()
        };
        let ingress = layouts.ingress(s, number)?.unwrap_or_default();
        let egress = layouts.egress(s, number)?.unwrap_or_default();
        let own = layouts.credited(Endpoint::Port { switch: s, port: number })?;
        self.add(layouts, (port, end), here.has(s), [egress, ingress, own])
    }

    fn node_port(
        &mut self,
        config: &FabricConfig,
        layouts: &Layouts<'_>,
        here: &Here,
        n: u32,
    ) -> Result<(), ConfigError> {
        let graph = config.network.graph();
        let (switch, port) = graph.node_port(n);
        self.steps.push(Box::default());
        let latency = ticks(config.link.latency(switch, port));
        let end = Endpoint::Port { switch, port };
        let port = Port { element: n, ports: 1, latency, ..Port::default() };
        let memories = [layouts.injection(n)?, MemoryLayout::default(), MemoryLayout::single(1)];
        self.add(layouts, (port, end), here.has(switch), memories)
    }

    /// Adds a port and the `end` of its link, with its memories, or without where it is of another
    /// part of the fabric: egress, ingress, and that for which credit goes back over the link.
    fn add(
        &mut self,
        layouts: &Layouts<'_>,
        (port, end): (Port, Endpoint),
        is_here: bool,
        [mut egress, mut ingress, mut own]: [MemoryLayout; 3],
    ) -> Result<(), ConfigError> {
        let graph = layouts.graph;
        let mut next = layouts.credited(end)?;
        let vcs = u32::from(layouts.params.vcs);
        let [egress_of_vc, ingress_of_vc] =
            [&egress, &ingress].map(|layout| (layout.queues / vcs) as u16);
        if !is_here {
            for layout in [&mut egress, &mut ingress, &mut own, &mut next] {
                *layout = MemoryLayout::default();
            }
        }
        let p = self.port.len();
        let peer: u32 = match end {
            Endpoint::Port { switch, port } => graph.port_index(switch, port) as u32,
            Endpoint::Node(node) => (graph.ports_total() + node as usize) as u32,
            Endpoint::None => NONE,
        };
        let first = if port.at_switch { 0 } else { graph.switches() as u32 };
        let element = ElementId(first + port.element);
        self.owners.push(Owner { element, port: PortId(port.number) });
        let saqs = |layout: &MemoryLayout| match layout.queues {
            0 => 0,
            _ => layouts.params.saqs(),
        };
        let (at_ingress, at_egress) = (saqs(&ingress), saqs(&egress));
        let egress_words = Words::of(egress.queues + at_egress, &mut self.wide);
        let back_words = Words::of(own.classes, &mut self.wide);
        let queues = ingress.queues + at_ingress + egress.queues + at_egress;
        if self.queues.len() + queues as usize >= IDS_MAX {
            let what = format!("{IDS_MAX} queues or more in the fabric; legal: fewer");
            return Err(ConfigError::Impossible { what });
        }
        let first_ingress = self.queues.len();
        self.queues.extend((0..ingress.queues + at_ingress).map(|_| Queue::new(p)));
        let first_egress = self.queues.len();
        self.queues.extend((0..egress.queues + at_egress).map(|_| Queue::new(p)));
        let mut counters = |classes: u32, cells: u32| {
            let first = self.counters.len();
            self.counters.resize(first + classes as usize, cells as u16);
            first as u32
        };
        self.port.push(Port {
            peer,
            to_switch: matches!(end, Endpoint::Port { .. }),
            egress: first_egress as u32,
            egress_queues: egress.queues as u16,
            egress_of_vc,
            ingress: first_ingress as u32,
            ingress_queues: ingress.queues as u16,
            ingress_of_vc,
            credits: counters(next.classes, next.class_cells),
            credit_cells: next.class_cells as u16,
            room: counters(egress.classes, egress.class_cells),
            room_cells: egress.class_cells as u16,
            back: counters(own.classes, 0),
            egress_words,
            back_words,
            asked: NONE,
            tail_end: NONE,
            ready: NONE,
            later: NONE,
            // Over a cut link credit is told in its tick.
            returns_urgently: port.is_cut,
            ..port
        });
        Ok(())
    }
}
