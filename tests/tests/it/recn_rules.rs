//! Does enhanced RECN decide as its rules say? Hand-made tiny scenarios, watched event by event.

use fabric::{Engine, Fabric};
use flow_control::Control;
use observe::{Event, Side, Trace};
use plan::FabricConfig;
use plan::SchemeKind;
use proptest::prelude::*;
use setaside_tests::base::{ratio, time_base};
use setaside_tests::bench::{Bench, bench_output, bench_packet, bench_params, bench_switch, sent};
use setaside_tests::erased::Erased;
use setaside_tests::lives::Lives;
use setaside_tests::property::fixed;
use setaside_tests::random::case;
use setaside_tests::tiny::{
    NEVER, PORTS, delivered_around_a_tree, one_packet, one_switch, point, recn, to_one,
};
use setaside_tests::watch::{Seen, Watch, allocations, arrivals, at, frees, named};
use switch::{Egress, Switch};
use topology::TopologyConfig;
use turnpool::Point;
use units::{LineId, PortId, QueueId, Ratio, Span, Tick};

/// Queue of a CAM line at an ingress port: detection queues come first.
fn saq_queue(line: LineId) -> QueueId {
    QueueId(PORTS as u16 + u16::from(line.0))
}

/// All events until everything is at home.
fn watch(config: &FabricConfig) -> Vec<Seen> {
    let mut fabric = Fabric::new(config, Engine::Fast, Erased::new(Watch::with_events()))
        .expect("a legal configuration");
    let left = fabric.drain(Tick(1_000_000)).expect("no deadlock");
    assert_eq!(left, None);
    fabric.observer.into::<Watch>().events
}

/// "Detection and propagation are evaluated on arrivals only, after the packet is stored: egress
/// occupancy > `detection_egress`" (recn.md)
#[test]
fn egress_detection_fires_beyond_its_threshold() {
    for detection in 0..=6 {
        let mut config = one_switch(ratio(2, 1), vec![0, 1], 2);
        recn(&mut config, 8, (detection, NEVER, 10, 10, 5));
        let events = watch(&config);
        let arrivals = arrivals(&events, 2, Side::Egress, QueueId(0));
        let notified: Vec<(Tick, Point)> = at(&events, 0, 2, Side::Egress)
            .filter_map(|s| match s.event {
                Event::Internal(Control::Notification(point)) => Some((s.at, point)),
                _ => None,
            })
            .collect();
        let first = arrivals.iter().find(|a| a.1 > detection).expect("two sources fill the queue");
        assert_eq!(notified[0].0, first.0, "detection {detection}: at the first arrival beyond");
        let reached = arrivals.iter().filter(|a| a.0 < first.0 && a.1 == detection).count();
        assert!(
            reached > 0 || detection == 0,
            "detection {detection}: the threshold itself was reached before, without effect"
        );
        for (tick, _) in &notified {
            assert!(
                arrivals.iter().any(|a| a.0 == *tick && a.1 > detection),
                "detection {detection}: {tick} without an arrival beyond"
            );
        }
        // Each sender is told, of the turn that it takes.
        for sender in [0, 1] {
            assert!(
                notified.iter().any(|n| n.1 == point(sender, 2)),
                "detection {detection}: in{sender} was not told"
            );
            assert_eq!(allocations(&events, 0, sender, Side::Ingress)[0].2, point(sender, 2));
        }
    }
}

/// "ingress detection queue >= `detection_ingress`"; "allocate T = [turn(i,o)] and swap: the full
/// queue becomes the SAQ, an empty one takes its place" (recn.md)
#[test]
fn ingress_detection_fires_at_its_threshold_and_swaps_the_queue() {
    for detection in 1..=6 {
        let mut config = one_switch(Ratio::ONE, vec![0, 1, 3], 2);
        recn(&mut config, 8, (NEVER, detection, 10, 10, 5));
        let events = watch(&config);
        let mut reached = 0;
        for input in [0, 1, 3] {
            let arrivals = arrivals(&events, input, Side::Ingress, QueueId(2));
            let Some(first) = arrivals.iter().find(|a| a.1 >= detection) else {
                assert!(
                    allocations(&events, 0, input, Side::Ingress).is_empty(),
                    "detection {detection}: in{input} never reached it"
                );
                continue;
            };
            reached += 1;
            let (tick, line, made) = allocations(&events, 0, input, Side::Ingress)[0];
            assert_eq!(
                (tick, made),
                (first.0, point(input, 2)),
                "detection {detection}: at the first arrival that reaches"
            );
            assert_eq!(first.1, detection);
            assert!(arrivals.iter().all(|a| a.0 >= tick || a.1 < detection));
            // The packets that were in the detection queue, in their order, leave from the SAQ.
            let mut queue = std::collections::VecDeque::new();
            for seen in at(&events, 0, input, Side::Ingress).filter(|s| s.at <= tick) {
                match seen.event {
                    Event::Stored { packet, .. } => queue.push_back(packet),
                    Event::Departed { packet, .. } => assert_eq!(queue.pop_front(), Some(packet)),
                    _ => {}
                }
            }
            assert_eq!(queue.len() as u32, detection);
            let left: Vec<_> = at(&events, 0, input, Side::Ingress)
                .filter(|s| s.at > tick)
                .filter_map(|s| match s.event {
                    Event::Departed { packet, queue, .. } => Some((packet, queue)),
                    _ => None,
                })
                .take(queue.len())
                .collect();
            let expected: Vec<_> =
                queue.into_iter().map(|packet| (packet, saq_queue(line))).collect();
            assert_eq!(left, expected, "detection {detection}, in{input}");
        }
        // Normal queues go before SAQs, so one of three may keep up.
        assert!(reached >= 2, "detection {detection}: {reached} of 3 reached it");
    }
}

/// "It has no host and is ready at once [...] It counts as congested: notify upstream at once."
/// (recn.md): with a threshold of 1 the only packet of a network goes into a SAQ, and still leaves
/// as soon as any packet may.
#[test]
fn a_swapped_saq_is_ready_and_notifies_at_once() {
    let mut config = one_packet();
    recn(&mut config, 8, (NEVER, 1, 10, 10, 5));
    let events = watch(&config);
    let (made, line, t) = allocations(&events, 0, 0, Side::Ingress)[0];
    let stored = at(&events, 0, 0, Side::Ingress)
        .find(|s| matches!(s.event, Event::Stored { .. }))
        .expect("it came")
        .at;
    assert_eq!((made, t), (stored, point(0, 2)));
    let left = at(&events, 0, 0, Side::Ingress).find_map(|s| match s.event {
        Event::Departed { queue, .. } => Some((s.at, queue)),
        _ => None,
    });
    let arbitration = u64::from(config.switch.stages.arbitration);
    assert_eq!(left, Some((stored + Span(arbitration), saq_queue(line))));
    // Decided in one tick, on the idle link in the next, and at the end node a control packet and a
    // wire later.
    assert_eq!(named(&events, 0, 0)[0], (made + Span(1), Control::Notification(t)));
    let control = time_base(Ratio::ONE).link_ticks(config.link.named_control_bytes);
    assert_eq!(
        allocations(&events, 1, 0, Side::Egress)[0],
        (made + Span(1) + control + config.link.wire, LineId(0), t)
    );
}

/// "A notification sent while `xoff_sent` is set is followed by Xoff in the same control queue."
/// (recn.md): set by the swap.
#[test]
fn xoff_set_by_a_swap_follows_the_notification() {
    for (xoff, follows) in [(1, true), (2, false)] {
        let mut config = one_packet();
        recn(&mut config, 8, (NEVER, 1, 1, xoff, 0));
        let events = watch(&config);
        let (made, _, t) = allocations(&events, 0, 0, Side::Ingress)[0];
        let control = time_base(Ratio::ONE).link_ticks(config.link.named_control_bytes);
        let sent = named(&events, 0, 0);
        assert_eq!(sent[0], (made + Span(1), Control::Notification(t)));
        if follows {
            assert_eq!(sent[1], (made + Span(1) + control, Control::Xoff(t)));
            // The packet leaves the SAQ before the Xoff is through: Xon comes right behind it.
            assert_eq!(sent[2..], [(made + Span(1) + control * 2, Control::Xon(t))]);
        } else {
            assert_eq!(sent.len(), 1, "{sent:?}");
        }
    }
}

/// Where Xoff was met earlier than propagation: "set when occupancy >= `xoff` [...] Each
/// change is sent upstream: in basic and enhanced if a child exists"; notification when
/// "occupancy > `propagation`" (recn.md).
#[test]
fn xoff_met_before_propagation_waits_for_the_notification() {
    let mut config = one_switch(ratio(2, 1), vec![0, 1], 2);
    // A small output memory behind the crossbar, so that packets stay in the SAQs.
    config.switch.port_memory_bytes = 16 * 64;
    recn(&mut config, 8, (0, NEVER, 3, 3, 1));
    let events = watch(&config);
    let control = time_base(ratio(2, 1)).link_ticks(config.link.named_control_bytes);
    for input in [0, 1] {
        let saq = arrivals(&events, input, Side::Ingress, QueueId(PORTS as u16));
        let (met, beyond) = (saq.iter().find(|a| a.1 == 3), saq.iter().find(|a| a.1 > 3));
        let (met, beyond) = (met.expect("the SAQ fills").0, beyond.expect("the SAQ fills").0);
        assert!(met < beyond);
        let sent = named(&events, 0, input);
        let t = point(input, 2);
        assert_eq!(
            [sent[0].1, sent[1].1],
            [Control::Notification(t), Control::Xoff(t)],
            "in{input}"
        );
        assert!(
            sent[0].0 > beyond && sent[1].0 == sent[0].0 + control,
            "in{input}: {sent:?}, beyond at {beyond}"
        );
    }
}

/// "leaf, age >= `saq_timer_ns`", "Evaluated when the last packet leaves, when a marker is
/// consumed, on Xon, token and NACK, and when the timer ends"; "Then a token goes downstream to the
/// notifier; when no child is left there, that SAQ is a leaf again; so on to the root"; "A SAQ made
/// by ingress detection and not adopted is a root: freed by the same rule, with no token to send."
/// (recn.md): the whole life of the SAQs of one packet, to the tick.
#[test]
fn saqs_live_until_their_timer_and_then_go_leaf_first() {
    for timer in [0, 1, 200, 1_500] {
        let mut config = one_packet();
        recn(&mut config, 8, (NEVER, 1, 10, 10, 5));
        config.switch.recn.saq_timer = Span(timer);
        let events = watch(&config);
        let (injection, _, t) = allocations(&events, 1, 0, Side::Egress)[0];
        let freed = frees(&events, 1, 0, Side::Egress);
        assert_eq!(freed, [injection + Span(timer.max(1))], "the leaf, at the end node");
        let sent = named(&events, 1, 0);
        assert_eq!(sent.len(), 1);
        assert_eq!(sent[0].1, Control::Token(t));
        assert!(sent[0].0 > freed[0]);
        let control = time_base(Ratio::ONE).link_ticks(config.link.named_control_bytes);
        let token = sent[0].0 + control + config.link.wire;
        let root = allocations(&events, 0, 0, Side::Ingress)[0].0;
        assert_eq!(
            frees(&events, 0, 0, Side::Ingress),
            [token.max(root + Span(timer.max(1)))],
            "the root, when its token came"
        );
        assert!(
            !events.iter().any(|s| matches!(s.event, Event::Internal(_))),
            "nobody in the switch is told"
        );
    }
}

/// "Then a token goes downstream to the notifier; when no child is left there, that SAQ is a leaf
/// again; so on to the root." (recn.md): a tree over two switches, from the egress of the last one
/// back to the end nodes, is taken down leaf by leaf.
#[test]
fn tokens_take_a_tree_down_from_the_leaves_to_the_root() {
    let chain = TopologyConfig::Mesh { width: 2, height: 1, nodes_per_switch: 2 };
    let mut config = to_one(&chain, ratio(2, 1), vec![0, 1, 3], 2, 10_000);
    recn(&mut config, 8, (5, NEVER, 3, 6, 3));
    config.switch.port_memory_bytes = 32 * 64;
    let events = watch(&config);
    let net = &config.network;
    let made = Lives::check(net, &config, &events).expect("all rules hold");
    let path = net.path(0, 2).expect("a route");
    let (first, last) = (path.hops[0], path.hops[1]);
    let tree = [
        (last.switch, last.in_port, Side::Ingress),
        (first.switch, first.out_port, Side::Egress),
        (first.switch, first.in_port, Side::Ingress),
        (2, 0, Side::Egress),
        (3, 0, Side::Egress),
    ];
    for place in tree {
        assert!(made.contains_key(&place), "no SAQ at {place:?}");
    }
    // The last of all frees is at an ingress of the root, told by its egress.
    let last_free = events
        .iter()
        .rfind(|s| matches!(s.event, Event::SaqFreed { .. }))
        .expect("a tree came down");
    assert_eq!((last_free.element, last_free.side), (last.switch, Side::Ingress));
    let root = events
        .iter()
        .rfind(|s| matches!(s.event, Event::Internal(Control::Token(_))))
        .expect("the root hears of it");
    assert_eq!((root.at, root.element, root.port), (last_free.at, last.switch, last.out_port));
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
        let mut fabric = Fabric::new(&config, Engine::Fast, Erased::new(Watch::with_events())).expect("a legal configuration");
        let left = fabric.drain(Tick(4_000_000)).map_err(|e| TestCaseError::fail(format!("seed {seed}: {e}")))?;
        prop_assert!(left.is_none(), "seed {seed}: {left:?}");
        let lives = Lives::check(&config.network, &config, &fabric.observer.of::<Watch>().events);
        prop_assert!(lives.is_ok(), "seed {seed}: {}", lives.unwrap_err());
    }

    /// "Detection queues at ingress: one per output port of the switch [...] A packet with no SAQ
    /// match goes to the one of its output." (recn.md) Without SAQs that is all that is left: the
    /// same as with SAQs that nothing ever asks for.
    #[test]
    fn without_saqs_detection_queues_are_left(seed: u64) {
        let config = case(seed, Some(SchemeKind::Recn), 2_000);
        let run = |saqs: u8| {
            let mut config = config.clone();
            recn(&mut config, saqs, (NEVER, NEVER, 1, 1, 0));
            let mut fabric = Fabric::new(&config, Engine::Fast, Erased::new((Trace::default(), Watch::with_events()))).expect("legal");
            fabric.run_until(Tick(6_000)).expect("no deadlock");
            fabric.observer.into::<(Trace, Watch)>()
        };
        let (none, some) = (run(0), run(8));
        prop_assert!(none.0.text() == some.0.text(), "seed {seed}");
        let switches = config.network.switches() as u32;
        for seen in &none.1.events {
            let legal = match seen.event {
                Event::Stored { .. } | Event::Hop { .. } | Event::CreditSent { .. } => true,
                Event::Departed { queue, output, .. } => seen.element >= switches || seen.side == Side::Egress || queue == QueueId(u16::from(output.0)),
                _ => false,
            };
            prop_assert!(legal, "seed {seed}: {seen:?}");
        }
    }
}

/// "No free SAQ: refuse; [...] over a link it is a NACK control packet" (recn.md). A whole fabric
/// never gets that far, so the egress port is on its own here.
#[test]
fn a_notification_over_a_link_is_refused_by_a_nack() {
    let mut config = one_packet();
    recn(&mut config, 1, (NEVER, NEVER, 10, 10, 5));
    let params = bench_params(&config);
    let (mut port, mut bench) = (bench_output(&params, 0, true), Bench::default());
    let answers = |port: &mut Egress, bench: &mut Bench| {
        let grant = port.evaluate(bench.now);
        port.start(&params, grant, bench);
        bench.control.drain(..).map(|sent| sent.1).collect::<Vec<_>>()
    };
    port.control(&params, Control::Notification(point(0, 1)), &mut bench);
    assert_eq!(answers(&mut port, &mut bench), [], "accepted without an answer");
    assert!(matches!(bench.events[..], [Event::SaqAllocated { in_use: 1, .. }]));
    bench.now = Tick(10);
    port.control(&params, Control::Notification(point(0, 2)), &mut bench);
    assert_eq!(bench.events[1], Event::SaqRefused(point(0, 2)));
    assert_eq!(answers(&mut port, &mut bench), [Control::Nack(point(0, 2))]);
}

/// "and that line does not notify again for `retry_ns`" (recn.md); "The leaf bit clears when the
/// notification is sent [...]; a NACK takes it back."
#[test]
fn a_refused_line_is_silent_until_retry() {
    const RETRY: u64 = 500;
    let mut config = one_switch(Ratio::ONE, vec![0], 2);
    recn(&mut config, 1, (NEVER, 1, 0, 10, 5));
    // Out of band: no link is busy.
    (config.link.control_packet_bytes, config.link.named_control_bytes) = (0, 0);
    config.switch.recn.retry = Span(RETRY);
    let params = bench_params(&config);
    let mut switch = bench_switch(&params);
    let mut bench = Bench::default();
    let mut made = 0;
    // A packet in at `tick`; what the link of its input is given to send.
    let mut store = |switch: &mut Switch, bench: &mut Bench, tick: u64| {
        bench.now = Tick(tick);
        let packet = bench_packet(&params, 2, made);
        made += 1;
        let id = bench.packets.insert(packet);
        switch.store(&params, PortId(0), id, bench);
        sent(switch, &params, PortId(0), bench)
    };
    let t = point(0, 2);
    assert_eq!(store(&mut switch, &mut bench, 100), [Control::Notification(t)]);
    let leaf = |switch: &Switch| switch.inputs()[0].recn().expect("SAQs").cam().leaf(LineId(0));
    assert!(!leaf(&switch));
    assert_eq!(store(&mut switch, &mut bench, 140), [], "once, until it is answered");
    bench.now = Tick(200);
    switch.control(&params, PortId(0), Control::Nack(t), &mut bench);
    assert!(leaf(&switch), "a NACK takes it back");
    for tick in [201, 300, 200 + RETRY - 1] {
        assert_eq!(store(&mut switch, &mut bench, tick), [], "tick {tick}");
    }
    assert_eq!(store(&mut switch, &mut bench, 200 + RETRY), [Control::Notification(t)]);
    assert_eq!(store(&mut switch, &mut bench, 200 + RETRY + 1), []);
}

/// "trees, case 2, s = 1.5: [...] `recn` shows no degradation"; "without any mechanism, hot spot:
/// throughput falls by about 70 %" (targets.md). The whole tree counts for `recn`. `1q` takes some
/// 60 us to collapse (it loses 31 % over the whole 100 us), so it is judged by the last 20 us.
#[test]
fn a_congestion_tree_does_not_hurt_recn() {
    let schemes = [SchemeKind::VoqNet, SchemeKind::Recn, SchemeKind::OneQueue];
    let [ideal, recn, one_queue] = schemes.map(delivered_around_a_tree);
    let mean = |bins: &[f64]| bins.iter().sum::<f64>() / bins.len() as f64;
    assert_eq!(ideal.len(), 12);
    let (whole, grown) = (2..12, 10..12);
    let kept = mean(&recn[whole.clone()]) / mean(&ideal[whole.clone()]);
    assert!(kept >= 0.97, "recn keeps {kept} of voq-net");
    let kept = mean(&one_queue[grown.clone()]) / mean(&ideal[grown]);
    assert!(kept < 2.0 / 3.0, "1q keeps {kept} of voq-net when the tree has grown");
    println!(
        "1q keeps {:.3} of voq-net over the whole tree",
        mean(&one_queue[whole.clone()]) / mean(&ideal[whole])
    );
}
