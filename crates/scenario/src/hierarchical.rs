//! Hierarchical topologies: the defaults that they have for themselves, and their routing.

use crate::error::{Problem, ScenarioError};
use crate::network::Shape;
use crate::plain::Plain;
use crate::resolved::Resolved;
use crate::settings::Settings;
use crate::traffic;
use hierarchy::{Algorithm, LocalRoutes, Routing, VcScheme};
use plan::Overtaking;
use plan::{AdaptiveConfig, SchemeKind};
use topology::{HierarchyOptions, LocalGraph, VCS_MAX, Ways};
use units::Ratio;

/// The topologies that are hierarchical.
const NAMES: &str = "dragonfly, rsi-hypercube, rsi-slimfly, rsi-butterfly";

const ALGORITHM: &str = "routing.algorithm";
const VC_SCHEME: &str = "routing.vc_scheme";
const LOCAL_ROUTES: &str = "routing.local_routes";
const THRESHOLD: &str = "routing.threshold";
const ALLOW_DEADLOCK: &str = "routing.allow_deadlock";
const QUEUES: &str = "switch.queues";
const SCHEME: &str = "switch.scheme";
const VCS: &str = "switch.vcs";
const REORDER: &str = "endnode.reorder_buffer";

/// Keys that only hierarchical topologies have, those of the wiring aside.
const OWN: &[&str] = &[
    VC_SCHEME,
    LOCAL_ROUTES,
    "routing.selection",
    THRESHOLD,
    "routing.lar_decision",
    "routing.lar_counter",
    QUEUES,
    REORDER,
];

/// Keys that they do not have: their packets carry addresses, no turns.
const OF_OTHERS: &[&str] = &["network.turnpool", "routing.up_choice"];

/// Th where it is not given [paper lai-rsi].
const THRESHOLD_DEFAULT: (u64, u64) = (3, 5);

/// Packets of a VC, where the memory is not given.
const PACKETS_A_VC: u64 = 64;

/// The graph inside a super node; `None` of a topology without.
fn local(settings: &Settings) -> Option<LocalGraph> {
    let topology = settings.word("network.topology");
    topology::local_graph(topology)
}

/// Fills in every default that depends on the kind of topology.
pub(crate) fn defaults(settings: &mut Settings, errors: &mut Vec<ScenarioError>) {
    match local(settings) {
        Some(local) => of_hierarchy(settings, &local, errors),
        None => of_others(settings, errors),
    }
}

fn fill(settings: &mut Settings, path: &str, word: &str) {
    settings.fill(path, Plain::Word(word.to_owned()));
}

fn no_meaning(settings: &Settings, path: &str, help: String) -> ScenarioError {
    let topology = settings.word("network.topology");
    let what = format!("it has no meaning with network.topology = \"{topology}\"");
    settings.refuse(path, what, help)
}

fn of_others(settings: &mut Settings, errors: &mut Vec<ScenarioError>) {
    for path in OWN.iter().filter(|path| settings.given(path)) {
        let help = format!("legal with {NAMES}");
        errors.push(no_meaning(settings, path, help));
    }
    let algorithm = settings.word(ALGORITHM);
    if Algorithm::NAMES.contains(&algorithm) {
        let topology = settings.word("network.topology");
        errors.push(settings.refuse(
            settings.first_given(&[ALGORITHM, "network.topology"]),
            format!(
                "\"{algorithm}\" with network.topology = \"{topology}\", which has no super nodes"
            ),
            format!("legal: turns, table; {algorithm} with {NAMES}"),
        ));
    }
    for (path, word) in [
        (ALGORITHM, "turns"),
        ("network.turnpool", "as31"),
        ("routing.up_choice", "destination"),
        ("switch.organisation", "cioq"),
        (SCHEME, "1q"),
        ("switch.arbiter", "round-robin"),
    ] {
        fill(settings, path, word);
    }
    settings.fill(VCS, Plain::Integer(1));
    settings.fill("switch.port_memory_bytes", Plain::Integer(32_768));
    if !settings.flag(ALLOW_DEADLOCK) {
        settings.remove(ALLOW_DEADLOCK);
    }
}

fn of_hierarchy(settings: &mut Settings, local: &LocalGraph, errors: &mut Vec<ScenarioError>) {
    for path in OF_OTHERS.iter().filter(|path| settings.given(path)) {
        let help = "remove it: packets carry the address of their destination, no turns";
        errors.push(no_meaning(settings, path, help.to_owned()));
    }
    let by_turns = settings.word(ALGORITHM);
    if plan::RoutingKind::NAMES.contains(&by_turns) {
        let topology = settings.word("network.topology");
        errors.push(settings.refuse(
            settings.first_given(&[ALGORITHM, "network.topology"]),
            format!("\"{by_turns}\" with network.topology = \"{topology}\", whose nodes route by the tables T1 and T2"),
            format!("legal: {}", Algorithm::NAMES.join(", ")),
        ));
        settings.remove(ALGORITHM);
    }
    for (path, word) in [
        (ALGORITHM, Algorithm::default().name()),
        (VC_SCHEME, VcScheme::default().name()),
        (LOCAL_ROUTES, LocalRoutes::default().name()),
        ("routing.selection", hierarchy::Selection::default().name()),
        ("routing.lar_decision", hierarchy::LarDecision::default().name()),
        ("routing.lar_counter", hierarchy::LarCounter::default().name()),
        ("switch.organisation", "iq"),
        ("switch.arbiter", "maximum-matching"),
    ] {
        fill(settings, path, word);
    }
    settings.fill(ALLOW_DEADLOCK, Plain::Flag(false));
    settings.fill(REORDER, Plain::Flag(false));
    threshold(settings, errors);
    if settings.word(LOCAL_ROUTES) == LocalRoutes::DimensionOrder.name() && !local.has_dimensions()
    {
        let topology = settings.word("network.topology");
        errors.push(settings.refuse(
            LOCAL_ROUTES,
            format!("\"dimension-order\" with network.topology = \"{topology}\", whose super nodes have no dimensions"),
            "legal: all-minimal; dimension-order with dragonfly, rsi-hypercube, rsi-butterfly",
        ));
    }
    queues(settings, errors);
    channels(settings, local, errors);
}

/// Th is read by LAR alone.
fn threshold(settings: &mut Settings, errors: &mut Vec<ScenarioError>) {
    let algorithm = settings.word(ALGORITHM);
    if algorithm == Algorithm::Lar.name() {
        let (num, den) = THRESHOLD_DEFAULT;
        settings.fill(THRESHOLD, Plain::Ratio(Ratio::new(num, den).ok()));
    } else if settings.given(THRESHOLD) {
        let blamed = settings.first_given(&[THRESHOLD, ALGORITHM]);
        errors.push(
            Problem::new(format!(
                "it has no meaning with {ALGORITHM} = \"{algorithm}\": LAR alone reads it"
            ))
            .key(THRESHOLD)
            .help(format!("remove it, or {ALGORITHM} = \"lar\""))
            .at(&settings.origin(blamed)),
        );
    }
}

/// `switch.queues` and `switch.scheme` say the same; either gives the other.
fn queues(settings: &mut Settings, errors: &mut Vec<ScenarioError>) {
    const PAIRS: [(&str, SchemeKind); 2] =
        [("voq-per-vc", SchemeKind::VoqPerVc), ("fifo-per-vc", SchemeKind::OneQueue)];
    let scheme_of = |queues: &str| PAIRS.iter().find(|(name, _)| *name == queues).map(|p| p.1);
    let (queues, scheme) = (settings.word(QUEUES), settings.word(SCHEME));
    let pair = PAIRS.iter().find(|(_, kind)| kind.name() == scheme);
    match (scheme_of(queues), scheme) {
        (None, "") => {
            fill(settings, QUEUES, PAIRS[0].0);
            fill(settings, SCHEME, PAIRS[0].1.name());
        }
        (Some(kind), "") => fill(settings, SCHEME, kind.name()),
        (None, _) => {
            if let Some((name, _)) = pair {
                fill(settings, QUEUES, name);
            }
        }
        (Some(kind), given) if kind.name() != given => {
            errors.push(settings.refuse(
                settings.first_given(&[QUEUES, SCHEME]),
                format!("{QUEUES} = \"{queues}\" contradicts {SCHEME} = \"{given}\""),
                format!(
                    "legal: one of the two, or {QUEUES} = \"{queues}\" with {SCHEME} = \"{kind}\""
                ),
            ));
        }
        (Some(_), _) => {}
    }
}

/// The VCs of a link, and the memory for them.
fn channels(settings: &mut Settings, local: &LocalGraph, errors: &mut Vec<ScenarioError>) {
    let options = options(settings);
    let needed = options.vc_scheme.needed(options.algorithm, local.diameter());
    let needed = u32::from(needed.max(1));
    settings.fill(VCS, Plain::Integer(needed.into()));
    let vcs = settings.small(VCS);
    if vcs < needed {
        let HierarchyOptions { algorithm, vc_scheme, .. } = options;
        errors.push(settings.refuse(
            settings.first_given(&[VCS, VC_SCHEME, ALGORITHM]),
            format!(
                "{vcs} virtual channels: \"{algorithm}\" with \"{vc_scheme}\" needs {needed}, in super nodes of diameter {}",
                local.diameter()
            ),
            format!("legal: {VCS} from {needed} to {VCS_MAX}; {needed} where it is not given"),
        ));
    }
    let times = if settings.flag("endnode.reply_vcs") { 2 } else { 1 };
    let cell = u64::from(settings.small("switch.cell_bytes"));
    let packet = u64::from(settings.small("link.packet_bytes")).next_multiple_of(cell.max(1));
    let memory = PACKETS_A_VC * packet * u64::from(vcs) * times;
    settings.fill("switch.port_memory_bytes", Plain::Integer(memory));
}

/// The part of the routing that the network is built and checked for.
pub(crate) fn options(settings: &Settings) -> HierarchyOptions {
    HierarchyOptions {
        algorithm: settings.word(ALGORITHM).parse().unwrap_or_default(),
        vc_scheme: settings.word(VC_SCHEME).parse().unwrap_or_default(),
        local_routes: settings.word(LOCAL_ROUTES).parse().unwrap_or_default(),
    }
}

/// What routers decide by; `None` without super nodes.
pub(crate) fn adaptive(settings: &Settings, shape: &Shape) -> Option<AdaptiveConfig> {
    let plan = shape.plan.as_ref()?;
    let HierarchyOptions { algorithm, vc_scheme, .. } = options(settings);
    let (num, den) = THRESHOLD_DEFAULT;
    let default = Ratio::new(num, den).unwrap_or(Ratio::ONE);
    Some(AdaptiveConfig {
        routing: Routing { algorithm, vc_scheme, diameter: plan.local().diameter() },
        decision: settings.word("routing.lar_decision").parse().unwrap_or_default(),
        counter: settings.word("routing.lar_counter").parse().unwrap_or_default(),
        selection: settings.word("routing.selection").parse().unwrap_or_default(),
        threshold: settings.ratio(THRESHOLD).unwrap_or(default),
    })
}

/// Why a scheme cannot go where each node chooses the next hop.
pub(crate) fn refuse_scheme(settings: &Settings, scheme: SchemeKind) -> ScenarioError {
    let why = match scheme {
        SchemeKind::VoqSw => {
            "its outputs look ahead to the output of the next switch, which is chosen only there"
        }
        SchemeKind::Damq => "its shared pool would join the virtual channels and lock",
        _ => {
            "it names congested points by the turns of routes, and routes here are chosen at each hop"
        }
    };
    settings.refuse(
        settings.first_given(&[SCHEME, "network.topology"]),
        format!("`{scheme}` in a hierarchical network: {why}"),
        "legal: voq-per-vc, 1q, voq-net, dbbm",
    )
}

/// The cycle of a routing that can deadlock.
pub(crate) fn refuse_cycle(settings: &Settings, cycle: &impl std::fmt::Display) -> ScenarioError {
    let HierarchyOptions { algorithm, vc_scheme, local_routes } = options(settings);
    let blamed = settings.first_given(&[VC_SCHEME, LOCAL_ROUTES, ALGORITHM, "network.topology"]);
    let mut legal = format!("legal: {VC_SCHEME} = \"hop-count\"");
    if vc_scheme == VcScheme::GlobalCount && local_routes == LocalRoutes::AllMinimal {
        legal +=
            &format!(", or {LOCAL_ROUTES} = \"dimension-order\" where super nodes have dimensions");
    }
    Problem::new(format!(
        "\"{algorithm}\" with \"{vc_scheme}\" and \"{local_routes}\" can deadlock: {cycle}"
    ))
    .key(VC_SCHEME)
    .help(format!("{legal}; {ALLOW_DEADLOCK} = true runs it all the same, until it stops"))
    .at(&settings.origin(blamed))
}

/// What may put packets of a flow out of order. Messages of several packets, whose last one may
/// come first, or alone, need a reorder buffer.
pub(crate) fn order(
    settings: &Settings,
    resolved: &Resolved,
    ways: Ways,
) -> Result<Option<Overtaking>, ScenarioError> {
    let Resolved { switch, endnode, faults, .. } = resolved;
    let found = Overtaking::of(ways, switch, endnode, faults);
    let why = match found {
        Some(why) => why.to_string(),
        None if !faults.is_none() && !endnode.reorder_buffer => "links or nodes fail".to_owned(),
        None => return Ok(None),
    };
    let packet = settings.small("link.packet_bytes");
    let messages = traffic::longest_messages(settings);
    let Some((path, longest)) = messages.into_iter().find(|(_, longest)| *longest > packet) else {
        return Ok(found);
    };
    let blamed = settings.first_given(&[&path, "link.packet_bytes"]);
    Err(Problem::new(format!(
        "a message of {longest} bytes is cut into packets of {packet}, and its last packet may come first: {why}"
    ))
    .key(&path)
    .help(format!("legal: {REORDER} = true, or messages of at most link.packet_bytes"))
    .at(&settings.origin(blamed)))
}
