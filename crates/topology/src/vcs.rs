//! Virtual channels of routes: which one a packet takes on the link that follows a hop.

use units::{VcId, VcStep};

use crate::error::TopologyError;
use crate::graph::{Graph, PORTS_MAX};
use crate::routes::Routes;

/// The row of a switch that changes no virtual channel.
static KEEP: [VcStep; PORTS_MAX as usize] = [VcStep::Keep; PORTS_MAX as usize];

/// The virtual channels of a network: for each ingress port a row of steps, one an egress port.
#[derive(Clone, Debug)]
pub struct VcTable {
    /// Virtual channels that routes may be on, from 0: 1 where the rule changes none.
    count: u8,
    /// Index of the first step of each switch.
    first_step: Box<[u32]>,
    /// Rows by switch and ingress port; empty where every step is [`VcStep::Keep`].
    steps: Box<[VcStep]>,
}

impl VcTable {
    /// The steps of a routing rule. A network with fewer virtual channels than the rule uses has
    /// its packets on number 0 everywhere.
    pub(crate) fn new(routes: &dyn Routes, graph: &Graph, vcs: u8) -> Result<Self, TopologyError> {
        let count = routes.vcs();
        if count == 1 || vcs < count {
            return Ok(Self::one());
        }
        let (mut first_step, mut steps) = (Vec::new(), Vec::new());
        for switch in 0..graph.switches() as u32 {
            first_step.push(steps.len() as u32);
            let ports = graph.ports(switch) as u8;
            for (in_port, out_port) in (0..ports).flat_map(|i| (0..ports).map(move |o| (i, o))) {
                let step = routes.vc_step(switch, in_port, out_port);
                if let VcStep::Set(VcId(given)) = step
                    && given >= count
                {
                    return Err(TopologyError::Rule(format!(
                        "the routing rule names virtual channel {given} from port {in_port} to \
                         port {out_port} of s{switch}; it says that it uses {count}"
                    )));
                }
                steps.push(step);
            }
        }
        Ok(Self { count, first_step: first_step.into(), steps: steps.into() })
    }

    /// One virtual channel.
    pub(crate) fn one() -> Self {
        Self { count: 1, first_step: Box::default(), steps: Box::default() }
    }

    #[inline]
    pub(crate) fn count(&self) -> u8 {
        self.count
    }

    /// The steps of an ingress port by egress port.
    #[inline]
    pub(crate) fn row(&self, graph: &Graph, switch: u32, in_port: u8) -> &[VcStep] {
        let ports = graph.ports(switch) as usize;
        if self.steps.is_empty() {
            return &KEEP[..ports];
        }
        let start = self.first_step[switch as usize] as usize + usize::from(in_port) * ports;
        &self.steps[start..start + ports]
    }

    /// The virtual channel of the link by `out_port`.
    #[inline]
    pub(crate) fn next(
        &self,
        graph: &Graph,
        switch: u32,
        (in_port, in_vc): (u8, u8),
        out_port: u8,
    ) -> u8 {
        if self.steps.is_empty() {
            return in_vc;
        }
        self.row(graph, switch, in_port)[usize::from(out_port)].next(VcId(in_vc)).0
    }

    /// Place of a virtual channel of a port among those of all ports.
    #[inline]
    pub(crate) fn index(&self, port_index: usize, vc: u8) -> usize {
        port_index * usize::from(self.count) + usize::from(vc)
    }
}
