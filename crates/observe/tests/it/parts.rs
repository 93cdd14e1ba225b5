//! Statistics of a fabric in parts: put together they are those of one.

use crate::offered;
use observe::{
    Event, FlowSet, Observer, PacketKey, PacketKind, PacketView, Place, Side, Stats, StatsConfig,
    View,
};
use proptest::prelude::*;
use turnpool::Point;
use units::{LineId, Span, Tick, WireId};

const NODES: u32 = 4;
const END: u64 = 2_000;

fn config() -> StatsConfig {
    StatsConfig {
        first_node_port: WireId(NODES),
        windows: vec![(Tick(100), Tick(700))],
        hot_destinations: vec![2],
        series_bin: Span(150),
        measured_links: vec![WireId(1), WireId(0), WireId(1)],
        ..crate::config(300, END)
    }
}

/// What happens at a node or at the port of the same number, some ticks after what was before.
#[derive(Debug, Clone, Copy)]
enum Step {
    Offer { to: u32, kind: PacketKind, is_refused: bool },
    Eject { from: u32, kind: PacketKind, age: u64 },
    Saq { up: bool },
    Hop,
}

fn step() -> impl Strategy<Value = Step> {
    let kind = || prop_oneof![Just(PacketKind::Data), Just(PacketKind::Reply)];
    prop_oneof![
        (0..NODES, kind(), any::<bool>()).prop_map(|(to, kind, is_refused)| Step::Offer {
            to,
            kind,
            is_refused
        }),
        (0..NODES, kind(), 0..500_u64).prop_map(|(from, kind, age)| Step::Eject {
            from,
            kind,
            age
        }),
        any::<bool>().prop_map(|up| Step::Saq { up }),
        Just(Step::Hop),
    ]
}

fn packet(
    (source, destination): (u32, u32),
    kind: PacketKind,
    born: u64,
    asked: u64,
) -> PacketView {
    let key = PacketKey { source, destination, sequence: 0 };
    let (born, asked) = (Tick(born), Tick(asked));
    PacketView { group: 1, kind, born, injected: born, asked, ..PacketView::new(key, 64) }
}

/// Notifies an observer of a step; `saqs` are those in use at the port.
fn notify(stats: &mut Stats, now: u64, node: u32, step: Step, saqs: &mut u32) {
    let view = View { now: Tick(now), owners: &[] };
    let place = Place { port: WireId(node), side: Side::Egress };
    match step {
        Step::Offer { to, kind, is_refused } => {
            let packet = packet((node, to), kind, now, now / 2);
            stats.offered(view, offered(&packet, is_refused));
        }
        Step::Eject { from, kind, age } => {
            let [born, asked] = [age, 2 * age].map(|ago| now.saturating_sub(ago));
            stats.ejected(view, place, packet((from, node), kind, born, asked));
        }
        Step::Saq { up } => {
            let (line, point) = (LineId(0), Point::from_turn(1, 3));
            if up && *saqs < 8 {
                *saqs += 1;
                stats.event(view, place, Event::SaqAllocated { line, point, in_use: *saqs });
            } else if !up && *saqs > 0 {
                *saqs -= 1;
                stats.event(view, place, Event::SaqFreed { line, point, in_use: *saqs });
            }
        }
        Step::Hop => {
            stats.event(view, place, Event::Hop { at: Tick(now + 31), span: Span(32) });
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 64,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    // "What a split observer reports follows from the events of each port, whatever the parts are":
    // one observer, and one for every node.
    #[test]
    fn parts_put_together_are_the_whole(
        steps in prop::collection::vec((0..20_u64, 0..NODES, step()), 0..60),
        meet_every in 1..60_usize,
    ) {
        let mut whole = Stats::new(config());
        let mut parts: Vec<Stats> = (0..NODES).map(|_| whole.fork().unwrap()).collect();
        let mut saqs = [0; NODES as usize];
        let meet = |parts: &mut Vec<Stats>| {
            let (first, others) = parts.split_first_mut().unwrap();
            first.meet(&mut others.iter_mut().collect::<Vec<_>>());
        };
        let mut now = 0;
        meet(&mut parts);
        for (k, (ticks, node, step)) in steps.into_iter().enumerate() {
            if k % meet_every == 0 {
                meet(&mut parts);
            }
            // A link carries a packet at a time.
            now += ticks + 32;
            if now >= END {
                break;
            }
            let at = node as usize;
            let mut before = saqs[at];
            notify(&mut whole, now, node, step, &mut before);
            notify(&mut parts[at], now, node, step, &mut saqs[at]);
        }
        meet(&mut parts);
        let mut first = parts.remove(0);
        parts.into_iter().for_each(|part| first.merge(part));
        whole.end();
        first.end();
        let windows = [whole.measured(), (Tick(100), Tick(700))];
        let sets = [FlowSet::All, FlowSet::Group(0), FlowSet::Group(1), FlowSet::Victims];
        let wanted = windows.into_iter().flat_map(|window| sets.map(|set| (window, set)));
        prop_assert_eq!(whole.sets(wanted.clone()), first.sets(wanted));
        prop_assert_eq!(whole.series(), first.series());
        prop_assert_eq!(whole.flows(&[]), first.flows(&[]));
        prop_assert_eq!(whole.saqs_peak(), first.saqs_peak());
        prop_assert_eq!(whole.measured_underway(), first.measured_underway());
        let links = [WireId(0), WireId(1)];
        let window = whole.measured();
        prop_assert_eq!(whole.utilisation(&links, window), first.utilisation(&links, window));
        let counts = |s: &Stats| *s.counts();
        prop_assert_eq!(counts(&whole), counts(&first));
    }
}
