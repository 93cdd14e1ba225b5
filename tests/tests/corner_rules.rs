//! Does each corner rule of recn.md hold? Each came from a leak or a stall that a straightforward
//! implementation showed, and each test here fails without its rule. Most look at one port with its
//! memory: that is where the rules are decided.

use fabric::{Engine, Fabric};
use flow_control::Control;
use observe::{Observer, View};
use recn::{Answer, LifeState, ProtocolError, RecnConfig, RecnPort, Rules};
use saq::Mmu;
use setaside_tests::base::{fabric_config, network, ratio, switch_config};
use setaside_tests::bench::{Bench as SwitchBench, bench_params, bench_switch};
use setaside_tests::corners::{Corners, Counts};
use setaside_tests::family::adversarial;
use setaside_tests::tiny::{PORTS as SWITCH_PORTS, one_switch};
use std::collections::BTreeMap;
use switch::{Event, Organisation, Packet, Place, SchemeKind, Side, Switch};
use topology::TopologyConfig;
use turnpool::{Point, Route};
use units::PacketId;
use units::{Ratio, Tick};
use workload::{GroupConfig, MessageBytes, Sources, WorkloadConfig};

const WIDTH: u32 = 3;
/// The normal queue of the ports here; line k is queue 1 + k.
const NORMAL: u16 = 0;

/// One port with one normal queue and three SAQs.
struct Bench {
    port: RecnPort,
    memory: Mmu,
    config: RecnConfig,
}

impl Bench {
    fn new(scheme: SchemeKind) -> Bench {
        let rules = Rules::of(scheme).expect("a version of RECN");
        Bench {
            port: RecnPort::new(3, 1, rules, false),
            memory: Mmu::new(64, 4, 3),
            config: switch_config(scheme).recn,
        }
    }

    fn store(&mut self, queue: u16, packet: u32) {
        self.memory.push(queue, packet, 1).expect("room");
    }

    /// The head of a queue leaves, and its tail; steps 6 and 7 are still to come.
    fn leave(&mut self, queue: u16) -> u32 {
        let lease = self.memory.pop(queue).expect("a packet");
        let packet = lease.item;
        self.memory.release(lease).expect("its cells");
        self.port.head_left(&self.memory, queue);
        packet
    }

    /// A notification over the link at an egress port.
    fn notified(&mut self, point: Point) -> u8 {
        match self
            .port
            .notified(&mut self.memory, point, NORMAL, false, 0)
        {
            Ok(Answer::Accepted(line)) => line,
            other => panic!("{other:?}"),
        }
    }

    fn settle(&mut self) -> u64 {
        self.port
            .settle_marked(&mut self.memory, false)
            .expect("legal")
    }

    fn may_free(&self, line: u8, now: Tick) -> bool {
        self.port.may_free(&self.memory, line, now, &self.config)
    }
}

fn point(turns: &[u32]) -> Point {
    turns.iter().rev().fold(Point::EMPTY, |point, &turn| {
        point.prepend(turn, WIDTH).expect("short")
    })
}

/// "The SAQ is ready at once only if the host is empty **and itself ready**. Otherwise the marker
/// goes in." (recn.md): an empty SAQ that waits for its own marker is host to a marker; without
/// that a packet of the nested point would overtake those that the outer point waits for. "each
/// queue that this makes ready does the same": one packet leaves, and both are ready.
#[test]
fn a_marker_goes_into_an_empty_host_that_waits_itself() {
    let mut bench = Bench::new(SchemeKind::Recn);
    bench.store(NORMAL, 7);
    let outer = bench.notified(point(&[1]));
    let nested = bench.notified(point(&[1, 2]));
    assert_eq!(
        bench.memory.marker_host(nested),
        Some(bench.port.queue(outer))
    );
    assert_eq!(bench.port.state(nested), LifeState::Waiting);
    assert_eq!(bench.leave(NORMAL), 7);
    assert_eq!(bench.settle(), 1 << outer | 1 << nested);
    assert_eq!(bench.port.state(nested), LifeState::Open);
}

/// "A queue that holds only markers is not empty." (recn.md): between the departure of the last
/// packet (step 1) and step 6 a notification comes in (step 4): the new SAQ queues up behind the
/// marker that is there, and both are consumed one after the other ("several may sit at one
/// position of a queue").
#[test]
fn a_marker_goes_behind_a_marker() {
    let mut bench = Bench::new(SchemeKind::Recn);
    bench.store(NORMAL, 7);
    let first = bench.notified(point(&[1]));
    bench.leave(NORMAL);
    assert!(bench.memory.is_empty(NORMAL) && !bench.memory.is_vacant(NORMAL));
    let second = bench.notified(point(&[2]));
    assert_eq!(bench.port.state(second), LifeState::Waiting);
    assert_eq!(bench.memory.marker_host(second), Some(NORMAL));
    assert_eq!(bench.settle(), 1 << first | 1 << second);
    assert!(bench.memory.is_vacant(NORMAL));
}

/// "A queue that is not ready consumes no markers" (recn.md), though the marker is at its head.
#[test]
fn a_queue_that_is_not_ready_consumes_no_markers() {
    let mut bench = Bench::new(SchemeKind::Recn);
    bench.store(NORMAL, 7);
    let outer = bench.notified(point(&[1]));
    let nested = bench.notified(point(&[1, 2]));
    let host = bench.port.queue(outer);
    bench.port.mark_settle(host);
    assert_eq!(bench.memory.head_marker(host), Some(nested));
    assert_eq!(bench.settle(), 0);
    assert_eq!(bench.port.state(nested), LifeState::Waiting);
}

/// "A queue may be freed only when empty and without markers." (recn.md): the host of a marker
/// stays, however old it is and however empty of packets.
#[test]
fn the_host_of_a_marker_is_not_freed() {
    let mut bench = Bench::new(SchemeKind::Recn);
    let outer = bench.notified(point(&[1]));
    assert!(bench.may_free(outer, Tick::MAX), "ready at once, empty");
    let queue = bench.port.queue(outer);
    bench.store(queue, 7);
    let nested = bench.notified(point(&[1, 2]));
    bench.leave(queue);
    assert!(bench.memory.is_empty(queue));
    assert!(
        !bench.may_free(outer, Tick::MAX),
        "the marker is still in it"
    );
    bench.settle();
    assert!(bench.may_free(outer, Tick::MAX) && bench.may_free(nested, Tick::MAX));
}

/// "Blocking does not stop the consumption of markers." (recn.md)
#[test]
fn a_blocked_host_consumes_its_markers() {
    let mut bench = Bench::new(SchemeKind::Recn);
    let outer = bench.notified(point(&[1]));
    let queue = bench.port.queue(outer);
    bench.store(queue, 7);
    let nested = bench.notified(point(&[1, 2]));
    // Its last packet leaves in the tick (step 1) in which Xoff comes (step 4).
    bench.leave(queue);
    bench.port.flow(&point(&[1]), true).expect("legal");
    assert_eq!(bench.settle(), 1 << nested);
    assert_eq!(bench.port.state(nested), LifeState::Open);
    assert_eq!(bench.port.state(outer), LifeState::Blocked);
}

/// "The leaf bit clears **when the notification is sent** (one in flight counts as a child); a NACK
/// takes it back." (recn.md) Were the leaf bit to clear on the answer only, the SAQ could go while
/// its notification is on its way, and nobody would be there for the token.
#[test]
fn a_notification_in_flight_counts_as_a_child() {
    for scheme in [SchemeKind::RecnBasic, SchemeKind::Recn] {
        let mut bench = Bench::new(scheme);
        let line = bench.notified(point(&[1]));
        assert!(bench.may_free(line, Tick::MAX));
        bench.port.notify(line).expect("a leaf");
        assert_eq!(bench.port.state(line), LifeState::OpenParent);
        assert!(
            !bench.may_free(line, Tick::MAX),
            "{scheme}: its notification is in flight"
        );
        bench.port.answered(point(&[1]), Some(100)).expect("a NACK");
        assert!(
            bench.may_free(line, Tick::MAX),
            "{scheme}: refused, a leaf again"
        );
        bench.port.notify(line).expect("a leaf");
        bench.port.answered(point(&[1]), None).expect("a token");
        assert!(
            bench.may_free(line, Tick::MAX),
            "{scheme}: the token is home"
        );
        assert!(matches!(
            bench.port.answered(point(&[1]), None),
            Err(ProtocolError::NoChild(_))
        ));
    }
}

/// The same at an egress port: each child ingress counts, and the last token makes a leaf of it.
#[test]
fn an_egress_saq_waits_for_the_tokens_of_all_its_children() {
    let mut bench = Bench::new(SchemeKind::Recn);
    let line = bench.notified(point(&[1]));
    let queue = bench.port.queue(line);
    for input in [0, 5] {
        bench.port.child_accepted(queue, input).expect("new");
    }
    assert!(!bench.may_free(line, Tick::MAX));
    assert_eq!(bench.port.child_token(point(&[1]), 0), Ok(false));
    assert!(!bench.may_free(line, Tick::MAX));
    assert_eq!(bench.port.child_token(point(&[1]), 5), Ok(true));
    assert!(bench.may_free(line, Tick::MAX));
}

/// "An egress notification that finds its T at the ingress already (found by ingress detection):
/// that SAQ becomes the egress's child and owes it a token when freed." "A SAQ made by ingress
/// detection and not adopted is a root: freed by the same rule, with no token to send." "Over a
/// link a sender never notifies twice: a duplicate there is a broken invariant." (recn.md)
#[test]
fn an_adopted_root_owes_a_token_and_another_does_not() {
    let t = point(&[1]);
    for adopted in [true, false] {
        let mut bench = Bench::new(SchemeKind::Recn);
        let line = bench
            .port
            .found_root(&mut bench.memory, t, 0)
            .expect("legal")
            .expect("free SAQs");
        if adopted {
            let mut again = || bench.port.notified(&mut bench.memory, t, NORMAL, true, 1);
            assert_eq!(again(), Ok(Answer::Adopted(line)));
            assert_eq!(again(), Err(ProtocolError::Duplicate(t)));
        }
        assert!(bench.may_free(line, Tick::MAX));
        assert_eq!(bench.port.free(line), Ok((t, adopted)));
    }
    let mut bench = Bench::new(SchemeKind::Recn);
    bench.notified(t);
    let over_the_link = bench.port.notified(&mut bench.memory, t, NORMAL, false, 1);
    assert_eq!(over_the_link, Err(ProtocolError::Duplicate(t)));
}

/// "**Xoff is repeated** on arrivals while occupancy is at or above `xoff`, at most once per
/// `xoff_repeat_ns`" (recn.md), in the DD versions alone.
#[test]
fn xoff_is_repeated_on_arrivals_at_or_above_the_threshold() {
    for (scheme, repeats) in [
        (SchemeKind::Recn, false),
        (SchemeKind::RecnDd, true),
        (SchemeKind::RecnDdIq, true),
    ] {
        let mut bench = Bench::new(scheme);
        bench.config.xoff_repeat = 50;
        let xoff = bench.config.thresholds.xoff;
        let line = bench
            .port
            .found_root(&mut bench.memory, point(&[1]), 0)
            .expect("legal")
            .expect("free");
        let thresholds = bench.config.thresholds;
        assert!(
            !bench.port.repeats_xoff(line, xoff, 500, &bench.config),
            "not set yet"
        );
        bench.port.registers(line).xoff.rise(xoff, &thresholds);
        bench.port.registers(line).xoff_at = 100;
        for (packets, now, due) in [
            (xoff, 149, false),
            (xoff, 150, true),
            (xoff + 3, 150, true),
            (xoff - 1, 150, false),
        ] {
            let repeated = bench.port.repeats_xoff(line, packets, now, &bench.config);
            assert_eq!(
                repeated,
                due && repeats,
                "{scheme}, {packets} packets at {now}"
            );
        }
    }
}

fn counts_of(scheme: SchemeKind, seed: u64, xoff_repeat: Option<Tick>) -> Counts {
    let mut config = adversarial(scheme, seed);
    if let Some(ticks) = xoff_repeat {
        config.switch.recn.xoff_repeat = ticks;
    }
    let graph = config.network.graph();
    let ports = (0..graph.switches() as u32).map(|s| graph.ports(s) as u16);
    let observer = Corners::new(
        u32::from(config.switch.recn.saqs),
        scheme == SchemeKind::RecnDd,
        ports.collect(),
    );
    let mut fabric = Fabric::new(&config, Engine::Fast, observer).expect("legal");
    assert_eq!(fabric.drain(2_000_000).expect("no deadlock"), None);
    fabric.observer.counts
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
    let (never, often) = (sum(1 << 40), sum(10));
    assert_eq!((never.xoff_repeats, never.allocated_by_repeat), (0, 0));
    assert!(often.allocated_by_repeat > 100, "{often:?}");
    assert!(
        often.allocated_after_refusal > never.allocated_after_refusal,
        "{often:?} against {never:?}"
    );
}

/// "and once `saq_timer_ns` after allocation (0 = the next tick). Not at allocation." "a SAQ made
/// at a root starts with B reset, [...] and one that no packet ever visits would stay for ever."
/// (recn.md) Nothing but the timer looks at it.
#[test]
fn the_timer_frees_a_root_made_saq_that_no_packet_visits() {
    for (timer, ends) in [(0, 1), (1, 1), (40, 40)] {
        let mut bench = Bench::new(SchemeKind::RecnDd);
        bench.config.saq_timer = timer;
        let answer = bench
            .port
            .requested(&mut bench.memory, point(&[1]), NORMAL, false, 0);
        assert_eq!(answer, Ok(Some(Answer::Accepted(0))));
        assert_eq!(bench.port.state(0), LifeState::Open, "B reset, no marker");
        for now in 0..ends {
            bench.settle();
            bench.port.mark_timers(now, &bench.config);
            assert_eq!(
                bench.port.take_checks(false),
                0,
                "timer {timer}: nothing happens at {now}"
            );
        }
        bench.port.mark_timers(ends, &bench.config);
        assert_eq!(bench.port.take_checks(false), 1);
        assert!(bench.may_free(0, ends));
        // Once: what the timer finds in use is left to the events of its life.
        bench.port.mark_timers(ends + 1, &bench.config);
        assert_eq!(bench.port.take_checks(false), 0);
    }
}

/// A SAQ that an Xoff made is blocked: its timer ends without effect, and it goes when Xon finds it
/// empty.
#[test]
fn a_saq_made_by_xoff_waits_for_xon_whatever_its_timer() {
    let mut bench = Bench::new(SchemeKind::RecnDd);
    bench
        .port
        .requested(&mut bench.memory, point(&[1]), NORMAL, true, 0)
        .expect("legal");
    assert_eq!(bench.port.state(0), LifeState::Blocked);
    assert!(!bench.may_free(0, Tick::MAX));
    bench.port.flow(&point(&[1]), false).expect("legal");
    assert_eq!(bench.port.take_checks(false), 1);
    assert!(bench.may_free(0, 1));
}

/// Watches the swaps of one run: which packets were in the detection queue, arriving or leaving.
#[derive(Default)]
struct Swaps {
    queues: BTreeMap<(Place, u16), Vec<PacketId>>,
    /// Where a packet must leave from, once it was swapped into a SAQ.
    saq: BTreeMap<PacketId, u16>,
    /// End of the transmission that left a detection queue last.
    leaving: BTreeMap<(Place, u16), Tick>,
    last: Option<(Place, u16)>,
    swaps: u64,
    with_arriving_tail: u64,
    while_leaving: u64,
    left_from_saq: u64,
}

const PORTS: u16 = 4;

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
                if self.last.is_some_and(|l| l.0 == place && l.1 < PORTS) =>
            {
                let from = self.last.expect("just looked at");
                let packets = self.queues.remove(&from).unwrap_or_default();
                self.swaps += 1;
                let newest: &Packet = &view.packets[*packets.last().expect("it arrived just now")];
                self.with_arriving_tail += u64::from(newest.tail > view.now);
                self.while_leaving +=
                    u64::from(self.leaving.get(&from).is_some_and(|&end| end > view.now));
                for &packet in &packets {
                    self.saq.insert(packet, PORTS + u16::from(line));
                }
                self.queues
                    .insert((place, PORTS + u16::from(line)), packets);
            }
            Event::Departed { packet, queue, .. } => {
                let stored = self.queues.entry((place, queue)).or_default();
                assert_eq!(
                    stored.first(),
                    Some(&packet),
                    "out of order at {place:?} queue {queue}"
                );
                stored.remove(0);
                if let Some(saq) = self.saq.remove(&packet) {
                    assert_eq!(
                        queue, saq,
                        "a packet that was there at the swap leaves from the SAQ"
                    );
                    self.left_from_saq += 1;
                }
                let ticks = Tick::from(view.packets[packet].crossbar_ticks);
                self.leaving.insert((place, queue), view.now + ticks);
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
        switch.recn.saq_timer = 1;
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
        let network = network(
            &TopologyConfig::SingleSwitch {
                ports: u32::from(PORTS),
            },
            false,
        );
        let config = fabric_config(network, switch, ratio(1, 1), &workload, 4_000, 1);
        let mut fabric = Fabric::new(&config, Engine::Fast, Swaps::default()).expect("legal");
        assert_eq!(fabric.drain(1_000_000).expect("no deadlock"), None);
        let seen = &fabric.observer;
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
        let (mut switch, mut env) = (bench_switch(&params), SwitchBench::default());
        let (input, output) = (0, 2);
        let width = turnpool::turn_width(SWITCH_PORTS, false);
        let point = Point::from_turn(1, width);
        switch.control(&params, output, Control::Xoff(point), &mut env);
        switch.recn_step(&params, false, &mut env);
        let saqs = |switch: &Switch| switch.inputs[input].recn.as_ref().map(|r| r.cam.in_use());
        assert_eq!(saqs(&switch), Some(0), "nobody has sent anything there yet");

        env.now = 10;
        let mut route = Route::EMPTY;
        for turn in [turnpool::turn(input as u32, output as u32, SWITCH_PORTS), 1] {
            route.push_back(turn, width).expect("short");
        }
        let id = env.packets.insert(packet(route, output as u8));
        switch.store(&params, input, id, &mut env);
        env.now += params.stages.arbitration;
        switch.evaluate_crossbar(&params, true, &mut env);
        assert_eq!(switch.grants.len(), 1, "the packet starts");
        switch.start_crossbar(&params, &mut env);
        if xon {
            switch.control(&params, output, Control::Xon(point), &mut env);
        }
        switch.recn_step(&params, false, &mut env);
        assert_eq!(saqs(&switch), Some(u32::from(!xon)), "Xon: {xon}");
    }
}

/// "Not at allocation" (recn.md, RECN-DD, Free): an Xoff and the Xon behind it come in one tick, as
/// out of band control packets may. The SAQ that the one has made is there until its timer ends.
#[test]
fn a_saq_is_not_freed_in_the_tick_of_its_allocation() {
    for (scheme, timer) in [
        (SchemeKind::RecnDd, 0),
        (SchemeKind::RecnDd, 40),
        (SchemeKind::RecnDdIq, 0),
    ] {
        let mut bench = Bench::new(scheme);
        bench.config.saq_timer = timer;
        let t = point(&[1]);
        for control in [Control::Xoff(t), Control::Xon(t)] {
            let met = bench.port.egress_control(&mut bench.memory, control, 10);
            assert!(met.is_ok(), "{scheme}: {met:?}");
        }
        let freed = |bench: &mut Bench, now: Tick| {
            bench.port.mark_timers(now, &bench.config);
            let mut checks = bench.port.take_checks(false);
            let freed = bench
                .port
                .free_next(&bench.memory, &mut checks, now, &bench.config);
            freed.expect("legal").map(|freed| freed.point)
        };
        for now in 10..10 + timer.max(1) {
            assert_eq!(freed(&mut bench, now), None, "{scheme}, tick {now}");
        }
        assert_eq!(freed(&mut bench, 10 + timer.max(1)), Some(t), "{scheme}");
    }
}

/// When each SAQ that is alive was allocated.
#[derive(Default)]
struct Births {
    at: BTreeMap<(Place, Point), Tick>,
    freed: u64,
    youngest: Option<Tick>,
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

/// The same in whole fabrics, of every version, with control packets out of band, where many come
/// in one tick.
#[test]
fn no_saq_lives_for_less_than_a_tick() {
    for scheme in setaside_tests::random::RECN {
        let mut freed = 0;
        for seed in 0..150 {
            let mut config = adversarial(scheme, seed);
            (
                config.link.control_packet_bytes,
                config.link.named_control_bytes,
            ) = (0, 0);
            // A line without a queue is no SAQ: "Xon frees the line".
            config.switch.recn.iq_egress_lines = false;
            let mut fabric = Fabric::new(&config, Engine::Fast, Births::default()).expect("legal");
            assert_eq!(fabric.drain(2_000_000).expect("no deadlock"), None);
            let births = &fabric.observer;
            assert!(
                births.youngest.is_none_or(|age| age > 0),
                "{scheme}, seed {seed}: freed in the tick of its allocation"
            );
            freed += births.freed;
        }
        assert!(freed > 5_000, "{scheme}: {freed}");
    }
}

/// A packet of one cell that will request `output`.
fn packet(route: Route, output: u8) -> Packet {
    Packet {
        route,
        tail: 0,
        next: switch::NO_PACKET,
        cells: 1,
        class: 0,
        output: 0,
        ahead: output,
        sender: 0,
        group: 0,
        last: true,
        due: 0,
        source: 0,
        destination: 1,
        sequence: 0,
        payload: 0,
        bytes: 64,
        link_ticks: 32,
        crossbar_ticks: 32,
        born: 0,
        injected: 0,
    }
}
