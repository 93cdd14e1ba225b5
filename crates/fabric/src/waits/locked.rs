//! Queues that can never move again. A queue waits *for one of* several others: room in a memory that many queues share comes from
//! whichever moves first. So a cycle of waits alone proves nothing; what proves it is a set of queues whose heads all wait for
//! members of the set and for nobody else. Whatever a head could get from elsewhere (the link or the crossbar, an end node, what is
//! on a wire or leaves a memory) takes it out of the set.

use super::{At, Held, Port, room};
use crate::part::Whole;
use switch::{OutPort, Packet, Side};
use units::Tick;

/// One condition for the head of a queue to move: one of `from` must move first.
#[derive(Debug, Clone, Copy)]
struct Need {
    /// Number of the queue among the heads.
    head: u32,
    /// Range in the list of queues.
    from: (u32, u32),
}

/// The search, with lists that are used again.
#[derive(Debug, Default)]
pub(crate) struct Locked {
    /// Queues whose heads have stood long enough to be looked at, sorted.
    heads: Vec<At>,
    needs: Vec<Need>,
    /// Numbers of heads.
    from: Vec<u32>,
    stuck: Vec<bool>,
    still_stuck: Vec<bool>,
}

impl Locked {
    /// Looks for queues that can never move again among those whose heads were stored before `before`. The fabric has been
    /// settled. Returns how many there are.
    pub(crate) fn search(&mut self, whole: Whole<'_>, before: Tick) -> usize {
        self.heads.clear();
        self.needs.clear();
        self.from.clear();
        for (at, port) in whole.holding() {
            for queue in port.queues() {
                if port.head(queue).is_some_and(|p| p.due <= before) {
                    self.heads.push(At { queue, ..at });
                }
            }
        }
        debug_assert!(self.heads.is_sorted());
        for head in 0..self.heads.len() {
            self.needs_of(whole, head);
        }
        self.stuck.clear();
        self.stuck.resize(self.heads.len(), true);
        while self.shrink() {}
        self.stuck.iter().filter(|&&stuck| stuck).count()
    }

    /// Takes out the queues of which every need may be met from outside the set. Whether there were any.
    fn shrink(&mut self) -> bool {
        self.still_stuck.clear();
        self.still_stuck.resize(self.heads.len(), false);
        for need in &self.needs {
            if self.is_hopeless(need) {
                self.still_stuck[need.head as usize] = true;
            }
        }
        let shrunk = self.stuck != self.still_stuck;
        std::mem::swap(&mut self.stuck, &mut self.still_stuck);
        shrunk
    }

    fn is_hopeless(&self, need: &Need) -> bool {
        self.stuck[need.head as usize] && self.queues(need).iter().all(|&q| self.stuck[q as usize])
    }

    fn queues(&self, need: &Need) -> &[u32] {
        &self.from[need.from.0 as usize..need.from.1 as usize]
    }

    /// A cycle of waits among the queues found, each waiting for the next one and the last for the first; the lowest queue of the
    /// cycle that the lowest queue leads to comes first.
    pub(crate) fn cycle(&self) -> Vec<At> {
        let mut way: Vec<usize> = Vec::new();
        let mut next = self.stuck.iter().position(|&stuck| stuck);
        while let Some(head) = next {
            if let Some(start) = way.iter().position(|&w| w == head) {
                way.drain(..start);
                let lowest = (0..way.len()).min_by_key(|&i| way[i]).unwrap_or(0);
                way.rotate_left(lowest);
                break;
            }
            way.push(head);
            let mut needs = self.needs.iter().filter(|n| n.head as usize == head);
            next = needs
                .find(|need| self.is_hopeless(need))
                .and_then(|need| self.queues(need).first())
                .map(|&queue| queue as usize);
        }
        way.into_iter().map(|head| self.heads[head]).collect()
    }

    /// Since when the heads of all these queues have been where they are.
    pub(crate) fn since(whole: Whole<'_>, queues: &[At]) -> Tick {
        let due = |at: &At| whole.port_of(*at).head(at.queue).map_or(0, |p| p.due);
        queues.iter().map(due).max().unwrap_or(0)
    }

    /// Notes what the head of a queue needs, as far as only others that stand can give it. A head that needs nothing of the
    /// kind goes when its turn comes.
    fn needs_of(&mut self, whole: Whole<'_>, head: usize) {
        let at = self.heads[head];
        let port = whole.port_of(at);
        let Some(packet) = port.head(at.queue) else {
            return;
        };
        for held in port.held(at.queue) {
            let giver = match held {
                Held::Marker => marker_host(&port, at),
                Held::Xon => xon_from(whole, &port, at),
            };
            self.need(head, giver.into_iter());
        }
        if is_moved(&port, at, packet) {
            return;
        }
        let output = port.output_of(packet, at.side);
        let (room, class) = (room(output, at.side), packet.class);
        if room.available(class) >= u32::from(packet.cells) {
            return;
        }
        let Some(holder) = holder_of(whole, output, at) else {
            return;
        };
        let there = whole.port_of(holder);
        let queues = || {
            let whole_pool = room.len() == 1;
            let of_class = move |&queue: &u16| whole_pool || queue == class;
            there.queues().filter(of_class)
        };
        // What is not there is on its way in or out, or its credit is on its way back.
        let queued: u32 = queues().map(|queue| there.memory.cells(queue)).sum();
        if queued == room.class(class).in_use() {
            let holding = queues().filter(|&queue| there.memory.cells(queue) > 0);
            self.need(head, holding.map(|queue| At { queue, ..holder }));
        }
    }

    /// `head` needs one of these queues to move. If one of them is none that stands, that one may.
    fn need(&mut self, head: usize, queues: impl Iterator<Item = At>) {
        let start = self.from.len();
        for at in queues {
            match self.heads.binary_search(&at) {
                Ok(queue) => self.from.push(queue as u32),
                Err(_) => return self.from.truncate(start),
            }
        }
        if self.from.len() > start {
            self.needs.push(Need {
                head: head as u32,
                from: (start as u32, self.from.len() as u32),
            });
        }
    }
}

/// The queue that must move for the marker of a SAQ to come on: its host, or, where that holds markers alone, the host of the
/// host's marker.
fn marker_host(port: &Port<'_>, at: At) -> Option<At> {
    let recn = port.recn?;
    let mut queue = at.queue;
    for _ in 0..=recn.cam.lines() {
        queue = port.memory.marker_host(recn.line(queue)?)?;
        if !port.memory.is_empty(queue) {
            return Some(At { queue, ..at });
        }
    }
    None
}

/// The queue at Xoff that holds back a blocked SAQ. None where there is none any more: Xon is on its way.
fn xon_from(whole: Whole<'_>, port: &Port<'_>, at: At) -> Option<At> {
    let recn = port.recn?;
    let point = recn.cam.point(recn.line(at.queue)?);
    let (output, point) = match at.side {
        Side::Egress => (&port.outputs[0], point),
        Side::Ingress => {
            let packet = port.head(at.queue)?;
            let (_, switch) = whole.switch(at.element);
            let rest = point.without_first(switch.turn_width())?;
            (port.output_of(packet, at.side), rest)
        }
    };
    let holder = holder_of(whole, output, at)?;
    let there = whole.port_of(holder).recn?;
    if point.bits() == 0 {
        return there.root_xoff.is_set().then_some(holder);
    }
    let line = there.cam.find(&point)?;
    let queue = there.queue(line);
    let at_xoff = there.lines[usize::from(line)].xoff.is_set();
    at_xoff.then_some(At { queue, ..holder })
}

/// Whether the PPU moves this head: it requests nothing.
fn is_moved(port: &Port<'_>, at: At, packet: &Packet) -> bool {
    let cold = |r: &&switch::RecnPort| r.cold_queue && r.line(at.queue).is_none();
    let recn = port.recn.filter(cold);
    recn.is_some_and(|r| r.cam.lookup(&packet.route).is_some())
}

/// The memory that packets go to next from a side of a port through `output`; its queue 0. None for an end node, which always
/// takes.
fn holder_of(whole: Whole<'_>, output: &OutPort, at: At) -> Option<At> {
    if at.side == Side::Ingress && output.room.is_some() {
        let (part, _) = whole.switch(at.element);
        return Some(At {
            element: at.element,
            side: Side::Egress,
            port: part.medium.owners[output.link.place.port as usize].port,
            queue: 0,
        });
    }
    let owners = &whole.parts.first()?.medium.owners;
    let there = owners.get(output.link.peer.to as usize)?;
    let is_switch = (there.element as usize) < whole.partition.switches.len();
    is_switch.then_some(At {
        element: there.element,
        side: Side::Ingress,
        port: there.port,
        queue: 0,
    })
}
