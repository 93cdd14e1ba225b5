//! Does each corner rule of recn.md hold? Each came from a leak or a stall that a straightforward
//! implementation showed. Here are those that show in a switch or a fabric; what one port decides
//! is tested beside it, in `crates/recn/tests`.

use fabric::{Engine, Fabric};
use flow_control::Control;
use observe::{Event, Observer, PacketKey, PacketView, Place, Side, View};
use plan::{Organisation, Params, SchemeKind};
use setaside_tests::base::{fabric_config, network, ratio, switch_config};
use setaside_tests::bench::{Bench, bench_params, bench_switch};
use setaside_tests::corners::{Corners, Counts};
use setaside_tests::erased::Erased;
use setaside_tests::family::adversarial;
use setaside_tests::tiny::{PORTS as SWITCH_PORTS, one_switch};
use std::collections::BTreeMap;
use switch::{Flow, Packet, Switch};
use topology::TopologyConfig;
use turnpool::{Point, Route};
use units::{PortId, QueueId, Ratio, Span, Tick};
use workload::{GroupConfig, MessageBytes, Sources, WorkloadConfig};

fn counts_of(scheme: SchemeKind, seed: u64, xoff_repeat: Option<Span>) -> Counts {
    let mut config = adversarial(scheme, seed);
    if let Some(repeat) = xoff_repeat {
        config.switch.recn.xoff_repeat = repeat;
    }
    let graph = config.network.graph();
    let ports = (0..graph.switches() as u32).map(|s| graph.ports(s) as u16);
    let observer = Corners::new(
        u32::from(config.switch.recn.saqs),
        scheme == SchemeKind::RecnDd,
        ports.collect(),
    );
    let mut fabric = Fabric::new(&config, Engine::Fast, Erased::new(observer)).expect("legal");
    assert_eq!(fabric.drain(Tick(2_000_000)).expect("no deadlock"), None);
    fabric.observer.of::<Corners>().counts
}

/// "else an allocation refused upstream would never be tried again" (recn.md): with an interval
/// that never ends no refused point is allocated by a repeated Xoff, with a short one many are.
#[test]
fn a_repeated_xoff_retries_a_refused_allocation() {
    let sum = |interval| {
        let mut total = Counts::default();
        for seed in 0..100 {
            total.add(&counts_of(SchemeKind::RecnDd, seed, Some(interval)));
        }
        total
    };
    let (never, often) = (sum(Span(1 << 40)), sum(Span(10)));
    assert_eq!((never.xoff_repeats, never.allocated_by_repeat), (0, 0));
    assert!(often.allocated_by_repeat > 100, "{often:?}");
    assert!(
        often.allocated_after_refusal > never.allocated_after_refusal,
        "{often:?} against {never:?}"
    );
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
        let swaps = Swaps::new(bench_params(&config));
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

/// "Xon frees the line" (recn.md, `iq_egress_lines`): a packet that starts through an output in the
/// very tick in which Xon frees its line must not make its input set the point aside, blocked:
/// nobody would ever open it. Without that Xon it does.
#[test]
fn no_saq_is_made_for_an_egress_line_that_xon_frees_in_the_same_tick() {
    for xon in [false, true] {
        let mut config = one_switch(Ratio::ONE, vec![0], 2);
        config.switch.organisation = Organisation::Iq;
        config.switch.scheme = SchemeKind::RecnDdIq;
        config.switch.recn.iq_egress_lines = true;
        let params = bench_params(&config);
        let (mut switch, mut env) = (bench_switch(&params), Bench::default());
        let (input, output) = (PortId(0), PortId(2));
        let width = turnpool::turn_width(SWITCH_PORTS, false);
        let point = Point::from_turn(1, width);
        switch.control(&params, output, Control::Xoff(point), &mut env);
        switch.recn_step(&params, &mut env);
        let saqs =
            |switch: &Switch| switch.inputs()[input.index()].recn().map(|r| r.cam().in_use());
        assert_eq!(saqs(&switch), Some(0), "nobody has sent anything there yet");

        env.now = Tick(10);
        let mut route = Route::EMPTY;
        for turn in [turnpool::turn(input.0.into(), output.0.into(), SWITCH_PORTS), 1] {
            route.push_back(turn, width).expect("short");
        }
        let id = env.packets.insert(packet(&params, route));
        switch.store(&params, input, id, &mut env);
        env.now += params.stages.arbitration;
        switch.evaluate_crossbar(&params, &env.packets, env.now);
        switch.start_crossbar(&params, &mut env);
        let left = |event: &Event| matches!(event, Event::Departed { .. });
        assert!(env.events.iter().any(left), "the packet starts");
        if xon {
            switch.control(&params, output, Control::Xon(point), &mut env);
        }
        switch.recn_step(&params, &mut env);
        assert_eq!(saqs(&switch), Some(u32::from(!xon)), "Xon: {xon}");
    }
}

/// When each SAQ that is alive was allocated.
#[derive(Default)]
struct Births {
    at: BTreeMap<(Place, Point), Tick>,
    freed: u64,
    youngest: Option<Span>,
}

impl Observer for Births {
    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        match event {
            Event::SaqAllocated { point, .. } => {
                self.at.insert((place, point), view.now);
            }
            Event::SaqFreed { point, .. } => {
                let born = self.at.remove(&(place, point)).expect("freed alive");
                let age = view.now - born;
                self.freed += 1;
                self.youngest = Some(self.youngest.map_or(age, |least| least.min(age)));
            }
            _ => {}
        }
    }
}

/// "Not at allocation" (recn.md, Free), in whole fabrics of every version, with control packets out
/// of band, where many come in one tick.
#[test]
fn no_saq_lives_for_less_than_a_tick() {
    for scheme in setaside_tests::random::RECN {
        let mut freed = 0;
        for seed in 0..150 {
            let mut config = adversarial(scheme, seed);
            (config.link.control_packet_bytes, config.link.named_control_bytes) = (0, 0);
            // A line without a queue is no SAQ: "Xon frees the line".
            config.switch.recn.iq_egress_lines = false;
            let mut fabric =
                Fabric::new(&config, Engine::Fast, Erased::new(Births::default())).expect("legal");
            assert_eq!(fabric.drain(Tick(2_000_000)).expect("no deadlock"), None);
            let births = fabric.observer.of::<Births>();
            assert!(
                births.youngest.is_none_or(|age| !age.is_zero()),
                "{scheme}, seed {seed}: freed in the tick of its allocation"
            );
            freed += births.freed;
        }
        assert!(freed > 5_000, "{scheme}: {freed}");
    }
}

/// A packet of one cell.
fn packet(params: &Params, route: Route) -> Packet {
    let flow = Flow { source: 0, destination: 1, sequence: 0, group: 0 };
    let lengths = params.lengths(64);
    let mut packet = Packet::new(flow, 64, 1);
    packet.route = route;
    packet.link_ticks = lengths.link.0 as u32;
    packet.crossbar_ticks = lengths.crossbar.0 as u32;
    packet
}
