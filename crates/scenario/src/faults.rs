//! The section `[faults]`: what fails, and when.

use crate::error::{Problem, SHOWN_MAX, ScenarioError};
use crate::hierarchical;
use crate::keys::EVENTS;
use crate::network::Shape;
use crate::plain::Plain;
use crate::settings::{Settings, event_path, join};
use crate::times::ticks;
use hierarchy::{LocalRoutes, VcScheme};
use plan::{FaultConfig, FaultEvent, FaultTables, FaultTarget, RandomFaults, RunConfig};
use std::collections::BTreeMap;
use topology::Plan;
use units::{Ratio, Span, Tick, TimeBase};

const PROTOCOL: &str = "faults.protocol";
const TABLES: &str = "faults.tables";
const NOTICE: &str = "faults.notice_ns";
/// Default of [`NOTICE`] [choice]: many round trips of a rack.
const NOTICE_NS: u64 = 10_000;
const START: &str = "faults.start_ns";
const END: &str = "faults.end_ns";
const LINK: [&str; 2] = ["faults.link_mtbf_ns", "faults.link_mttr_ns"];
const NODE: [&str; 2] = ["faults.node_mtbf_ns", "faults.node_mttr_ns"];
const SECTION: [&str; 9] =
    [PROTOCOL, TABLES, NOTICE, LINK[0], LINK[1], NODE[0], NODE[1], START, END];

/// Whether anything fails at random.
fn is_random(settings: &Settings) -> bool {
    [LINK[0], NODE[0]].iter().any(|path| settings.given(path))
}

/// Whether anything ever fails.
pub(crate) fn any(settings: &Settings) -> bool {
    settings.events > 0 || is_random(settings)
}

/// Fills in what follows from other keys, where anything ever fails.
pub(crate) fn defaults(settings: &mut Settings) {
    if !any(settings) {
        return;
    }
    for (path, word) in [
        (PROTOCOL, hierarchy::recovery::Protocol::default().name()),
        (TABLES, FaultTables::NAMES[0]),
    ] {
        settings.fill(path, Plain::Word(word.to_owned()));
    }
    settings.fill(NOTICE, Plain::Ratio(Ratio::new(NOTICE_NS, 1).ok()));
    if is_random(settings) {
        settings.fill(START, Plain::Ratio(None));
        if let Some(duration) = settings.plain("run.duration_ns").cloned() {
            settings.fill(END, duration);
        }
    }
}

/// All of the section; what is wrong with it is in `errors`.
pub(crate) fn config(
    settings: &Settings,
    shape: &Shape,
    time_base: &TimeBase,
    run: &RunConfig,
    errors: &mut Vec<ScenarioError>,
) -> FaultConfig {
    let before = errors.len();
    let Some(plan) = &shape.plan else {
        no_super_nodes(settings, errors);
        return FaultConfig::default();
    };
    let random = random(settings, time_base, run, errors);
    if !any(settings) {
        for path in [PROTOCOL, TABLES, NOTICE].iter().filter(|path| settings.given(path)) {
            errors.push(settings.refuse(
                path,
                "it has no effect, as nothing ever fails",
                format!("remove it, or write [[{EVENTS}]], or {}", LINK[0]),
            ));
        }
    }
    if settings.word(TABLES) == "recomputed" && settings.given(PROTOCOL) {
        errors.push(settings.refuse(
            PROTOCOL,
            format!("it has no effect with {TABLES} = \"recomputed\": routers tell nobody"),
            format!("remove it, or legal: {TABLES} = \"pruned\""),
        ));
    }
    let notice = notice(settings, time_base, run, errors);
    let events = events(settings, plan, time_base, run, errors);
    if any(settings) {
        routing(settings, errors);
    }
    if errors.len() > before {
        return FaultConfig::default();
    }
    FaultConfig {
        protocol: settings.word(PROTOCOL).parse().unwrap_or_default(),
        tables: match settings.word(TABLES) {
            "recomputed" => FaultTables::Recomputed,
            _ => FaultTables::Pruned,
        },
        events,
        random,
        notice,
    }
}

/// How often end nodes hear of what is lost.
fn notice(
    settings: &Settings,
    time_base: &TimeBase,
    run: &RunConfig,
    errors: &mut Vec<ScenarioError>,
) -> Span {
    if !any(settings) {
        return FaultConfig::NOTICE;
    }
    let ns = settings.ratio(NOTICE);
    if ns.is_none() {
        errors.push(settings.refuse(NOTICE, "0 ns", "legal: more than 0"));
    }
    let notice = ticks(settings, NOTICE, ns, time_base, errors);
    if notice > run.watchdog {
        let show = |path: &str| settings.plain(path).map_or(String::new(), Plain::toml);
        errors.push(settings.refuse(
            settings.first_given(&[NOTICE, "run.watchdog_ns"]),
            format!(
                "{} ns is longer than the {} ns of the watchdog, which would take waiting for a standstill",
                show(NOTICE),
                show("run.watchdog_ns")
            ),
            "legal: up to run.watchdog_ns",
        ));
    }
    notice
}

fn no_super_nodes(settings: &Settings, errors: &mut Vec<ScenarioError>) {
    let topology = settings.word("network.topology");
    let what = format!(
        "faults with network.topology = \"{topology}\", whose switches do not tell each other of them"
    );
    let help = "legal with dragonfly, rsi-hypercube, rsi-slimfly, rsi-butterfly";
    for path in SECTION.iter().filter(|path| settings.given(path)) {
        errors.push(settings.refuse(path, what.clone(), help));
    }
    if settings.events > 0 {
        let first = settings.origin(&join(&event_path(0), ""));
        errors.push(Problem::new(what).key(EVENTS).help(help).at(&first));
    }
}

/// Which virtual channels and tables stand faults (spec rsi.md).
fn routing(settings: &Settings, errors: &mut Vec<ScenarioError>) {
    const VC_SCHEME: &str = "routing.vc_scheme";
    const LOCAL_ROUTES: &str = "routing.local_routes";
    const ORGANISATION: &str = "switch.organisation";
    if settings.word(ORGANISATION) != "iq" {
        let what = format!("\"{}\" with faults", settings.word(ORGANISATION));
        errors.push(settings.refuse(ORGANISATION, what, "legal: \"iq\", memories at inputs"));
    }
    let topology = settings.word("network.topology");
    let options = hierarchical::options(settings);
    // In a complete graph one port is all that a minimal route has, and dimension order loses
    // nothing; elsewhere an entry of one port is empty where other minimal ways are left.
    let one_port = topology == "dragonfly";
    let recomputed = settings.word(TABLES) == "recomputed";
    if options.vc_scheme != VcScheme::HopCount && (!one_port || recomputed) {
        let with = if one_port {
            format!("{TABLES} = \"recomputed\"")
        } else {
            format!("faults and network.topology = \"{topology}\"")
        };
        errors.push(settings.refuse(
            settings.first_given(&[VC_SCHEME, "network.topology"]),
            format!(
                "\"{}\" with {with}: ways around what has failed need a channel a hop",
                options.vc_scheme
            ),
            "legal: routing.vc_scheme = \"hop-count\"",
        ));
    }
    if options.local_routes != LocalRoutes::AllMinimal && !one_port {
        errors.push(settings.refuse(
            settings.first_given(&[LOCAL_ROUTES, "network.topology"]),
            format!(
                "\"{}\" with faults and network.topology = \"{topology}\": one dead link would empty entries that other minimal ports could fill",
                options.local_routes
            ),
            "legal: routing.local_routes = \"all-minimal\"",
        ));
    }
}

/// What fails at random.
fn random(
    settings: &Settings,
    time_base: &TimeBase,
    run: &RunConfig,
    errors: &mut Vec<ScenarioError>,
) -> Option<RandomFaults> {
    let before = errors.len();
    let mut pair = |[mtbf, mttr]: [&'static str; 2]| {
        for (has, other) in [(mtbf, mttr), (mttr, mtbf)] {
            if settings.given(has) && !settings.given(other) {
                errors.push(settings.refuse(
                    has,
                    format!("given without {other}"),
                    format!("legal: both, or neither; what fails is repaired in {mttr} on average"),
                ));
            }
        }
        let mut time = |path: &str| {
            let ns = settings.ratio(path);
            if settings.given(path) && ns.is_none() {
                errors.push(settings.refuse(path, "0 ns", "legal: more than 0"));
            }
            ticks(settings, path, ns, time_base, errors)
        };
        let (mtbf, mttr) = (time(mtbf), time(mttr));
        (Some(mtbf).filter(|mtbf| *mtbf > Span::ZERO), mttr)
    };
    let (link_mtbf, link_mttr) = pair(LINK);
    let (node_mtbf, node_mttr) = pair(NODE);
    if !is_random(settings) {
        for path in [START, END].iter().filter(|path| settings.given(path)) {
            errors.push(settings.refuse(
                path,
                "it has no effect, as nothing fails at random",
                format!("legal with {} or {}", LINK[0], NODE[0]),
            ));
        }
        return None;
    }
    let mut at =
        |path: &str| Tick::ZERO + ticks(settings, path, settings.ratio(path), time_base, errors);
    let (start, end) = (at(START), at(END));
    if errors.len() > before {
        return None;
    }
    let show = |path: &str| settings.plain(path).map_or(String::new(), Plain::toml);
    if end > run.duration {
        errors.push(settings.refuse(
            settings.first_given(&[END, "run.duration_ns"]),
            format!("{} ns is after the run of {} ns", show(END), show("run.duration_ns")),
            "legal: up to run.duration_ns",
        ));
    }
    if end <= start {
        errors.push(settings.refuse(
            settings.first_given(&[END, START, "run.duration_ns"]),
            format!("faults from {} to {} ns: no time is left for them", show(START), show(END)),
            format!("legal: {START} below {END}"),
        ));
    }
    Some(RandomFaults { link_mtbf, link_mttr, node_mtbf, node_mttr, start, end })
}

/// Failures and recoveries at given times, by time. What happens in one tick happens to different
/// targets, in the order of [`FaultTarget`].
fn events(
    settings: &Settings,
    plan: &Plan,
    time_base: &TimeBase,
    run: &RunConfig,
    errors: &mut Vec<ScenarioError>,
) -> Vec<FaultEvent> {
    let before = errors.len();
    let mut events: Vec<(FaultEvent, String)> = Vec::new();
    for number in 0..settings.events {
        let path = event_path(number);
        let known = errors.len();
        let event = event(settings, plan, &path, time_base, run, errors);
        if errors.len() == known {
            events.extend(event.map(|event| (event, path)));
        }
        if errors.len() > before + SHOWN_MAX {
            return Vec::new();
        }
    }
    events.sort_by_key(|(event, _)| event.at);
    if errors.len() == before {
        in_turn(settings, plan, &events, errors);
    }
    events.into_iter().map(|(event, _)| event).collect()
}

fn event(
    settings: &Settings,
    plan: &Plan,
    path: &str,
    time_base: &TimeBase,
    run: &RunConfig,
    errors: &mut Vec<ScenarioError>,
) -> Option<FaultEvent> {
    let at_path = join(path, "at_ns");
    let at = Tick::ZERO + ticks(settings, &at_path, settings.ratio(&at_path), time_base, errors);
    if at >= run.duration {
        let show = |path: &str| settings.plain(path).map_or(String::new(), Plain::toml);
        let duration = "run.duration_ns";
        errors.push(settings.refuse(
            settings.first_given(&[&at_path, duration]),
            format!("at {} ns the run of {} ns is over", show(&at_path), show(duration)),
            format!("legal: below {duration}"),
        ));
    }
    Some(FaultEvent {
        at,
        target: target(settings, plan, path, errors)?,
        recovers: settings.flag(&join(path, "recovers")),
    })
}

/// What fails, as the event names it.
fn target(
    settings: &Settings,
    plan: &Plan,
    path: &str,
    errors: &mut Vec<ScenarioError>,
) -> Option<FaultTarget> {
    let (link_path, node_path) = (join(path, "link"), join(path, "node"));
    let last = plan.switches() - 1;
    let link_ends = settings.nodes(&link_path);
    let refused = match (&link_ends[..], settings.integer(&node_path)) {
        ([_, _], Some(_)) => settings.refuse(
            &node_path,
            "both link and node are given",
            "legal: one of them; write an event for each",
        ),
        ([], None) => settings.refuse(
            &link_path,
            "missing",
            "legal: link = [switch, port], such as [3, 4], or node = 3",
        ),
        ([], Some(node)) => match u32::try_from(node) {
            Ok(switch) if switch <= last => return Some(FaultTarget::Node { switch }),
            _ => settings.refuse(
                &node_path,
                format!("there is no node {node}"),
                format!("legal: nodes 0 to {last}"),
            ),
        },
        (&[switch, _], None) if switch > last => settings.refuse(
            &link_path,
            format!("there is no switch {switch}"),
            format!("legal: switches 0 to {last}"),
        ),
        (&[switch, port], None) => match link(plan, switch, port) {
            Ok(port) => return Some(FaultTarget::Link { switch, port }),
            Err((what, legal)) => settings.refuse(&link_path, what, legal),
        },
        _ => return None,
    };
    errors.push(refused);
    None
}

/// The port of a link that may fail, or what is wrong with it and what is legal.
fn link(plan: &Plan, switch: u32, port: u32) -> Result<u8, (String, String)> {
    let (l, g) = (plan.local().local_ports(), plan.local().global_ports());
    let connected = |port: u8| match port.checked_sub(l) {
        None => true,
        Some(global) => global < g && plan.far_end(switch, global).is_some(),
    };
    let found = u8::try_from(port).ok();
    if let Some(port) = found.filter(|&port| connected(port)) {
        return Ok(port);
    }
    let legal: Vec<String> =
        (0..l + g).filter(|&port| connected(port)).map(|port| port.to_string()).collect();
    let legal = format!("legal for switch {switch}: ports {}", legal.join(", "));
    let what = if port == u32::from(l + g) {
        format!("port {port} of switch {switch} leads to its end node, which cannot fail alone")
    } else if port < u32::from(l + g) {
        format!("nothing is connected to port {port} of switch {switch}")
    } else {
        format!("switch {switch} has no port {port}")
    };
    let legal = if port == u32::from(l + g) {
        format!("{legal}; or node = {switch}, the switch with all its links")
    } else {
        legal
    };
    Err((what, legal))
}

/// A link named by the lower of its two ends.
fn normal(plan: &Plan, target: FaultTarget) -> FaultTarget {
    let FaultTarget::Link { switch, port } = target else {
        return target;
    };
    let local = plan.local();
    let (_, node) = plan.place(switch);
    let far = match port.checked_sub(local.local_ports()) {
        Some(global) => {
            plan.far_end(switch, global).map(|(far, port)| (far, local.local_ports() + port))
        }
        None => {
            let far = local.neighbours(node)[usize::from(port)];
            let ports = local.neighbours(far).iter().zip(0u8..);
            let mut back = ports.filter(|(end, _)| **end == node);
            back.next().map(|(_, back)| (switch - node + far, back))
        }
    };
    let (switch, port) = far.map_or((switch, port), |far| far.min((switch, port)));
    FaultTarget::Link { switch, port }
}

/// Only what works can fail, and only what has failed can recover.
fn in_turn(
    settings: &Settings,
    plan: &Plan,
    events: &[(FaultEvent, String)],
    errors: &mut Vec<ScenarioError>,
) {
    let mut down: BTreeMap<FaultTarget, String> = BTreeMap::new();
    // The last event of each.
    let mut last: BTreeMap<FaultTarget, Tick> = BTreeMap::new();
    for (event, path) in events {
        let target = normal(plan, event.target);
        let at = settings.plain(&join(path, "at_ns")).map_or(String::new(), Plain::toml);
        let (key, what) = match event.target {
            FaultTarget::Link { switch, port } => ("link", format!("link [{switch}, {port}]")),
            FaultTarget::Node { switch } => ("node", format!("node {switch}")),
        };
        let key = join(path, key);
        if last.insert(target, event.at) == Some(event.at) {
            errors.push(settings.refuse(
                &key,
                format!("{what} has two events at {at} ns"),
                "legal: one event of a link or node at a time",
            ));
            return;
        }
        let refused = match (down.remove(&target), event.recovers) {
            (None, true) => settings.refuse(
                &key,
                format!("{what} recovers at {at} ns and has not failed before"),
                "legal: an event that fails it, at an earlier time",
            ),
            (Some(since), false) => settings.refuse(
                &key,
                format!("{what} fails at {at} ns and is down since {since} ns"),
                "legal: an event with recovers = true between the two",
            ),
            (None, false) => {
                down.insert(target, at);
                continue;
            }
            (Some(_), true) => continue,
        };
        errors.push(refused);
        if errors.len() > SHOWN_MAX {
            return;
        }
    }
}
