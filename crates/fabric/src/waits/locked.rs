//! Queues that can never move again. A queue waits *for one of* several others, so a cycle of waits
//! alone proves nothing; what does is a set of queues whose heads all wait for members of the set.
//! Whatever a head could get from elsewhere (the link, the crossbar, an end node, a wire) takes it
//! out of the set.

use super::{At, Standing};
use std::ops::Range;
use units::Tick;

/// One condition for the head of a queue to move: one of `from` must move first.
#[derive(Debug, Clone)]
struct Need {
    /// Number of the queue among the heads.
    head: usize,
    /// Range in the list of queues.
    from: Range<usize>,
}

/// The search, with lists that are used again.
#[derive(Debug, Default)]
pub(crate) struct Locked {
    /// Queues whose heads have stood long enough to be looked at, sorted.
    heads: Vec<At>,
    needs: Vec<Need>,
    /// Numbers of heads.
    from: Vec<usize>,
    stuck: Vec<bool>,
    still_stuck: Vec<bool>,
    list: Vec<At>,
}

impl Locked {
    /// Counts the queues that can never move again, of those with a head visible by `before`.
    pub(crate) fn search(&mut self, fabric: &impl Standing, before: Tick) -> usize {
        self.heads.clear();
        fabric.add_queues(before, &mut self.heads);
        debug_assert!(self.heads.is_sorted());
        self.needs.clear();
        self.from.clear();
        for number in 0..self.heads.len() {
            self.look_at(fabric, number);
        }
        self.stuck.clear();
        self.stuck.resize(self.heads.len(), true);
        while self.shrink() {}
        self.stuck.iter().filter(|&&stuck| stuck).count()
    }

    /// Notes each condition for a head to move, as far as only others that stand can meet it. One
    /// of which nothing is noted goes when its turn comes.
    fn look_at(&mut self, fabric: &impl Standing, number: usize) {
        let at = self.heads[number];
        let Some(head) = fabric.head(at) else { return };
        if head.behind_marker {
            self.need(number, fabric.marker_host(at).as_slice());
        }
        if head.is_blocked {
            self.need(number, fabric.xon_from(at).as_slice());
        }
        if head.lacks_room() && !head.is_moved {
            let mut list = std::mem::take(&mut self.list);
            list.clear();
            if fabric.add_holders(at, &head, &mut list) {
                self.need(number, &list);
            }
            self.list = list;
        }
    }

    /// `head` needs one of these queues to move. If one of them is none that stands, that one may.
    fn need(&mut self, head: usize, queues: &[At]) {
        let start = self.from.len();
        for at in queues {
            match self.heads.binary_search(at) {
                Ok(queue) => self.from.push(queue),
                Err(_) => return self.from.truncate(start),
            }
        }
        if self.from.len() > start {
            let from = start..self.from.len();
            self.needs.push(Need { head, from });
        }
    }

    /// Takes out the queues whose every need may be met from outside. Whether there were any.
    fn shrink(&mut self) -> bool {
        self.still_stuck.clear();
        self.still_stuck.resize(self.heads.len(), false);
        for need in &self.needs {
            if self.is_hopeless(need) {
                self.still_stuck[need.head] = true;
            }
        }
        let shrunk = self.stuck != self.still_stuck;
        std::mem::swap(&mut self.stuck, &mut self.still_stuck);
        shrunk
    }

    fn is_hopeless(&self, need: &Need) -> bool {
        self.stuck[need.head] && self.queues(need).iter().all(|&queue| self.stuck[queue])
    }

    fn queues(&self, need: &Need) -> &[usize] {
        &self.from[need.from.clone()]
    }

    /// A cycle of waits among the queues found, each waiting for the next one and the last for the
    /// first; the lowest queue of the cycle that the lowest queue leads to comes first.
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
            let mut needs = self.needs.iter().filter(|n| n.head == head);
            next = needs
                .find(|need| self.is_hopeless(need))
                .and_then(|need| self.queues(need).first())
                .copied();
        }
        way.into_iter().map(|head| self.heads[head]).collect()
    }

    /// Since when the heads of all these queues have been where they are.
    pub(crate) fn since(fabric: &impl Standing, queues: &[At]) -> Tick {
        let heads = queues.iter().filter_map(|at| fabric.head(*at));
        heads.map(|head| head.visible).max().unwrap_or(Tick::ZERO)
    }
}
