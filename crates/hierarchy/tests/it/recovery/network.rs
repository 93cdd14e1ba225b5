//! A network in operation: routers, what is on the links, and what has failed.

use super::shape::Shape;
use hierarchy::recovery::{Effect, Message, Protocol, Recovery, Region};
use std::hash::Hash;
use std::sync::Arc;
use units::PortId;
use units::bits::ones;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Action {
    LinkFails(usize),
    /// It is repaired; it comes up as soon as both its ends have seen it down.
    LinkRepaired(usize),
    /// A router fails, and forgets everything.
    RouterFails(usize),
    /// It is repaired.
    RouterRepaired(usize),
    /// An end of a link sees that it is down, or up. Link, end.
    Noticed(usize, usize),
    /// The first message on its way to an end of a link arrives. Link, end.
    Delivered(usize, usize),
}

/// A rule that is broken around the routers, to see that it is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Broken {
    /// What is on the way as a link fails arrives after it has come up.
    Kept,
    /// Empty entries are not sent as a link comes up.
    Unsent,
    /// A link is used before the other end has sent its empty entries.
    Early,
    NoFr,
    /// What is sent later arrives earlier.
    Overtaking,
}

impl Broken {
    pub(crate) const ALL: [Broken; 5] =
        [Broken::Kept, Broken::Unsent, Broken::Early, Broken::NoFr, Broken::Overtaking];
}

/// A state. Routers are shared with the states that have the same.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Network {
    /// The units; that of a failed router is as it starts.
    pub(crate) routers: Vec<Arc<Recovery>>,
    pub(crate) working: Vec<bool>,
    /// Links that have not failed themselves.
    pub(crate) whole: Vec<bool>,
    pub(crate) carries: Vec<bool>,
    /// By link: on the way to each end, in order.
    pub(crate) ways: Vec<[Vec<Message>; 2]>,
    /// Messages that never change anything where they arrive are left out.
    pub(crate) lean: bool,
    /// What is not as it should be.
    pub(crate) broken: Option<Broken>,
}

impl Broken {
    fn tamper(self, action: Action, effects: &mut Vec<Effect>) {
        let message = |effect: &Effect| match *effect {
            Effect::Send { message, .. } => Some(message),
            Effect::Entry { .. } => None,
        };
        let seen_up = effects.last().and_then(message) == Some(Message::End);
        match self {
            Broken::NoFr => {
                effects.retain(|e| !matches!(message(e), Some(Message::Reachable(_))));
            }
            Broken::Unsent if matches!(action, Action::Noticed(..)) && seen_up => {
                effects.retain(|e| message(e) == Some(Message::End));
            }
            Broken::Early if seen_up => {
                let end = effects.pop();
                effects.splice(0..0, end);
            }
            _ => {}
        }
    }
}

impl Network {
    pub(crate) fn new(shape: &Shape, protocol: Protocol) -> Network {
        let router = |tables: &Arc<_>| Arc::new(Recovery::new(protocol, Arc::clone(tables)));
        Network {
            routers: shape.tables.iter().map(router).collect(),
            working: vec![true; shape.tables.len()],
            whole: vec![true; shape.links.len()],
            carries: vec![true; shape.links.len()],
            ways: vec![[Vec::new(), Vec::new()]; shape.links.len()],
            lean: false,
            broken: None,
        }
    }

    /// Failures and repairs that are possible.
    pub(crate) fn faults(&self) -> impl Iterator<Item = Action> {
        let of_link = |(link, &whole)| match whole {
            true => Action::LinkFails(link),
            false => Action::LinkRepaired(link),
        };
        let of_router = |(router, &works)| match works {
            true => Action::RouterFails(router),
            false => Action::RouterRepaired(router),
        };
        let links = self.whole.iter().enumerate().map(of_link);
        links.chain(self.working.iter().enumerate().map(of_router))
    }

    /// What is due: nothing, if the network is at rest.
    pub(crate) fn due(&self, shape: &Shape) -> Vec<Action> {
        let mut due = Vec::new();
        for (link, ends) in shape.links.iter().enumerate() {
            for (end, &(router, port)) in ends.iter().enumerate() {
                let up = self.sees_up(router, port);
                if up != self.carries[link] && self.working[router] {
                    due.push(Action::Noticed(link, end));
                }
                if up && !self.ways[link][end].is_empty() {
                    due.push(Action::Delivered(link, end));
                }
            }
        }
        due
    }

    fn sees_up(&self, router: usize, port: u8) -> bool {
        self.routers[router].up() >> port & 1 == 1
    }

    /// Returns the router that acts, and its effects in order.
    pub(crate) fn step(&mut self, shape: &Shape, action: Action) -> (usize, Vec<Effect>) {
        let (mut acts, mut effects) = (0, Vec::new());
        match action {
            Action::LinkFails(link) => {
                self.whole[link] = false;
                self.cut(link);
            }
            Action::LinkRepaired(link) => self.whole[link] = true,
            Action::RouterFails(router) => {
                self.working[router] = false;
                for &(link, _) in &shape.ports[router] {
                    self.cut(link);
                }
                acts = router;
                Arc::make_mut(&mut self.routers[router]).restart(&mut effects);
            }
            Action::RouterRepaired(router) => self.working[router] = true,
            Action::Noticed(link, end) => {
                let (router, port) = shape.links[link][end];
                acts = router;
                let unit = Arc::make_mut(&mut self.routers[router]);
                if self.carries[link] {
                    unit.port_up(PortId(port), &mut effects);
                } else {
                    unit.port_down(PortId(port), &mut effects);
                }
            }
            Action::Delivered(link, end) => {
                let message = self.ways[link][end].remove(0);
                let (router, port) = shape.links[link][end];
                acts = router;
                let unit = Arc::make_mut(&mut self.routers[router]);
                let received = unit.receive(PortId(port), message, &mut effects);
                received.expect("a message of this network");
            }
        }
        if let Some(broken) = self.broken {
            broken.tamper(action, &mut effects);
        }
        self.carry(shape, acts, &effects);
        self.train(shape);
        (acts, effects)
    }

    /// What is on its way is lost.
    fn cut(&mut self, link: usize) {
        self.carries[link] = false;
        if self.broken != Some(Broken::Kept) {
            self.ways[link] = [Vec::new(), Vec::new()];
        }
    }

    /// What is sent into a link that is down is lost.
    fn carry(&mut self, shape: &Shape, router: usize, effects: &[Effect]) {
        for &effect in effects {
            if let Effect::Send { port, message } = effect {
                let (link, end) = shape.ports[router][port.index()];
                if self.carries[link] && !(self.lean && is_idle(shape, (link, 1 - end), message)) {
                    let way = &mut self.ways[link][1 - end];
                    if self.broken == Some(Broken::Overtaking) {
                        way.insert(0, message);
                    } else {
                        way.push(message);
                    }
                }
            }
        }
    }

    /// Links come up that both ends have seen down.
    fn train(&mut self, shape: &Shape) {
        for (link, ends) in shape.links.iter().enumerate() {
            let ready =
                |&(router, port): &(usize, u8)| self.working[router] && !self.sees_up(router, port);
            if self.whole[link] && !self.carries[link] && ends.iter().all(ready) {
                self.carries[link] = true;
            }
        }
    }

    /// Ports of a mask as the routers behind them.
    pub(crate) fn behind(shape: &Shape, router: usize, ports: u64) -> Vec<usize> {
        ones(ports).map(|port| shape.peer(router, port)).collect()
    }

    fn works(&self, shape: &Shape, link: usize) -> bool {
        self.whole[link] && shape.links[link].iter().all(|end| self.working[end.0])
    }

    /// The entry of a router, from scratch: a port belongs to it if it is configured there, its
    /// link and the router behind it work, and that router is what the entry leads to, or in it, or
    /// reaches it by ports of its own entry. Configured ports lead nearer, so this ends.
    pub(crate) fn pruned(&self, shape: &Shape, router: usize, region: Region) -> u64 {
        let leads = |&port: &usize| {
            let peer = shape.peer(router, port);
            self.works(shape, shape.ports[router][port].0)
                && (shape.is_in(peer, router, region) || self.pruned(shape, peer, region) != 0)
        };
        let configured = shape.tables[router].table().entry(region);
        ones(configured).filter(leads).map(|port| 1 << port).sum()
    }

    /// Entries that are not as from scratch: router, entry, what it is, what it must be.
    pub(crate) fn wrong(&self, shape: &Shape) -> Vec<(usize, Region, u64, u64)> {
        let mut wrong = Vec::new();
        for router in 0..shape.tables.len() {
            for (region, _) in shape.tables[router].table().iter() {
                let is = self.routers[router].entry(region);
                let must = self.pruned(shape, router, region);
                if is != must {
                    wrong.push((router, region, is, must));
                }
            }
        }
        wrong
    }
}

/// Whether a message changes nothing at this end of a link, whatever the registers there: no
/// configured route of its entry goes there.
fn is_idle(shape: &Shape, (link, end): (usize, usize), message: Message) -> bool {
    let (router, port) = shape.links[link][end];
    match message {
        Message::Unreachable(region) | Message::Reachable(region) => {
            shape.tables[router].table().entry(region) >> port & 1 == 0
        }
        _ => false,
    }
}
