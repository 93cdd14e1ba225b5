//! Do random fabrics come to the corners of the RECN protocols, and do their rules hold there, in
//! whole fabrics and event by event? What one port decides is tested in `crates/recn/tests`, every
//! order of events by `model_checking.rs`.

use fabric::{Engine, Fabric};
use observe::{Event, Observer, PacketKey, PacketView, Place, Side, View};
use plan::{FabricConfig, Params, SchemeKind, checked};
use proptest::prelude::*;
use setaside_tests::base::{fabric_config, network, ratio, switch_config};
use setaside_tests::corners::{Corners, Counts};
use setaside_tests::erased::Erased;
use setaside_tests::family::adversarial;
use setaside_tests::lives::Lives;
use setaside_tests::property::fixed;
use setaside_tests::random::case;
use setaside_tests::watch::Watch;
use std::collections::BTreeMap;
use topology::TopologyConfig;
use units::{QueueId, Span, Tick};
use workload::{GroupConfig, MessageBytes, Sources, WorkloadConfig};

fn params(config: &FabricConfig) -> Params {
    checked(config).expect("legal")
}

/// The corners that a fabric comes to until it has drained.
fn corners(config: &FabricConfig) -> Counts {
    let graph = config.network.graph();
    let ports = (0..graph.switches() as u32).map(|s| graph.ports(s) as u16);
    let detection = matches!(config.switch.scheme, SchemeKind::Recn | SchemeKind::RecnDd);
    let saqs = u32::from(config.switch.recn.saqs);
    let observer = Corners::new(saqs, detection, ports.collect());
    let mut fabric = Fabric::new(config, Engine::Fast, Erased::new(observer)).expect("legal");
    assert_eq!(fabric.drain(Tick(2_000_000)).expect("no deadlock"), None);
    fabric.observer.of::<Corners>().counts
}

/// Those of the first cases of a version.
fn first_cases(scheme: SchemeKind, cases: u64, change: impl Fn(&mut FabricConfig)) -> Counts {
    let mut total = Counts::default();
    for seed in 0..cases {
        let mut config = adversarial(scheme, seed);
        change(&mut config);
        total.add(&corners(&config));
    }
    total
}

/// The cases are worth something only if they come to the corners of the protocols: as many at
/// least, 0 none at all.
#[test]
fn cases_reach_the_corners_of_the_protocols() {
    let names = [
        "allocations",
        "no free SAQ",
        "allocated after a refusal",
        "less specific",
        "nested",
        "nested behind a marker",
        "swaps",
        "freed unvisited",
        "repeated Xoff",
        "moves",
        "tokens",
        "NACKs",
        "ignored",
        "more specific refused",
        "adoptions",
        "allocated by a repeated Xoff",
    ];
    // `None`: not looked at.
    let (any, none) = (None, Some(0));
    for (scheme, least) in [
        (
            SchemeKind::RecnBasic,
            [
                Some(30_000),
                Some(10_000),
                Some(800),
                Some(300),
                none,
                any,
                none,
                any,
                none,
                none,
                Some(30_000),
                Some(2),
                Some(2_000),
                Some(5_000),
                any,
                any,
            ],
        ),
        (
            SchemeKind::Recn,
            [
                Some(50_000),
                Some(20_000),
                Some(1_000),
                Some(700),
                Some(1_000),
                Some(700),
                Some(10_000),
                Some(20_000),
                none,
                none,
                Some(40_000),
                any,
                Some(10_000),
                none,
                Some(7_000),
                any,
            ],
        ),
        (
            SchemeKind::RecnDd,
            [
                Some(100_000),
                Some(20_000),
                Some(2_000),
                Some(3_000),
                Some(900),
                Some(900),
                Some(30_000),
                Some(40_000),
                Some(8_000),
                none,
                none,
                none,
                Some(1_000),
                any,
                any,
                Some(1_000),
            ],
        ),
        (
            SchemeKind::RecnDdIq,
            [
                Some(60_000),
                Some(10_000),
                Some(2_000),
                Some(3_000),
                Some(1_000),
                Some(900),
                none,
                Some(20_000),
                Some(10_000),
                Some(60_000),
                none,
                none,
                any,
                any,
                any,
                any,
            ],
        ),
    ] {
        let c = first_cases(scheme, 400, |_| ());
        let counts = [
            c.allocations,
            c.no_free_saq,
            c.allocated_after_refusal,
            c.less_specific,
            c.nested,
            c.nested_with_marker,
            c.swaps,
            c.freed_unvisited,
            c.xoff_repeats,
            c.moves,
            c.tokens,
            c.nacks,
            c.ignored,
            c.more_specific_refused,
            c.adoptions,
            c.allocated_by_repeat,
        ];
        for ((name, count), least) in names.iter().zip(counts).zip(least) {
            let right = least.is_none_or(|n| if n == 0 { count == 0 } else { count >= n });
            assert!(right, "{scheme}, {name}: {count}, at least {least:?} expected (0: none)");
        }
        assert!(c.peak >= 3, "{scheme}: {} SAQs at a port", c.peak);
    }
}

/// "else an allocation refused upstream would never be tried again" (recn.md): with an interval
/// that never ends no refused point is allocated by a repeated Xoff, with a short one many are.
#[test]
fn a_repeated_xoff_retries_a_refused_allocation() {
    let sum = |interval| {
        first_cases(SchemeKind::RecnDd, 100, |config| config.switch.recn.xoff_repeat = interval)
    };
    let (never, often) = (sum(Span(1 << 40)), sum(Span(10)));
    assert_eq!((never.xoff_repeats, never.allocated_by_repeat), (0, 0));
    assert!(often.allocated_by_repeat > 100, "{often:?}");
    assert!(
        often.allocated_after_refusal > never.allocated_after_refusal,
        "{often:?} against {never:?}"
    );
}

proptest! {
    #![proptest_config(fixed(300, 2005))]

    /// "Never freed, in any version: a SAQ that is not empty"; "leaf, age >= `saq_timer_ns`";
    /// "notify the upstream egress [...] once, until it is answered"; Xoff and Xon "if a child
    /// exists" (recn.md): in random fabrics. A line of an upstream egress belongs to one of the
    /// ingress port behind the link until its token is there; both have as many, so nothing is ever
    /// refused over a link.
    #[test]
    fn every_saq_lives_by_the_rules(seed: u64) {
        let config = case(seed, Some(SchemeKind::Recn), 4_000);
        let watch = Erased::new(Watch::with_events());
        let mut fabric = Fabric::new(&config, Engine::Fast, watch).expect("a legal configuration");
        let left = fabric.drain(Tick(4_000_000));
        let left = left.map_err(|e| TestCaseError::fail(format!("seed {seed}: {e}")))?;
        prop_assert!(left.is_none(), "seed {seed}: {left:?}");
        let lives = Lives::check(&config.network, &config, &fabric.observer.of::<Watch>().events);
        prop_assert!(lives.is_ok(), "seed {seed}: {}", lives.unwrap_err());
    }
}

/// Watches the swaps of one run: which packets were in the detection queue, arriving or leaving.
struct Swaps {
    params: Params,
    queues: BTreeMap<(Place, QueueId), Vec<PacketView>>,
    /// Where a packet must leave from, once it was swapped into a SAQ.
    saq: BTreeMap<PacketKey, QueueId>,
    /// End of the transmission that left a detection queue last.
    leaving: BTreeMap<(Place, QueueId), Tick>,
    last: Option<(Place, QueueId)>,
    swaps: u64,
    with_arriving_tail: u64,
    while_leaving: u64,
    left_from_saq: u64,
}

const PORTS: u16 = 4;

impl Swaps {
    fn new(params: Params) -> Swaps {
        Swaps {
            params,
            queues: BTreeMap::new(),
            saq: BTreeMap::new(),
            leaving: BTreeMap::new(),
            last: None,
            swaps: 0,
            with_arriving_tail: 0,
            while_leaving: 0,
            left_from_saq: 0,
        }
    }
}

impl Observer for Swaps {
    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        if place.side != Side::Ingress {
            return;
        }
        match event {
            Event::Stored { packet, queue } => {
                self.queues.entry((place, queue)).or_default().push(packet);
                self.last = Some((place, queue));
                return;
            }
            Event::SaqAllocated { line, .. }
                if self.last.is_some_and(|l| l.0 == place && l.1.0 < PORTS) =>
            {
                let from = self.last.expect("just looked at");
                let saq = QueueId(PORTS + u16::from(line.0));
                let packets = self.queues.remove(&from).unwrap_or_default();
                self.swaps += 1;
                let newest = packets.last().expect("it arrived just now");
                let tail = newest.stored + self.params.lengths(newest.bytes).link;
                self.with_arriving_tail += u64::from(tail > view.now);
                self.while_leaving +=
                    u64::from(self.leaving.get(&from).is_some_and(|&end| end > view.now));
                for packet in &packets {
                    self.saq.insert(packet.key(), saq);
                }
                self.queues.insert((place, saq), packets);
            }
            Event::Departed { packet, queue, .. } => {
                let stored = self.queues.entry((place, queue)).or_default();
                assert_eq!(
                    stored.first().map(PacketView::key),
                    Some(packet.key()),
                    "out of order at {place:?} queue {queue}"
                );
                stored.remove(0);
                if let Some(saq) = self.saq.remove(&packet.key()) {
                    assert_eq!(
                        queue, saq,
                        "a packet that was there at the swap leaves from the SAQ"
                    );
                    self.left_from_saq += 1;
                }
                let length = self.params.lengths(packet.bytes).crossbar;
                self.leaving.insert((place, queue), view.now + length);
            }
            _ => {}
        }
        self.last = None;
    }
}

/// "markers inside go along, and so do the tail of a packet still arriving and a transmission under
/// way" (recn.md): cut-through, three sources to one output, every swap; afterwards every cell is
/// home.
#[test]
fn a_swap_takes_an_arriving_tail_and_a_transmission_along() {
    let (mut tails, mut leaving, mut left) = (0, 0, 0);
    for (scheme, detection) in [SchemeKind::Recn, SchemeKind::RecnDd]
        .into_iter()
        .flat_map(|s| (1..=3).map(move |d| (s, d)))
    {
        let mut switch = switch_config(scheme);
        switch.recn.detection_ingress_packets = detection;
        switch.recn.detection_egress_packets = u32::MAX;
        switch.recn.saq_timer = Span(1);
        let group = GroupConfig {
            name: "all".to_string(),
            destinations: vec![2],
            sources: Sources::List(vec![0, 1, 3]),
            end_ns: Some(4_000),
            ..GroupConfig::default()
        };
        let workload = WorkloadConfig {
            load: None,
            groups: vec![group],
            // Short packets arrive while a long one leaves.
            message_bytes: MessageBytes::Weighted(vec![(64, 1), (8, 3)]),
            ..WorkloadConfig::default()
        };
        let network = network(&TopologyConfig::SingleSwitch { ports: u32::from(PORTS) }, false);
        let config = fabric_config(network, switch, ratio(1, 1), &workload, 4_000, 1);
        let swaps = Swaps::new(params(&config));
        let mut fabric = Fabric::new(&config, Engine::Fast, Erased::new(swaps)).expect("legal");
        assert_eq!(fabric.drain(Tick(1_000_000)).expect("no deadlock"), None);
        let seen = fabric.observer.of::<Swaps>();
        assert!(seen.swaps > 0, "{scheme}, detection {detection}");
        tails += seen.with_arriving_tail;
        leaving += seen.while_leaving;
        left += seen.left_from_saq;
    }
    assert!(
        tails > 10 && leaving > 0 && left > 10,
        "{tails} with a tail arriving, {leaving} while a packet leaves, {left} packets"
    );
}
