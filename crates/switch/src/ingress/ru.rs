//! RU: the output port of a packet from its header, and the VC of the link behind it.

use super::TwoLevel;
use crate::packet::Packet;
use crate::routing::{Router, lowest};
use hierarchy::Region;
use plan::RouteTable;
use std::sync::Arc;
use turnpool::RouteEnded;
use units::{PortId, VcId, VcStep};

/// The routing unit of one ingress port.
///
/// ```
#[doc = include_str!("../of_examples.txt")]
/// // Ingress port 2 of a switch with 8 ports; turns of 3 bits.
/// let ru = Ru::new(PortId(2), 8, 3, Router::Turns, Box::default());
/// assert_eq!(ru.width(), 3);
/// let mut packet = packet(&[2, 1]); // by turn 2 here, by turn 1 in the next switch
/// packet.output = ru.output(&packet)?.expect("turns always lead somewhere");
/// assert_eq!((packet.output, ru.requested(&packet)), (PortId(5), Some(PortId(5))));
/// assert_eq!(ru.next_vc(&packet, packet.output), VcId(0));
/// ru.leave(&mut packet)?;
/// assert_eq!(packet.route.next(3), Ok(1));
/// assert!(ru.two_level().is_none());
/// # Ok::<(), turnpool::RouteEnded>(())
/// ```
#[derive(Debug)]
pub struct Ru {
    port: PortId,
    pub(super) ports: u8,
    /// Width of the turns in this switch.
    width: u8,
    router: Router,
    /// By output; nothing where the VC always stays.
    steps: Box<[VcStep]>,
    /// The VCs of replies begin here and go through the same steps; 0 where they have none.
    first_reply_vc: VcId,
}

impl Ru {
    /// Of ingress port `port` of a switch with so many ports, whose turns have `width` bits.
    /// `steps`: by output what becomes of the VC, empty where it stays.
    pub fn new(port: PortId, ports: u8, width: u8, router: Router, steps: Box<[VcStep]>) -> Ru {
        Ru { port, ports, width, router, steps, first_reply_vc: VcId(0) }
    }

    /// Replies have VCs of their own, from this one on.
    #[must_use]
    pub fn with_reply_vcs(mut self, first: VcId) -> Ru {
        self.first_reply_vc = first;
        self
    }

    /// Width of the turns in this switch: so many bits of a route are in front of the next turn.
    pub fn width(&self) -> u32 {
        u32::from(self.width)
    }

    /// Reads the header as the packet arrives: the output. `None`: no output leads there.
    /// Errors: Its turns end before this switch.
    pub fn output(&self, packet: &Packet) -> Result<Option<PortId>, RouteEnded> {
        Ok(match &self.router {
            Router::Turns => {
                let turn = packet.route.next(self.width())?;
                let (port, ports) = (u32::from(self.port.0), u32::from(self.ports));
                Some(PortId(turnpool::forward(port, turn, ports) as u8))
            }
            Router::Table(table) => {
                let candidates = table.candidates(packet.destination);
                (candidates != 0).then(|| lowest(candidates))
            }
            // What it was assigned to.
            Router::TwoLevel(_) => packet.assigned.then_some(packet.output),
        })
    }

    /// Two-level routing: the output of a packet as it arrives, or again, by what is queued at
    /// each, cells. `None`: no output leads there. Errors: without two-level routing those of
    /// [`Ru::output`].
    pub fn assign(
        &mut self,
        packet: &mut Packet,
        arrives: bool,
        queued: impl Fn(PortId) -> u32,
    ) -> Result<Option<PortId>, RouteEnded> {
        match &mut self.router {
            Router::TwoLevel(router) if arrives => Ok(router.arrive(packet, self.port, queued)),
            Router::TwoLevel(router) => Ok(router.choose(packet, self.port, queued)),
            Router::Turns | Router::Table(_) => self.output(packet),
        }
    }

    /// The output that a packet at the head of its queue requests: what it was routed to, or, where
    /// the table has changed, the lowest that leads on now; `None` where none does any more.
    pub fn requested(&self, packet: &Packet) -> Option<PortId> {
        let chosen = packet.output;
        match &self.router {
            Router::TwoLevel(router) => router.leads_on(packet, self.port).then_some(chosen),
            Router::Turns => Some(chosen),
            Router::Table(table) => match table.candidates(packet.destination) {
                0 => None,
                candidates if candidates >> chosen.0 & 1 == 1 => Some(chosen),
                candidates => Some(lowest(candidates)),
            },
        }
    }

    /// VC of the link behind `output` for a packet.
    pub fn next_vc(&self, packet: &Packet, output: PortId) -> VcId {
        let vc = packet.vc;
        if let Router::TwoLevel(router) = &self.router {
            let is_reply = self.first_reply_vc.0 > 0 && vc >= self.first_reply_vc;
            let first = if is_reply { self.first_reply_vc.0 } else { 0 };
            return VcId(first + router.router().vc(&packet.trip, output).0);
        }
        let Some(step) = self.steps.get(output.index()) else {
            return vc;
        };
        if vc < self.first_reply_vc {
            return step.next(vc);
        }
        let first = self.first_reply_vc.0;
        VcId(first + step.next(VcId(vc.0 - first)).0)
    }

    /// A packet leaves: its turn is behind it.
    /// Errors: Its turns end before this switch.
    pub fn leave(&self, packet: &mut Packet) -> Result<(), RouteEnded> {
        match &self.router {
            Router::Turns => packet.route.consume(self.width())?,
            Router::Table(_) => {}
            Router::TwoLevel(router) => {
                packet.trip = router.router().leave(packet.trip, packet.output);
            }
        }
        Ok(())
    }

    /// Two-level routing: an entry has these ports from now on.
    pub fn set_entry(&mut self, region: Region, ports: u64) {
        if let Router::TwoLevel(router) = &mut self.router {
            router.table.set(region, ports);
        }
    }

    /// Two-level routing: the links of these ports are up, a bit each.
    pub fn set_live(&mut self, ports: u64) {
        if let Router::TwoLevel(router) = &mut self.router {
            router.live = ports;
        }
    }

    /// Two-level routing: its tables.
    pub fn two_level(&self) -> Option<&TwoLevel> {
        match &self.router {
            Router::TwoLevel(router) => Some(router),
            Router::Turns | Router::Table(_) => None,
        }
    }

    /// The table is another one from now on.
    pub fn set_table(&mut self, table: Arc<RouteTable>) {
        self.router = Router::Table(table);
    }
}
