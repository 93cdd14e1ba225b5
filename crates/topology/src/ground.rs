//! What routes are walked on: the wiring, the turns, the virtual channels that a rule steps to.

use units::{VcId, VcStep};

use crate::error::TopologyError;
use crate::graph::{Graph, PORTS_MAX};
use crate::routes::Routes;

/// The row of a switch that changes no virtual channel.
static KEEP: [VcStep; PORTS_MAX as usize] = [VcStep::Keep; PORTS_MAX as usize];

/// What routes are walked on: a graph, bits of turns, steps of virtual channels.
#[derive(Clone, Debug)]
pub struct Ground {
    pub(crate) graph: Graph,
    /// Bits of a turn, by switch.
    pub(crate) widths: Box<[u8]>,
    /// Virtual channels that routes may be on, from 0: 1 where the rule changes none.
    pub(crate) vcs: u8,
    first_step: Box<[u32]>,
    /// By switch, ingress port and egress port; empty where every step is [`VcStep::Keep`].
    steps: Box<[VcStep]>,
}

impl Ground {
    /// A network with fewer virtual channels than the rule uses has its packets on number 0.
    pub(crate) fn new(
        routes: &dyn Routes,
        graph: Graph,
        vcs: u8,
        self_traffic: bool,
    ) -> Result<Self, TopologyError> {
        let vcs = if vcs < routes.vcs() { 1 } else { routes.vcs() };
        let (mut widths, mut first_step, mut steps) = (Vec::new(), Vec::new(), Vec::new());
        for switch in 0..graph.switches() as u32 {
            // At most 64 ports: a turn has at most 6 bits.
            widths.push(turnpool::turn_width(graph.ports(switch), self_traffic) as u8);
            first_step.push(steps.len() as u32);
            let ports = if vcs > 1 { graph.ports(switch) as u8 } else { 0 };
            for (in_port, out_port) in (0..ports).flat_map(|i| (0..ports).map(move |o| (i, o))) {
                let step = routes.vc_step(switch, in_port, out_port);
                if let VcStep::Set(VcId(given)) = step
                    && given >= vcs
                {
                    return Err(TopologyError::Rule(format!(
                        "the routing rule names virtual channel {given} from port {in_port} to \
                         port {out_port} of s{switch}; it says that it uses {vcs}"
                    )));
                }
                steps.push(step);
            }
        }
        let (widths, first_step, steps) = (widths.into(), first_step.into(), steps.into());
        Ok(Self { graph, widths, vcs, first_step, steps })
    }

    /// The steps of an ingress port by egress port.
    #[inline]
    pub(crate) fn steps(&self, switch: u32, in_port: u8) -> &[VcStep] {
        let ports = self.graph.ports(switch) as usize;
        if self.steps.is_empty() {
            return &KEEP[..ports];
        }
        let start = self.first_step[switch as usize] as usize + usize::from(in_port) * ports;
        &self.steps[start..start + ports]
    }

    /// The virtual channel of the link by `out_port`.
    #[inline]
    pub(crate) fn next_vc(&self, switch: u32, (in_port, in_vc): (u8, u8), out_port: u8) -> u8 {
        if self.steps.is_empty() {
            return in_vc;
        }
        self.steps(switch, in_port)[usize::from(out_port)].next(VcId(in_vc)).0
    }

    /// Place of a virtual channel of a port among those of all ports.
    #[inline]
    pub(crate) fn place(&self, switch: u32, port: u8, vc: u8) -> usize {
        self.graph.port_index(switch, port) * usize::from(self.vcs) + usize::from(vc)
    }

    pub(crate) fn places(&self) -> usize {
        self.graph.ports_total() * usize::from(self.vcs)
    }
}
