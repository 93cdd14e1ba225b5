//! Threads: the parts of a fabric, each on a thread of its own, in windows.
//!
//! A part is a whole [`Flat`] in which only its own switches and end nodes do anything. What one
//! sends to another has an effect there at least `lookahead` ticks later, so that within a window
//! of that length no part can notice what another does. At the end of a window all threads meet,
//! and each takes in what the others have sent it. The next window starts when the first thing is
//! due anywhere.

mod barrier;
mod letters;
mod partition;

pub(crate) use letters::Post;

use super::build::ticks;
use super::{Flat, Mode, T};
use barrier::Barrier;
use letters::Letters;
use observe::Observer;
use partition::partition;
use plan::{FabricConfig, Params};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use topology::{Endpoint, Graph};
use units::{Span, Tick};

/// A part with its observer, which a thread holds for a piece of the run.
type Held<'a, 'b, 'c, M, O> = MutexGuard<'a, (&'b mut Flat<M>, &'c mut O)>;

/// Who simulates what.
#[derive(Debug, Clone)]
pub(crate) struct Here {
    /// This part.
    pub(crate) part: u32,
    /// How many there are.
    pub(crate) parts: usize,
    /// By switch: its part. An end node is in the part of its switch.
    of_switch: Arc<[u32]>,
}

impl Here {
    /// The first part of a network cut into at most so many.
    pub(crate) fn new(graph: &Graph, parts: usize) -> Here {
        let (parts, of_switch) = partition(graph, parts);
        Here { part: 0, parts, of_switch: of_switch.into() }
    }

    /// All parts, each as it sees itself.
    pub(crate) fn each(&self) -> impl Iterator<Item = Here> {
        (0..self.parts as u32).map(|part| Here { part, ..self.clone() })
    }

    /// The part of a switch.
    pub(crate) fn of(&self, switch: u32) -> usize {
        self.of_switch[switch as usize] as usize
    }

    /// Whether a switch is simulated here.
    pub(crate) fn has(&self, switch: u32) -> bool {
        self.of_switch[switch as usize] == self.part
    }

    /// Least time from sending to any effect over the links that are cut: wire, then stages of the
    /// receiver or the length of a control packet.
    fn lookahead(&self, config: &FabricConfig, params: &Params) -> Span {
        let credit = params.credit_span + params.stages.credit_return;
        let mut stages = params.stages.ingress.min(credit);
        if params.recn.is_some() {
            stages = stages.min(params.named_span);
        }
        if let Some(pause) = &params.pause {
            stages = stages.min(pause.span);
        }
        let cut = self.cut(config.network.graph());
        let wires = cut.map(|(s, port, _)| config.link.latency(s, port));
        wires.min().map_or(Span::MAX, |wire| wire + stages)
    }

    /// The links that are cut: port, and the switch behind it.
    fn cut<'a>(&'a self, graph: &'a Graph) -> impl Iterator<Item = (u32, u8, u32)> + 'a {
        let ports = (0..graph.switches() as u32)
            .flat_map(|s| (0..graph.ports(s) as u8).map(move |port| (s, port)));
        ports.filter_map(|(s, port)| match graph.peer(s, port) {
            Endpoint::Port { switch, .. } if self.of(switch) != self.of(s) => {
                Some((s, port, switch))
            }
            _ => None,
        })
    }

    /// Empty letters from each part to each, with room for one on every link: within a window it
    /// seldom sends more.
    fn letters(&self, graph: &Graph) -> Vec<Letters> {
        let mut links = vec![0; self.parts * self.parts];
        for (from, _, to) in self.cut(graph) {
            links[self.of(from) * self.parts + self.of(to)] += 1;
        }
        links.into_iter().map(Letters::with_room).collect()
    }
}

/// Letter boxes between parts, in two sets: while one is read, the next window fills the other.
#[derive(Debug)]
pub(crate) struct Exchange {
    parts: usize,
    /// Threads at most: where there are fewer than parts, the first has several.
    threads_max: usize,
    lookahead: T,
    cores: usize,
    sets: [BoxSet; 2],
}

/// The letter boxes of one window.
#[derive(Debug)]
struct BoxSet {
    /// By sender, then receiver.
    letters: Vec<Mutex<Letters>>,
    /// By part: the first tick at which anything is due there, or that it has sent is due
    /// elsewhere.
    due: Vec<AtomicU32>,
}

impl BoxSet {
    fn new(here: &Here, graph: &Graph) -> BoxSet {
        BoxSet {
            letters: here.letters(graph).into_iter().map(Mutex::new).collect(),
            due: (0..here.parts).map(|_| AtomicU32::new(0)).collect(),
        }
    }
}

type Outcome = Result<(), Box<dyn Any + Send>>;

impl Exchange {
    /// Between the parts of a fabric.
    pub(crate) fn new(here: &Here, config: &FabricConfig, params: &Params) -> Exchange {
        let graph = config.network.graph();
        Exchange {
            parts: here.parts,
            threads_max: here.parts,
            lookahead: ticks(here.lookahead(config, params)),
            cores: thread::available_parallelism().map_or(1, usize::from),
            sets: [BoxSet::new(here, graph), BoxSet::new(here, graph)],
        }
    }

    /// Runs on at most so many threads from now on.
    pub(crate) fn limit_threads(&mut self, threads: usize) {
        self.threads_max = threads;
    }

    /// Threads that it asks the system for, this one included.
    pub(crate) fn threads(&self) -> usize {
        self.threads_max.min(self.parts)
    }

    /// Runs all parts, each with its observer, up to, not including, tick `end`.
    ///
    /// # Panics
    /// As the first part that does; the others then stop at the end of the window.
    pub(crate) fn run<'a, M: Mode, O: Observer + 'a>(
        &self,
        parts: &mut [Flat<M>],
        observers: impl Iterator<Item = &'a mut O>,
        end: Tick,
    ) {
        if let [part] = parts {
            return observers.for_each(|observer| part.run_until(observer, end));
        }
        let work: Vec<_> = parts.iter_mut().zip(observers).map(Mutex::new).collect();
        assert!(work.len() == self.parts, "a run goes on after its observers were merged");
        let barrier = Barrier::new();
        let run = |mine: &[usize]| -> Outcome {
            // Unwind safety: a fabric in which an invariant is broken is not run on.
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                let own = mine.iter().map(|&n| (n, lock(&work[n]))).collect();
                self.windows(own, &barrier, end.0 as T);
            }));
            if outcome.is_err() {
                barrier.fail();
            }
            outcome
        };
        let outcomes: Vec<Outcome> = thread::scope(|scope| {
            let (mut mine, mut others) = (vec![0], Vec::new());
            for part in 1..self.parts {
                let run = &run;
                let thread = thread::Builder::new().name(format!("part-{part}"));
                let spawned = (1 + others.len() < self.threads_max)
                    .then(|| thread.spawn_scoped(scope, move || run(&[part])));
                match spawned {
                    Some(Ok(thread)) => others.push(thread),
                    _ => mine.push(part), // no further thread to be had: this one does the work
                }
            }
            barrier.open(1 + others.len(), self.cores);
            let first = run(&mine);
            let joined = others.into_iter().map(|thread| thread.join().unwrap_or_else(Err));
            std::iter::once(first).chain(joined).collect()
        });
        if let Some(payload) = outcomes.into_iter().find_map(Result::err) {
            resume_unwind(payload);
        }
    }

    /// What one thread does with its parts.
    fn windows<M: Mode, O: Observer>(
        &self,
        mut own: Vec<(usize, Held<'_, '_, '_, M, O>)>,
        barrier: &Barrier,
        end: T,
    ) {
        let mut window = 0;
        let mut at = own.first().map_or(end, |(_, work)| work.0.now);
        while at < end {
            let stop = end.min(at.saturating_add(self.lookahead));
            let set = &self.sets[window % 2];
            for (n, work) in &mut own {
                let (part, observer) = &mut **work;
                part.run_until(*observer, Tick(stop.into()));
                self.send(set, *n, part);
            }
            if !barrier.wait() {
                return;
            }
            for (n, work) in &mut own {
                let (part, observer) = &mut **work;
                for from in 0..self.parts {
                    let mut letters = lock(&set.letters[from * self.parts + *n]);
                    part.take_in(*observer, &mut letters);
                }
            }
            // Before that nothing happens anywhere.
            let due = set.due.iter().map(|due| due.load(Ordering::Acquire)).min();
            at = due.map_or(end, |due| due.clamp(stop, end));
            debug_assert!(own.iter_mut().all(|own| own.1.0.wheel.first(stop) >= at));
            window += 1;
        }
        for (_, work) in &mut own {
            work.0.now = end;
        }
    }

    /// Part `n` has come to the end of a window.
    fn send<M: Mode>(&self, set: &BoxSet, n: usize, part: &mut Flat<M>) {
        let due = part.close_window(|to, letters| {
            // What is there was read two windows ago: the room of its lists is used again.
            std::mem::swap(&mut *lock(&set.letters[n * self.parts + to]), letters);
        });
        set.due[n].store(due, Ordering::Release);
    }
}

/// Poisoned is what a failed run leaves, which ends with the failure.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
