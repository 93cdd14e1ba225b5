//! Does the tick loop allocate? A counting allocator looks.
#![allow(
    unsafe_code,
    reason = "`GlobalAlloc` is an unsafe trait; this one counts and hands over to the system's"
)]

use observe::{Offered, PacketView};
use plan::Organisation::{self, Cioq, Iq, Oq};
use setaside_tests::prelude::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call goes to the system's allocator as it came; the counter is a
// constant-initialised thread-local number, which neither allocates nor is dropped.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        unsafe { System.alloc(layout) }
    }
    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        unsafe { System.realloc(old, layout, size) }
    }
    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        unsafe { System.dealloc(old, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Bins of the series, all closed while the run goes on.
const BIN_NS: u64 = 1_000;

/// A scheme in an organisation; in a mesh of 16 nodes, else in a BMIN of as many.
type Case = (SchemeKind, Organisation, bool);

/// Uniform traffic at half load, or (`is_hot`) four nodes that send to node 0 all they can, all the
/// time, and the others half of it.
fn config((scheme, organisation, is_mesh): Case, is_hot: bool, ns: u64) -> FabricConfig {
    let mut workload = WorkloadConfig { load: Some(ratio(1, 2)), ..WorkloadConfig::default() };
    if is_hot {
        workload.load = None;
        workload.groups = vec![
            group("background", ratio(1, 2), 0..12, &[]),
            group("hot", ratio(1, 1), 12..16, &[0]),
        ];
    }
    let topology = match is_mesh {
        true => TopologyConfig::Mesh { width: 4, height: 4, nodes_per_switch: 1 },
        false => TopologyConfig::Bmin { nodes: 16 },
    };
    let mut switch = switch_config(scheme);
    switch.organisation = organisation;
    let network = network(&topology);
    let mut config = fabric_config(network, switch, speedup(organisation), &workload, ns, 1);
    config.run.series_bin = config.time_base.ns_to_ticks_ceil(BIN_NS);
    config
}

/// Allocations of this thread while the run goes from `from` to `to`, ns.
fn allocations(config: &FabricConfig, from: u64, to: u64) -> u64 {
    let mut run = Run::new(config, Engine::Fast).expect("a legal configuration");
    run.step(Tick::ZERO + config.time_base.ns_to_ticks_ceil(from)).expect("no deadlock");
    let (before, hops) = (ALLOCATIONS.get(), run.packet_hops());
    run.step(Tick::ZERO + config.time_base.ns_to_ticks_ceil(to)).expect("no deadlock");
    let made = ALLOCATIONS.get() - before;
    assert!(run.packet_hops() > hops + 10_000, "something happened meanwhile");
    let bins = run.finish(0.0).0.series.len() as u64;
    assert_eq!(bins, to.div_ceil(BIN_NS), "bins were closed meanwhile");
    made
}

/// "Hot paths allocate nothing after construction": queues that are not fixed hardware (packets
/// alive, wake-ups, messages in admittance, credits on a wire) keep the room of their longest time,
/// which uniform traffic soon reaches; nor under congestion, where SAQs come and go and memories
/// are full.
#[test]
fn the_tick_loop_allocates_nothing_after_warm_up() {
    use SchemeKind::{Damq, Dbbm, OneQueue, Recn, RecnBasic, RecnDd, RecnDdIq, VoqNet, VoqSw};
    let cioq = |scheme| (scheme, Cioq, false);
    let uniform = [OneQueue, VoqSw, VoqNet, Dbbm, Damq, Recn].map(cioq).into_iter();
    let uniform = uniform.chain([(VoqSw, Iq, false)]).map(|case| (case, false));
    let congested = [VoqSw, VoqNet, RecnBasic, Recn, RecnDd].map(cioq).map(|case| (case, true));
    let others =
        [(RecnDdIq, Iq, false), (OneQueue, Oq, false), (VoqSw, Cioq, true), (Recn, Cioq, true)];
    let others = others.into_iter().flat_map(|case| [(case, false), (case, true)]);
    for (case, is_hot) in uniform.chain(congested).chain(others) {
        let made = allocations(&config(case, is_hot, 240_000), 200_000, 240_000);
        assert_eq!(made, 0, "{case:?}, hot: {is_hot}: in 40 us after 200 us of warm-up");
    }
}

/// Reads the counter of the thread that its part runs on, when the part comes to tick `from` and to
/// tick `to`: what other threads allocate does not count, nor what starting threads and putting
/// their results together takes.
struct Meter {
    from: Tick,
    to: Tick,
    before: Option<u64>,
    made: Vec<u64>,
}

impl Meter {
    fn new(from: Tick, to: Tick) -> Meter {
        // What the meter itself allocates does not count either.
        Meter { from, to, before: None, made: Vec::with_capacity(1) }
    }

    fn check(&mut self, now: Tick) {
        if now >= self.from && self.made.is_empty() {
            let before = *self.before.get_or_insert(ALLOCATIONS.get());
            if now >= self.to {
                self.made.push(ALLOCATIONS.get() - before);
            }
        }
    }
}

impl Observer for Meter {
    fn fork(&self) -> Option<Meter> {
        Some(Meter::new(self.from, self.to))
    }

    fn merge(&mut self, other: Meter) {
        self.made.extend(other.made);
    }

    fn offered(&mut self, view: View<'_>, _: Offered) {
        self.check(view.now);
    }

    fn ejected(&mut self, view: View<'_>, _: Place, _: PacketView) {
        self.check(view.now);
    }
}

/// On two threads too: letter boxes between parts and what the parts note of their SAQs keep their
/// room. Not counted is what a call takes at its start and end: the threads, and their notes put
/// together (`Observer::meet`), every 100 us here.
#[test]
fn the_tick_loop_of_two_threads_allocates_nothing_after_warm_up() {
    let cases = [
        ((SchemeKind::VoqSw, Cioq, false), false),
        ((SchemeKind::Recn, Cioq, false), false),
        ((SchemeKind::Recn, Cioq, false), true),
        ((SchemeKind::RecnDdIq, Iq, false), true),
    ];
    for (case, is_hot) in cases {
        let config = config(case, is_hot, 240_000);
        let tick = |ns| Tick::ZERO + config.time_base.ns_to_ticks_ceil(ns);
        // The third call; the threads of each start with a counter of their own.
        let (from, to) = (tick(5_000) + config.run.watchdog * 2, tick(239_000));
        let mut run = Run::with(&config, threads(2), Meter::new(from, to)).expect("legal");
        assert_eq!(run.threads(), 2);
        run.step(Tick::MAX).expect("no deadlock");
        let (record, meter) = run.finish(0.0);
        assert!(record.summary.packet_hops > 60_000);
        assert_eq!(meter.made, [0, 0], "{}: allocations of each thread", config.switch.scheme);
    }
}

/// The counter counts: building a fabric allocates.
#[test]
fn building_is_seen_by_the_counter() {
    let before = ALLOCATIONS.get();
    let run = Run::new(&config((SchemeKind::VoqSw, Cioq, false), false, 1_000), Engine::Fast);
    assert!(run.is_ok() && ALLOCATIONS.get() > before + 100);
}
