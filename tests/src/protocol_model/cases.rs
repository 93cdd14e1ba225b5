//! The networks that are explored, and which of them catches which mutant.
//!
//! ```text
//! node 0 ── 0┌──────────┐      ┌──────────┐2 ── node 3: point X
//!            │ switch 0 │2 ── 0│ switch 1 │3 ── node 4: point Y
//! node 1 ── 1└──────────┘      └──────────┘
//!                       node 2 ── 1 ┘
//! ```
//!
//! Output 2 of switch 0 is a point too, less specific than X and Y at every port before it. Point Z
//! is one switch further: there switch 2 is in the place of node 3.

use super::broken::Mutant::{self, self as M};
use super::commit::{RETRY, TIMER};
use super::model::{Explored, ProtocolModel};
use super::network::{Flow, Hop, Network};
use super::properties::Rule::{self, self as R};
use flow_control::{Edge, Thresholds};
use plan::Organisation;
use plan::SchemeKind::{self, Recn, RecnBasic, RecnDd, RecnDdIq};
use recn::{RecnConfig, Rules};
use std::fmt;
use units::Span;

type Traffic = (&'static str, &'static [Flow]);

const A_X: &[Hop] = &[(0, 0, 2), (1, 0, 2)];
const A_Y: &[Hop] = &[(0, 0, 2), (1, 0, 3)];
const B_X: &[Hop] = &[(0, 1, 2), (1, 0, 2)];
const C_X: &[Hop] = &[(1, 1, 2)];

/// Over three switches: switch 2 is in the place of node 3.
const A_Z: &[Hop] = &[(0, 0, 2), (1, 0, 2), (2, 0, 2)];
const B_Z: &[Hop] = &[(0, 1, 2), (1, 0, 2), (2, 0, 2)];

const fn flow(node: u8, packets: u8, hops: &'static [Hop]) -> Flow {
    Flow { node, packets, hops }
}

const TWO: Traffic = ("0→X ×2", &[flow(0, 2, A_X)]);
const THREE: Traffic = ("0→X ×3", &[flow(0, 3, A_X)]);
const FOUR: Traffic = ("0→X ×4", &[flow(0, 4, A_X)]);
const FORK: Traffic = ("0→X ×2, 0→Y", &[flow(0, 2, A_X), flow(0, 1, A_Y)]);
const MERGE: Traffic = ("0→X ×2, 1→X", &[flow(0, 2, A_X), flow(1, 1, B_X)]);
const CROSS: Traffic = ("0→X ×2, 2→X", &[flow(0, 2, A_X), flow(2, 1, C_X)]);
const LONG_TWO: Traffic = ("0→Z ×2", &[flow(0, 2, A_Z)]);
const LONG_THREE: Traffic = ("0→Z ×3", &[flow(0, 3, A_Z)]);
const LONG_MERGE: Traffic = ("0→Z, 1→Z", &[flow(0, 1, A_Z), flow(1, 1, B_Z)]);
const BRANCH: Traffic = ("0→X ×2, 0→Y, 1→X", &[flow(0, 2, A_X), flow(0, 1, A_Y), flow(1, 1, B_X)]);

/// Egress detection, ingress detection, propagation, Xoff, Xon, in packets.
type Limits = (u32, u32, u32, u32, u32);

/// A network, a version and its thresholds.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// What is sent.
    pub traffic: &'static str,
    flows: &'static [Flow],
    /// The version.
    pub scheme: SchemeKind,
    /// SAQs per port of a switch.
    pub saqs: u8,
    /// SAQs of an injection memory: fewer than at the switches, and there are refusals over links.
    pub injection_saqs: u8,
    /// When there is congestion.
    pub thresholds: Limits,
    /// `recn-dd-iq`: outputs have CAM lines without queues.
    pub iq_egress_lines: bool,
    /// Timers run as long as they like; else they are over in the next commit.
    pub any_timers: bool,
    /// Commits with two events too.
    pub pairs: bool,
    /// Packets that a port memory holds.
    pub capacity: usize,
}

impl Case {
    /// Thresholds as low as they go, short timers, one event a commit, room for three packets.
    const fn new(scheme: SchemeKind, (traffic, flows): Traffic, saqs: u8) -> Case {
        Case {
            traffic,
            flows,
            scheme,
            saqs,
            injection_saqs: saqs,
            thresholds: (0, 1, 0, 1, 0),
            iq_egress_lines: false,
            any_timers: false,
            pairs: false,
            capacity: 3,
        }
    }

    const fn any_timers(self) -> Case {
        Case { any_timers: true, ..self }
    }

    const fn pairs(self) -> Case {
        Case { pairs: true, ..self }
    }

    const fn thresholds(self, thresholds: Limits) -> Case {
        Case { thresholds, ..self }
    }

    const fn iq_egress_lines(self) -> Case {
        Case { iq_egress_lines: true, ..self }
    }

    const fn injection_saqs(self, injection_saqs: u8) -> Case {
        Case { injection_saqs, ..self }
    }

    const fn capacity(self, capacity: usize) -> Case {
        Case { capacity, ..self }
    }

    /// Name of the version; `lines`: with CAM lines without queues at outputs.
    pub fn version(&self) -> String {
        let lines = if self.iq_egress_lines { ", lines" } else { "" };
        format!("`{}`{lines}", self.scheme)
    }

    /// How long timers run.
    pub fn timers(&self) -> &'static str {
        if self.any_timers { "any" } else { "short" }
    }

    /// Explores it with a rule broken or none, up to the violation of a property if one is given.
    pub fn explore(&self, mutant: Option<Mutant>, until: Option<Rule>) -> Explored {
        let rules = Rules::of(self.scheme.version().expect("a version of RECN"));
        let organisation = if rules.moves() { Organisation::Iq } else { Organisation::Cioq };
        let network = Network::new(self.flows, organisation);
        ProtocolModel { network, rules, case: *self, config: self.config(), mutant }.explore(until)
    }

    /// As the switch takes it. A time is over with its event.
    fn config(&self) -> RecnConfig {
        let (egress, ingress, propagation, xoff, xon) = self.thresholds;
        RecnConfig {
            saqs: self.saqs,
            detection_egress_packets: egress,
            detection_ingress_packets: ingress,
            propagation_packets: propagation,
            thresholds: Thresholds::new(xoff, xon, Edge::Reached).expect("Xon is not above Xoff"),
            saq_timer: TIMER,
            retry: RETRY,
            xoff_repeat: TIMER,
            ppu_interval: Span::TICK,
            iq_egress_lines: self.iq_egress_lines,
            root_xoff_packets: None,
        }
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (version, timers) = (self.version(), self.timers());
        let Case { traffic, saqs, injection_saqs: injection, thresholds, pairs, .. } = self;
        let events = 1 + u8::from(*pairs);
        write!(
            f,
            "{version}, {traffic}, {saqs} SAQs (injection {injection}), {thresholds:?}, \
             timers {timers}, {events} events"
        )
    }
}

/// Roots are found at ingress only.
const AT_INGRESS: Limits = (9, 1, 9, 1, 0);
/// Roots are found at ingress only, and nothing is ever at Xoff.
const NO_XOFF: Limits = (9, 1, 0, 9, 0);
/// The second packet in an egress queue is congestion.
const SECOND: Limits = (1, 1, 0, 1, 0);
/// A detection queue must hold two packets.
const LATER: Limits = (0, 2, 0, 1, 0);

/// The smallest in which `recn` sets a point aside that is more specific than that of a SAQ with
/// packets in it: the first packet finds the root X, the second spreads it to ingress port 0 of
/// switch 0, where the third waits in the SAQ of output 2, and the fourth would overtake it.
const NESTED: Case = Case::new(Recn, FOUR, 2).thresholds(NO_XOFF).injection_saqs(0).capacity(2);

/// Explored by the tests: case, states, depth.
pub const SMALL: &[(Case, usize, usize)] = &[
    (Case::new(RecnBasic, FORK, 1), 38_563, 37),
    (Case::new(RecnBasic, FORK, 2).pairs(), 51_631, 28),
    (Case::new(RecnBasic, MERGE, 2), 35_025, 38),
    (Case::new(RecnBasic, CROSS, 2).any_timers(), 60_797, 38),
    (Case::new(Recn, TWO, 1).any_timers(), 121_720, 39),
    (Case::new(Recn, TWO, 2).pairs(), 25_296, 26),
    (Case::new(Recn, FORK, 2).thresholds(LATER), 54_061, 37),
    (Case::new(Recn, MERGE, 1).thresholds(LATER), 48_873, 38),
    (Case::new(Recn, TWO, 2).injection_saqs(0).any_timers(), 126_266, 38),
    (NESTED, 21_331, 45),
    (Case::new(RecnDd, TWO, 2).any_timers().pairs(), 13_290, 21),
    (Case::new(RecnDd, THREE, 2), 63_829, 41),
    (Case::new(RecnDd, CROSS, 2), 82_511, 35),
    (Case::new(RecnDdIq, TWO, 2).any_timers().pairs(), 4_342, 21),
    (Case::new(RecnDdIq, TWO, 2).any_timers().pairs().iq_egress_lines(), 2_748, 21),
    (Case::new(RecnDdIq, THREE, 2), 15_638, 34),
    (Case::new(RecnDdIq, THREE, 2).iq_egress_lines(), 13_787, 29),
    // A packet starts through a line in the commit in which Xon frees it.
    (Case::new(RecnDdIq, FORK, 2).pairs().iq_egress_lines(), 54_984, 25),
    (Case::new(RecnDdIq, MERGE, 2), 73_367, 33),
    (Case::new(RecnDdIq, LONG_TWO, 2), 16_616, 32),
    (Case::new(RecnDdIq, LONG_TWO, 2).iq_egress_lines(), 14_450, 29),
    (Case::new(RecnDdIq, LONG_MERGE, 2), 47_806, 33),
];

/// Explored by `cargo xtask model`.
pub const LARGE: &[Case] = &[
    Case::new(RecnBasic, FORK, 1).any_timers(),
    Case::new(RecnBasic, MERGE, 1).any_timers(),
    Case::new(RecnBasic, MERGE, 2).injection_saqs(0).any_timers(),
    Case::new(RecnBasic, BRANCH, 2),
    Case::new(Recn, THREE, 2),
    Case::new(Recn, FORK, 1).thresholds(SECOND),
    Case::new(Recn, CROSS, 2),
    Case::new(Recn, THREE, 1).any_timers(),
    Case::new(RecnDd, FORK, 1).any_timers(),
    Case::new(RecnDd, FORK, 1).pairs(),
    Case::new(RecnDd, FORK, 2),
    Case::new(RecnDd, MERGE, 2),
    Case::new(RecnDd, FOUR, 2).thresholds(AT_INGRESS).capacity(2),
    Case::new(RecnDdIq, THREE, 1).any_timers(),
    Case::new(RecnDdIq, THREE, 1).any_timers().iq_egress_lines(),
    Case::new(RecnDdIq, FORK, 2),
    Case::new(RecnDdIq, MERGE, 2).pairs(),
    Case::new(RecnDdIq, BRANCH, 1).iq_egress_lines(),
    Case::new(RecnDdIq, LONG_THREE, 2),
];

/// In which network, which mutant, caught by which property.
pub fn caught() -> impl Iterator<Item = (&'static Case, Mutant, Rule)> {
    CAUGHT
        .iter()
        .flat_map(|(case, mutants)| mutants.iter().map(move |&(mutant, rule)| (case, mutant, rule)))
}

const CAUGHT: &[(Case, &[(Mutant, Rule)])] = &[
    (
        Case::new(RecnBasic, FORK, 1),
        &[(M::MarkerOmitted, R::Order), (M::RefusalForgotten, R::Tokens)],
    ),
    (
        Case::new(RecnBasic, FORK, 2),
        &[
            (M::FreedNotReady, R::Markers),
            (M::TimerForgotten, R::PutAway),
            (M::TokenLost, R::PutAway),
            (M::TokenTwice, R::Protocol),
            (M::XonLost, R::Delivered),
            (M::XoffBehindNotificationOmitted, R::Xoff),
        ],
    ),
    (Case::new(Recn, TWO, 1), &[(M::SwapOmitted, R::Order), (M::RefusalForgotten, R::Protocol)]),
    (
        Case::new(Recn, TWO, 2),
        &[
            (M::FreedNotLeaf, R::Tokens),
            (M::FreedBlocked, R::Protocol),
            (M::TokenLost, R::Tokens),
            (M::TokenTwice, R::Tokens),
            (M::InternalTokenLost, R::PutAway),
            (M::AdoptionForgotten, R::PutAway),
            (M::XonLost, R::Delivered),
            (M::InternalXonLost, R::Xoff),
        ],
    ),
    (Case::new(Recn, TWO, 2).injection_saqs(0), &[(M::NackForgotten, R::Tokens)]),
    (
        Case::new(RecnDd, THREE, 2),
        &[
            (M::MarkerOmitted, R::Order),
            (M::SwapOmitted, R::Delivered),
            (M::FreedNotReady, R::Markers),
            (M::TimerForgotten, R::PutAway),
            (M::XonLost, R::Delivered),
            (M::InternalXonLost, R::Delivered),
        ],
    ),
    (
        Case::new(RecnDd, FOUR, 2).thresholds(AT_INGRESS).injection_saqs(0).capacity(2),
        &[(M::NestedMarkerOmitted, R::Order)],
    ),
    (NESTED, &[(M::NestedMarkerOmitted, R::Order)]),
    (
        Case::new(RecnDdIq, TWO, 2),
        &[
            (M::FreedNotReady, R::Markers),
            (M::FreedBlocked, R::Protocol),
            (M::TimerForgotten, R::PutAway),
            (M::XonLost, R::Delivered),
            (M::InternalXonLost, R::Delivered),
            (M::ColdHeadGoes, R::Order),
        ],
    ),
    (
        Case::new(RecnDdIq, THREE, 2),
        &[(M::MarkerOmitted, R::Order), (M::NestedMarkerOmitted, R::Order)],
    ),
    (Case::new(RecnDdIq, THREE, 2).iq_egress_lines(), &[(M::LineKept, R::Xoff)]),
];
