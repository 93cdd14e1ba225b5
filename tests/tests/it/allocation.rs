//! Does the tick loop allocate? A counting allocator looks.
#![allow(
    unsafe_code,
    reason = "`GlobalAlloc` is an unsafe trait; this one counts and hands over to the system's"
)]

use fabric::{Engine, Run};
use observe::{Observer, Offered, PacketView, Place, View};
use plan::FabricConfig;
use plan::{Organisation, SchemeKind};
use setaside_tests::base::{fabric_config, network, ratio, switch_config};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fmt;
use std::num::NonZeroUsize;
use topology::TopologyConfig;
use units::Tick;
use workload::{GroupConfig, Pattern, Sources, WorkloadConfig};

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

/// A scheme, with the organisation and the network that it is in.
struct Case {
    scheme: SchemeKind,
    organisation: Organisation,
    topology: TopologyConfig,
}

impl Case {
    /// In a BMIN of 16 nodes.
    fn bmin(scheme: SchemeKind) -> Case {
        Case {
            scheme,
            organisation: Organisation::Cioq,
            topology: TopologyConfig::Bmin { nodes: 16 },
        }
    }

    /// In a mesh of 16 nodes.
    fn mesh(scheme: SchemeKind) -> Case {
        Case {
            topology: TopologyConfig::Mesh { width: 4, height: 4, nodes_per_switch: 1 },
            ..Case::bmin(scheme)
        }
    }

    fn organised(self, organisation: Organisation) -> Case {
        Case { organisation, ..self }
    }

    fn config(&self, workload: &WorkloadConfig, ns: u64) -> FabricConfig {
        let network = network(&self.topology, false);
        let mut switch = switch_config(self.scheme);
        switch.organisation = self.organisation;
        let speedup = match self.organisation {
            Organisation::Cioq => ratio(3, 2),
            Organisation::Iq | Organisation::Oq => ratio(1, 1),
        };
        let mut config = fabric_config(network, switch, speedup, workload, ns, 1);
        config.run.series_bin = config.time_base.ns_to_ticks_ceil(BIN_NS);
        config
    }

    /// Uniform traffic at half load.
    fn uniform(&self, ns: u64) -> FabricConfig {
        let workload = WorkloadConfig { load: Some(ratio(1, 2)), ..WorkloadConfig::default() };
        self.config(&workload, ns)
    }

    /// With a hot spot: four nodes send to node 0 all they can, all the time.
    fn congested(&self, ns: u64) -> FabricConfig {
        let workload = WorkloadConfig {
            load: None,
            groups: vec![
                GroupConfig {
                    name: "background".to_string(),
                    load: Some(ratio(1, 2)),
                    pattern: Pattern::Uniform,
                    sources: Sources::List((0..12).collect()),
                    ..GroupConfig::default()
                },
                GroupConfig {
                    name: "hot".to_string(),
                    load: Some(ratio(1, 1)),
                    pattern: Pattern::Hot,
                    destinations: vec![0],
                    sources: Sources::List((12..16).collect()),
                    ..GroupConfig::default()
                },
            ],
            ..WorkloadConfig::default()
        };
        self.config(&workload, ns)
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {:?}, {:?}", self.scheme, self.organisation, self.topology)
    }
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
/// which uniform traffic soon reaches.
#[test]
fn the_tick_loop_allocates_nothing_after_warm_up() {
    for case in [
        Case::bmin(SchemeKind::OneQueue),
        Case::bmin(SchemeKind::VoqSw),
        Case::bmin(SchemeKind::VoqNet),
        Case::bmin(SchemeKind::Dbbm),
        Case::bmin(SchemeKind::Damq),
        Case::bmin(SchemeKind::Recn),
        Case::bmin(SchemeKind::VoqSw).organised(Organisation::Iq),
        Case::bmin(SchemeKind::RecnDdIq).organised(Organisation::Iq),
        Case::bmin(SchemeKind::OneQueue).organised(Organisation::Oq),
        Case::mesh(SchemeKind::VoqSw),
        Case::mesh(SchemeKind::Recn),
    ] {
        let made = allocations(&case.uniform(240_000), 200_000, 240_000);
        assert_eq!(made, 0, "{case}: allocations in 40 us after 200 us of warm-up");
    }
}

/// Nor under congestion: SAQs come and go, memories are full.
#[test]
fn the_tick_loop_allocates_nothing_under_lasting_congestion() {
    for case in [
        Case::bmin(SchemeKind::VoqSw),
        Case::bmin(SchemeKind::VoqNet),
        Case::bmin(SchemeKind::RecnBasic),
        Case::bmin(SchemeKind::Recn),
        Case::bmin(SchemeKind::RecnDd),
        Case::bmin(SchemeKind::RecnDdIq).organised(Organisation::Iq),
        Case::bmin(SchemeKind::OneQueue).organised(Organisation::Oq),
        Case::mesh(SchemeKind::VoqSw),
        Case::mesh(SchemeKind::Recn),
    ] {
        let made = allocations(&case.congested(240_000), 200_000, 240_000);
        assert_eq!(made, 0, "{case}: allocations in 40 us after 200 us of congestion");
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
        Meter {
            from,
            to,
            before: None,
            // What the meter itself allocates does not count either.
            made: Vec::with_capacity(1),
        }
    }

    fn look(&mut self, now: Tick) {
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
        self.look(view.now);
    }

    fn ejected(&mut self, view: View<'_>, _: Place, _: PacketView) {
        self.look(view.now);
    }
}

/// On two threads too: letter boxes between parts and what the parts note of their SAQs keep their
/// room. Not counted is what a call takes at its start and end: the threads, and their notes put
/// together (`Observer::meet`), every 100 us here.
#[test]
fn the_tick_loop_of_two_threads_allocates_nothing_after_warm_up() {
    let case = Case::bmin;
    let configs = [
        case(SchemeKind::VoqSw).uniform(240_000),
        case(SchemeKind::Recn).uniform(240_000),
        case(SchemeKind::Recn).congested(240_000),
        case(SchemeKind::RecnDdIq).organised(Organisation::Iq).congested(240_000),
    ];
    for config in &configs {
        let tick = |ns| Tick::ZERO + config.time_base.ns_to_ticks_ceil(ns);
        // The third call; the threads of each start with a counter of their own.
        let (from, to) = (tick(5_000) + config.run.watchdog * 2, tick(239_000));
        let threads = Engine::Parallel(NonZeroUsize::new(2).expect("at least one"));
        let mut run = Run::with(config, threads, Meter::new(from, to)).expect("legal");
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
    let run = Run::new(&Case::bmin(SchemeKind::VoqSw).uniform(1_000), Engine::Fast);
    assert!(run.is_ok() && ALLOCATIONS.get() > before + 100);
}
