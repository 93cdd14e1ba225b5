//! The unit: registers, and which rules they follow.

use super::paper::Seen;
use super::{Configured, Effect, Message, RecoveryError, Region};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use units::PortId;
use units::bits::ones;

units::named! {
    /// Which rules: the key `faults.protocol` (spec: rsi.md, Fault discovery and recovery).
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
    pub enum Protocol: "protocol" {
        /// A bit an entry and port, set and cleared by the FR and FD of the neighbour there.
        #[default]
        PerEntry = "per-entry",
        /// The published rules (lai-rsi), cleaned of misprints. They leave wrong tables.
        Paper = "paper",
    }
}

/// Fault discovery and recovery of one router.
///
/// Every method takes an event and appends its effects. Events of one tick come by port; a port
/// without a link has none.
///
/// The owner guarantees: between two times that a link is up, both ends have been notified that it
/// is down, and what was on its way then is lost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recovery {
    pub(crate) configured: Arc<Configured>,
    /// Links that are up: messages are sent there.
    pub(crate) up: u64,
    /// Links that may be used: up, and the other end has sent its empty entries.
    pub(crate) live: u64,
    /// By entry: bit i = the last word from port i is that the entry can be reached. Never more
    /// than the configured ports.
    pub(crate) valid: Box<[u64]>,
    /// `Protocol::Paper` only.
    pub(crate) paper: Option<Box<Seen>>,
}

/// The tables never change, so that only registers make a difference.
impl Hash for Recovery {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (self.up, self.live).hash(hasher);
        self.valid.hash(hasher);
        self.paper.hash(hasher);
    }
}

impl Recovery {
    /// A router of a fabric without faults: every link is up and live, every configured port is
    /// valid.
    ///
    /// # Panics
    /// With `Protocol::Paper`, if a port with a link has no address in the tables
    /// ([`Configured::with_places`]).
    pub fn new(protocol: Protocol, configured: impl Into<Arc<Configured>>) -> Recovery {
        let configured = configured.into();
        let last = 64 - configured.linked().leading_zeros() as usize;
        assert!(
            protocol == Protocol::PerEntry || configured.peers.len() >= last,
            "{} addresses behind ports, {last} are needed",
            configured.peers.len()
        );
        Recovery {
            up: configured.linked(),
            live: configured.linked(),
            valid: configured.table.all().into(),
            paper: (protocol == Protocol::Paper).then(Box::default),
            configured,
        }
    }

    /// The router fails, or starts anew: every link is down, every entry is empty, and nothing is
    /// sent. It comes back by [`Recovery::port_up`] of its links. Numbers of the paper's packets go
    /// on.
    pub fn restart(&mut self, effects: &mut Vec<Effect>) {
        for at in 0..self.valid.len() {
            if self.ports(at) != 0 {
                self.valid[at] = 0;
                self.show(at, effects);
            }
        }
        (self.up, self.live) = (0, 0);
        self.valid.fill(0);
        if let Some(paper) = &mut self.paper {
            paper.forget();
        }
    }

    /// The link of a port has failed, or the router behind it. Nothing, if it was down.
    pub fn port_down(&mut self, port: PortId, effects: &mut Vec<Effect>) {
        let bit = self.bit(port);
        if self.up & bit == 0 {
            return;
        }
        let live = self.live;
        self.up &= !bit;
        self.live &= !bit;
        if self.paper.is_some() {
            self.paper_down(port, effects);
        } else {
            self.leave(port, live, effects);
        }
    }

    /// The link of a port works again: sends FD of the empty entries, then [`Message::End`]. The
    /// port is live once `End` has come from the other end. Nothing, if it was up.
    pub fn port_up(&mut self, port: PortId, effects: &mut Vec<Effect>) {
        let bit = self.bit(port);
        if bit == 0 || self.up & bit != 0 {
            return;
        }
        self.up |= bit;
        if self.paper.is_some() {
            self.live |= bit;
            self.recover(port, None, effects);
        } else {
            self.introduce(port, effects);
        }
    }

    /// A message comes from a port. What comes while the link is down is lost with it.
    ///
    /// # Errors
    /// If the message cannot be from a router of this fabric.
    pub fn receive(
        &mut self,
        port: PortId,
        message: Message,
        effects: &mut Vec<Effect>,
    ) -> Result<(), RecoveryError> {
        if self.up & self.bit(port) == 0 {
            return Ok(());
        }
        match (message, self.paper.is_some()) {
            (Message::Unreachable(region) | Message::Reachable(region), false) => {
                let is_reachable = matches!(message, Message::Reachable(_));
                self.set_reachable(port, self.at(port, region)?, is_reachable, effects);
            }
            (Message::End, false) => self.join(port, effects),
            (Message::Failed(place, stamp), true) => {
                let at = self.at(port, self.region_of(place))?;
                if self.is_new(stamp) {
                    self.fail(port, at, place, Some(stamp), effects);
                }
            }
            (Message::Recovered(stamp), true) => {
                if self.is_new(stamp) {
                    self.recover(port, Some(stamp), effects);
                }
            }
            _ => {
                return Err(RecoveryError(format!(
                    "a message from port {port} is of another protocol than this router's"
                )));
            }
        }
        Ok(())
    }

    /// The ports that an entry names, bit i = port i: configured, valid and live. With
    /// `Protocol::Paper` a port may be in it that is not live, since its rules forget to take it
    /// out.
    pub fn entry(&self, region: Region) -> u64 {
        let at = self.configured.table.find(region);
        self.ports(at.expect("an entry of the tables"))
    }

    /// Links that are up, as a mask: messages go out there.
    pub fn up(&self) -> u64 {
        self.up
    }

    /// Ports that may be used, as a mask: the link is up, and the other end has sent its list.
    pub fn live(&self) -> u64 {
        self.live
    }

    /// The tables as configured.
    pub fn configured(&self) -> &Configured {
        &self.configured
    }

    /// Which rules.
    pub fn protocol(&self) -> Protocol {
        if self.paper.is_some() { Protocol::Paper } else { Protocol::PerEntry }
    }

    pub(crate) fn ports(&self, at: usize) -> u64 {
        match self.paper {
            None => self.valid[at] & self.live,
            Some(_) => self.valid[at],
        }
    }

    /// The entry has changed.
    pub(crate) fn show(&self, at: usize, effects: &mut Vec<Effect>) {
        effects.push(Effect::Entry { region: self.configured.table.at(at), ports: self.ports(at) });
    }

    /// A message to all links of these that are up.
    pub(crate) fn send(&self, ports: u64, message: Message, effects: &mut Vec<Effect>) {
        for port in ones(ports & self.up).map(PortId::at) {
            effects.push(Effect::Send { port, message });
        }
    }

    fn at(&self, port: PortId, region: Region) -> Result<usize, RecoveryError> {
        self.configured.table.find(region).ok_or_else(|| {
            let table = &self.configured.table;
            let (nodes, super_nodes) = (table.nodes(), table.super_nodes());
            RecoveryError(format!(
                "a message from port {port} is about {region:?}; the tables have {nodes} nodes \
                 and {super_nodes} super nodes"
            ))
        })
    }

    /// The bit of a port with a link, else nothing.
    fn bit(&self, port: PortId) -> u64 {
        1_u64.checked_shl(port.0.into()).unwrap_or(0) & self.configured.linked()
    }
}
