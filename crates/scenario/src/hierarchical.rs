//! Hierarchical topologies: the defaults that they have for themselves, and their routing.

use crate::draft::{Draft, Gate};
use crate::error::ScenarioError;
use crate::keys::Fallback::{Flag, Integer, Ratio as Part, Unset, Word};
use crate::keys::{ALGORITHM, SCHEME, TOPOLOGY, VCS};
use crate::network::Shape;
use crate::resolve::Resolved;
use crate::scenario::Scenario;
use crate::settings::Settings;
use crate::traffic;
use hierarchy::{Algorithm, LocalRoutes, Routing, VcScheme};
use plan::{AdaptiveConfig, Overtaking, RoutingKind, SchemeKind};
use topology::{HierarchyOptions, LocalGraph, VCS_MAX, Ways};
use units::Ratio;

const VC_SCHEME: &str = "routing.vc_scheme";
const LOCAL_ROUTES: &str = "routing.local_routes";
const THRESHOLD: &str = "routing.threshold";
const ALLOW_DEADLOCK: &str = "routing.allow_deadlock";
const QUEUES: &str = "switch.queues";

pub(crate) const LEGAL: &str = "legal with dragonfly, rsi-hypercube, rsi-slimfly, rsi-butterfly";

/// Keys that only hierarchical topologies have, those of the wiring aside.
const OWN: Gate = Gate {
    is_open: |settings| local(settings).is_some(),
    keys: &[
        (VC_SCHEME, Word("hop-count")),
        (LOCAL_ROUTES, Word("all-minimal")),
        ("routing.selection", Word("least-queued")),
        (THRESHOLD, Unset("")),
        ("routing.lar_decision", Word("arrival")),
        ("routing.lar_counter", Word("requests")),
        (QUEUES, Unset("")),
        ("endnode.reorder_buffer", Flag(false)),
    ],
    or: None,
    what: "it has no meaning with network.topology = {network.topology}",
    help: LEGAL,
};

/// Keys that they do not have: their packets carry addresses, no turns.
const OF_OTHERS: Gate = Gate {
    is_open: |settings| local(settings).is_none(),
    keys: &[("network.turnpool", Word("as31")), ("routing.up_choice", Word("destination"))],
    or: None,
    what: OWN.what,
    help: "remove it: packets carry the address of their destination, no turns",
};

/// Th where it is not given [paper lai-rsi]; LAR alone reads it.
const TH: (u64, u64) = (3, 5);
const LAR: Gate = Gate {
    is_open: |settings| settings.word(ALGORITHM) == "lar",
    keys: &[(THRESHOLD, Part(TH.0, TH.1))],
    or: Some(ALGORITHM),
    what: "it has no meaning with routing.algorithm = {routing.algorithm}: LAR alone reads it",
    help: "remove it, or routing.algorithm = \"lar\"",
};

/// Packets of a VC, where the memory is not given.
const PACKETS_A_VC: u64 = 64;

/// The graph inside a super node; `None` of a topology without.
pub(crate) fn local(settings: &Settings) -> Option<LocalGraph> {
    topology::local_graph(settings.word(TOPOLOGY))
}

/// Fills in every default that depends on the kind of topology.
pub(crate) fn defaults(draft: &mut Draft) {
    draft.gate(&OWN);
    draft.gate(&OF_OTHERS);
    let (algorithm, topology) = (draft.word(ALGORITHM), draft.word(TOPOLOGY));
    let Some(local) = local(draft) else {
        if Algorithm::NAMES.contains(&algorithm) {
            draft.refuse(
                &[ALGORITHM, TOPOLOGY],
                format!("\"{algorithm}\" with {TOPOLOGY} = \"{topology}\", which has no super nodes"),
                format!("legal: turns, table; {algorithm} with dragonfly, rsi-hypercube, rsi-slimfly, rsi-butterfly"),
            );
        }
        draft.fill_all(&[
            (ALGORITHM, Word("turns")),
            ("switch.organisation", Word("cioq")),
            (SCHEME, Word("1q")),
            ("switch.arbiter", Word("round-robin")),
            (VCS, Integer(1)),
            ("switch.port_memory_bytes", Integer(32_768)),
        ]);
        if !draft.flag(ALLOW_DEADLOCK) {
            draft.remove(ALLOW_DEADLOCK);
        }
        return;
    };
    if RoutingKind::NAMES.contains(&algorithm) {
        draft.refuse(
            &[ALGORITHM, TOPOLOGY],
            format!("\"{algorithm}\" with {TOPOLOGY} = \"{topology}\", whose nodes route by the tables T1 and T2"),
            format!("legal: {}", Algorithm::NAMES.join(", ")),
        );
        draft.remove(ALGORITHM);
    }
    draft.fill_all(&[
        (ALGORITHM, Word("minimal")),
        ("switch.organisation", Word("iq")),
        ("switch.arbiter", Word("maximum-matching")),
        (ALLOW_DEADLOCK, Flag(false)),
    ]);
    draft.gate(&LAR);
    if draft.word(LOCAL_ROUTES) == LocalRoutes::DimensionOrder.name() && !local.has_dimensions {
        let topology = draft.word(TOPOLOGY);
        draft.refuse(
            &[LOCAL_ROUTES],
            format!("\"dimension-order\" with {TOPOLOGY} = \"{topology}\", whose super nodes have no dimensions"),
            "legal: all-minimal; dimension-order with dragonfly, rsi-hypercube, rsi-butterfly",
        );
    }
    queues(draft);
    channels(draft, &local);
}

/// `switch.queues` and `switch.scheme` mean the same; either gives the other.
fn queues(draft: &mut Draft) {
    const PAIRS: [(&str, SchemeKind); 2] =
        [("voq-per-vc", SchemeKind::VoqPerVc), ("fifo-per-vc", SchemeKind::OneQueue)];
    let (queues, scheme) = (draft.word(QUEUES), draft.word(SCHEME));
    let of_queues = PAIRS.iter().find(|(name, _)| *name == queues);
    let of_scheme = PAIRS.iter().find(|(_, kind)| kind.name() == scheme);
    match (of_queues, of_scheme) {
        (Some((_, kind)), _) if !scheme.is_empty() && kind.name() != scheme => draft.refuse(
            &[QUEUES, SCHEME],
            format!("{QUEUES} = \"{queues}\" contradicts {SCHEME} = \"{scheme}\""),
            format!("legal: one of the two, or {QUEUES} = \"{queues}\" with {SCHEME} = \"{kind}\""),
        ),
        (None, None) if !scheme.is_empty() => {} // a scheme of other queues
        (pair, other) => {
            let (name, kind) = pair.or(other).unwrap_or(&PAIRS[0]);
            draft.fill(QUEUES, *name);
            draft.fill(SCHEME, kind.name());
        }
    }
}

/// The VCs of a link, and the memory for them.
fn channels(draft: &mut Draft, local: &LocalGraph) {
    let HierarchyOptions { algorithm, vc_scheme, .. } = options(draft);
    let diameter = local.diameter();
    let needed = u32::from(vc_scheme.needed(algorithm, diameter).max(1));
    draft.fill(VCS, u64::from(needed));
    let vcs = draft.small(VCS);
    if vcs < needed {
        draft.refuse(
            &[VCS, VC_SCHEME, ALGORITHM],
            format!(
                "{vcs} virtual channels: \"{algorithm}\" with \"{vc_scheme}\" needs {needed}, in super nodes of diameter {diameter}"
            ),
            format!("legal: {VCS} from {needed} to {VCS_MAX}; {needed} where it is not given"),
        );
    }
    let times = if draft.flag("endnode.reply_vcs") { 2 } else { 1 };
    let cell = u64::from(draft.small("switch.cell_bytes"));
    let packet = u64::from(draft.small("link.packet_bytes")).next_multiple_of(cell.max(1));
    draft.fill("switch.port_memory_bytes", PACKETS_A_VC * packet * u64::from(vcs) * times);
}

pub(crate) fn options(settings: &Settings) -> HierarchyOptions {
    HierarchyOptions {
        algorithm: settings.named(ALGORITHM),
        vc_scheme: settings.named(VC_SCHEME),
        local_routes: settings.named(LOCAL_ROUTES),
    }
}

/// What routers decide by; `None` without super nodes.
pub(crate) fn adaptive(settings: &Settings, shape: &Shape) -> Option<AdaptiveConfig> {
    let plan = shape.plan.as_ref()?;
    let HierarchyOptions { algorithm, vc_scheme, .. } = options(settings);
    let default = || Ratio::new(TH.0, TH.1).unwrap_or(Ratio::ONE);
    Some(AdaptiveConfig {
        routing: Routing { algorithm, vc_scheme, diameter: plan.local.diameter() },
        decision: settings.named("routing.lar_decision"),
        counter: settings.named("routing.lar_counter"),
        selection: settings.named("routing.selection"),
        threshold: settings.ratio(THRESHOLD).unwrap_or_else(default),
    })
}

pub(crate) fn refuse_scheme(draft: &Draft, scheme: SchemeKind) {
    let why = match scheme {
        SchemeKind::VoqSw => {
            "its outputs look ahead to the output of the next switch, which is chosen only there"
        }
        SchemeKind::Damq => "its shared pool would join the virtual channels and lock",
        _ => {
            "it names congested points by the turns of routes, and routes here are chosen at each hop"
        }
    };
    let what = format!("`{scheme}` in a hierarchical network: {why}");
    draft.refuse(&[SCHEME, TOPOLOGY], what, "legal: voq-per-vc, 1q, voq-net, dbbm");
}

/// The cycle of a routing that can deadlock.
pub(crate) fn refuse_cycle(settings: &Settings, cycle: &impl std::fmt::Display) -> ScenarioError {
    let HierarchyOptions { algorithm, vc_scheme, local_routes } = options(settings);
    let mut legal = format!("legal: {VC_SCHEME} = \"hop-count\"");
    if vc_scheme == VcScheme::GlobalCount && local_routes == LocalRoutes::AllMinimal {
        legal +=
            &format!(", or {LOCAL_ROUTES} = \"dimension-order\" where super nodes have dimensions");
    }
    settings.error_of(
        VC_SCHEME,
        &[VC_SCHEME, LOCAL_ROUTES, ALGORITHM, TOPOLOGY],
        format!(
            "\"{algorithm}\" with \"{vc_scheme}\" and \"{local_routes}\" can deadlock: {cycle}"
        ),
        format!("{legal}; {ALLOW_DEADLOCK} = true runs it all the same, until it stops"),
    )
}

/// What may put packets of a flow out of order. Messages of several packets, whose last one may
/// come first, or alone, need a reorder buffer.
pub(crate) fn order(scenario: &Scenario, ways: Ways) -> Result<Option<Overtaking>, ScenarioError> {
    let Scenario { settings, resolved: Resolved { switch, endnode, faults, .. }, .. } = scenario;
    let found = Overtaking::of(ways, switch, endnode, faults);
    let why = match found {
        Some(why) => why.to_string(),
        None if !faults.is_none() && !endnode.reorder_buffer => "links or nodes fail".to_owned(),
        None => return Ok(None),
    };
    let packet = settings.small("link.packet_bytes");
    let mut messages = traffic::longest_messages(settings);
    let Some((path, longest)) = messages.find(|(_, longest)| *longest > packet) else {
        return Ok(found);
    };
    Err(settings.error_of(
        &path,
        &[&path, "link.packet_bytes"],
        format!("a message of {longest} bytes is cut into packets of {packet}, and its last packet may come first: {why}"),
        "legal: endnode.reorder_buffer = true, or messages of at most link.packet_bytes",
    ))
}
