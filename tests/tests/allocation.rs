//! Does the tick loop allocate? A counting allocator looks.
#![allow(
    unsafe_code,
    reason = "`GlobalAlloc` is an unsafe trait; this one counts and hands over to the system's"
)]

use fabric::{Engine, FabricConfig, Run};
use setaside_tests::base::{fabric_config, network, ratio, switch_config};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use switch::SchemeKind;
use topology::TopologyConfig;
use workload::{GroupConfig, Pattern, Sources, WorkloadConfig};

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call goes to the system's allocator as it came; the counter is a constant-initialised thread-local number,
// which neither allocates nor is dropped.
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

/// Uniform traffic at half load.
fn uniform(scheme: SchemeKind, ns: u64) -> FabricConfig {
    let workload = WorkloadConfig {
        load: Some(ratio(1, 2)),
        ..WorkloadConfig::default()
    };
    bmin_16(scheme, &workload, ns)
}

/// A BMIN of 16 nodes; one bin of the series, since closing a bin stores a line of results.
fn bmin_16(scheme: SchemeKind, workload: &WorkloadConfig, ns: u64) -> FabricConfig {
    let bmin = network(&TopologyConfig::Bmin { nodes: 16 }, false);
    let mut config = fabric_config(bmin, switch_config(scheme), ratio(3, 2), workload, ns, 1);
    config.run.series_bin = config.run.duration;
    config
}

/// The same with a hot spot: four nodes send to node 0 all they can, all the time.
fn congested(scheme: SchemeKind, ns: u64) -> FabricConfig {
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
    bmin_16(scheme, &workload, ns)
}

/// Allocations of this thread while the run goes from `from` to `to`, ns.
fn allocations(config: &FabricConfig, from: u64, to: u64) -> u64 {
    let mut run = Run::new(config, Engine::Fast).expect("a legal configuration");
    run.step(config.time_base.ns_to_ticks_ceil(from))
        .expect("no deadlock");
    let (before, hops) = (ALLOCATIONS.get(), run.packet_hops());
    run.step(config.time_base.ns_to_ticks_ceil(to))
        .expect("no deadlock");
    assert!(
        run.packet_hops() > hops + 10_000,
        "something happened meanwhile"
    );
    ALLOCATIONS.get() - before
}

/// "Hot paths allocate nothing after construction": queues that are not fixed hardware (packets alive, wake-ups, messages
/// in admittance, credits on a wire) keep the room of their longest time, which uniform traffic soon reaches.
#[test]
fn the_tick_loop_allocates_nothing_after_warm_up() {
    for scheme in [
        SchemeKind::OneQueue,
        SchemeKind::VoqSw,
        SchemeKind::VoqNet,
        SchemeKind::Dbbm,
        SchemeKind::Damq,
        SchemeKind::Recn,
    ] {
        let made = allocations(&uniform(scheme, 240_000), 200_000, 240_000);
        assert_eq!(
            made, 0,
            "{scheme}: allocations in 40 us after 200 us of warm-up"
        );
    }
}

/// The same under congestion: SAQs come and go, memories are full.
#[test]
fn the_tick_loop_allocates_nothing_under_lasting_congestion() {
    for scheme in [
        SchemeKind::VoqSw,
        SchemeKind::VoqNet,
        SchemeKind::RecnBasic,
        SchemeKind::Recn,
        SchemeKind::RecnDd,
    ] {
        let made = allocations(&congested(scheme, 240_000), 200_000, 240_000);
        assert_eq!(
            made, 0,
            "{scheme}: allocations in 40 us after 200 us of congestion"
        );
    }
}

/// The counter counts: building a fabric allocates.
#[test]
fn building_is_seen_by_the_counter() {
    let before = ALLOCATIONS.get();
    let run = Run::new(&uniform(SchemeKind::VoqSw, 1_000), Engine::Fast);
    assert!(run.is_ok() && ALLOCATIONS.get() > before + 100);
}
