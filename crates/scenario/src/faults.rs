//! The section `[faults]`: what fails, and when.

use crate::draft::{Draft, Gate};
use crate::error::SHOWN_MAX;
use crate::hierarchical::{self, LEGAL};
use crate::keys::Fallback::{Ns, Unset, Word};
use crate::keys::{DURATION, EVENTS, TOPOLOGY};
use crate::network::Shape;
use crate::settings::{Settings, join};
use hierarchy::{LocalRoutes, VcScheme};
use plan::{FaultConfig, FaultEvent, FaultTarget, RandomFaults, RunConfig};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use topology::Plan;
use units::{Span, Tick};

const PROTOCOL: &str = "faults.protocol";
const TABLES: &str = "faults.tables";
const NOTICE: &str = "faults.notice_ns";
const START: &str = "faults.start_ns";
const END: &str = "faults.end_ns";
const LINK: [&str; 2] = ["faults.link_mtbf_ns", "faults.link_mttr_ns"];
const NODE: [&str; 2] = ["faults.node_mtbf_ns", "faults.node_mttr_ns"];
const FIRST_EVENT: &str = "faults.event.0";

/// Keys that have an effect where anything fails. Notices [choice]: many round trips of a rack.
const WHERE_ANY: Gate = Gate {
    is_open: any,
    keys: &[(PROTOCOL, Word("per-entry")), (TABLES, Word("pruned")), (NOTICE, Ns(10_000))],
    or: None,
    what: "it has no effect, as nothing ever fails",
    help: "remove it, or write [[faults.event]], or faults.link_mtbf_ns",
};

/// Keys that have an effect where anything fails at random.
const WHERE_RANDOM: Gate = Gate {
    is_open: is_random,
    keys: &[(START, Ns(0)), (END, Unset(""))],
    or: None,
    what: "it has no effect, as nothing fails at random",
    help: "legal with faults.link_mtbf_ns or faults.node_mtbf_ns",
};

fn is_random(settings: &Settings) -> bool {
    [LINK[0], NODE[0]].iter().any(|path| settings.given(path))
}

pub(crate) fn any(settings: &Settings) -> bool {
    settings.has_section(FIRST_EVENT) || is_random(settings)
}

/// Fills in what follows from other keys, where anything ever fails.
pub(crate) fn defaults(settings: &mut Settings) {
    if any(settings) {
        settings.fill_all(WHERE_ANY.keys);
    }
    if is_random(settings) {
        settings.fill_all(WHERE_RANDOM.keys);
        if let Some(duration) = settings.plain(DURATION).cloned() {
            settings.fill(END, duration);
        }
    }
}

pub(crate) fn config(draft: &Draft, shape: &Shape, run: &RunConfig) -> FaultConfig {
    let before = draft.found();
    let Some(plan) = &shape.plan else {
        no_super_nodes(draft);
        return FaultConfig::default();
    };
    let random = random(draft, run);
    draft.refuse_shut(&WHERE_ANY);
    if draft.word(TABLES) == "recomputed" && draft.given(PROTOCOL) {
        let what = format!("it has no effect with {TABLES} = \"recomputed\": routers tell nobody");
        let help = format!("remove it, or legal: {TABLES} = \"pruned\"");
        draft.refuse(&[PROTOCOL], what, help);
    }
    let notice = notice(draft, run);
    let events = events(draft, plan, run);
    if any(draft) {
        routing(draft);
    }
    if draft.found() > before {
        return FaultConfig::default();
    }
    FaultConfig {
        protocol: draft.named(PROTOCOL),
        tables: draft.named(TABLES),
        events,
        random,
        notice,
    }
}

fn notice(draft: &Draft, run: &RunConfig) -> Span {
    if !any(draft) {
        return FaultConfig::NOTICE;
    }
    let notice = draft.some_ticks(NOTICE);
    if notice > run.watchdog {
        draft.refuse(
            &[NOTICE, "run.watchdog_ns"],
            format!(
                "{} ns is longer than the {} ns of the watchdog, which would take waiting for a standstill",
                draft.show(NOTICE),
                draft.show("run.watchdog_ns")
            ),
            "legal: up to run.watchdog_ns",
        );
    }
    notice
}

fn no_super_nodes(draft: &Draft) {
    let topology = draft.word(TOPOLOGY);
    let what = format!(
        "faults with {TOPOLOGY} = \"{topology}\", whose switches do not tell each other of them"
    );
    for path in draft.below("faults").filter(|path| draft.given(path)) {
        if !path.starts_with(EVENTS) {
            draft.refuse(&[path], what.clone(), LEGAL);
        }
    }
    if draft.has_section(FIRST_EVENT) {
        draft.push(draft.error_of(EVENTS, &[&join(FIRST_EVENT, "")], what, LEGAL));
    }
}

/// Which virtual channels and tables tolerate faults (spec rsi.md).
fn routing(draft: &Draft) {
    let organisation = draft.word("switch.organisation");
    if organisation != "iq" {
        let what = format!("\"{organisation}\" with faults");
        draft.refuse(&["switch.organisation"], what, "legal: \"iq\", memories at inputs");
    }
    let topology = draft.word(TOPOLOGY);
    let options = hierarchical::options(draft);
    // In a complete graph one port is all that a minimal route has, and dimension order loses
    // nothing; elsewhere an entry of one port is empty where other minimal ways are left.
    let one_port = topology == "dragonfly";
    let recomputed = draft.word(TABLES) == "recomputed";
    if options.vc_scheme != VcScheme::HopCount && (!one_port || recomputed) {
        let scheme = options.vc_scheme;
        let with = if one_port {
            format!("{TABLES} = \"recomputed\"")
        } else {
            format!("faults and {TOPOLOGY} = \"{topology}\"")
        };
        let why = "ways around what has failed need a channel a hop";
        let what = format!("\"{scheme}\" with {with}: {why}");
        let help = "legal: routing.vc_scheme = \"hop-count\"";
        draft.refuse(&["routing.vc_scheme", TOPOLOGY], what, help);
    }
    if options.local_routes != LocalRoutes::AllMinimal && !one_port {
        let routes = options.local_routes;
        let why = "one dead link would empty entries that other minimal ports could fill";
        let what = format!("\"{routes}\" with faults and {TOPOLOGY} = \"{topology}\": {why}");
        let help = "legal: routing.local_routes = \"all-minimal\"";
        draft.refuse(&["routing.local_routes", TOPOLOGY], what, help);
    }
}

fn random(draft: &Draft, run: &RunConfig) -> Option<RandomFaults> {
    let before = draft.found();
    let pair = |[mtbf, mttr]: [&'static str; 2]| {
        for (has, other) in [(mtbf, mttr), (mttr, mtbf)] {
            if draft.given(has) && !draft.given(other) {
                let what = format!("given without {other}");
                let help =
                    format!("legal: both, or neither; what fails is repaired in {mttr} on average");
                draft.refuse(&[has], what, help);
            }
        }
        let time = |path| if draft.given(path) { draft.some_ticks(path) } else { Span::ZERO };
        let (mtbf, mttr) = (time(mtbf), time(mttr));
        (Some(mtbf).filter(|mtbf| *mtbf > Span::ZERO), mttr)
    };
    let (link_mtbf, link_mttr) = pair(LINK);
    let (node_mtbf, node_mttr) = pair(NODE);
    if !is_random(draft) {
        draft.refuse_shut(&WHERE_RANDOM);
        return None;
    }
    let (start, end) = (Tick::ZERO + draft.ticks(START), Tick::ZERO + draft.ticks(END));
    if draft.found() > before {
        return None;
    }
    let [start_ns, end_ns, run_ns] = [START, END, DURATION].map(|path| draft.show(path));
    if end > run.duration {
        let what = format!("{end_ns} ns is after the run of {run_ns} ns");
        draft.refuse(&[END, DURATION], what, "legal: up to run.duration_ns");
    }
    if end <= start {
        let what = format!("faults from {start_ns} to {end_ns} ns: no time is left for them");
        draft.refuse(&[END, START, DURATION], what, format!("legal: {START} below {END}"));
    }
    Some(RandomFaults { link_mtbf, link_mttr, node_mtbf, node_mttr, start, end })
}

/// Failures and recoveries by time; of one tick, of different targets, in [`FaultTarget`]'s order.
fn events(draft: &Draft, plan: &Plan, run: &RunConfig) -> Vec<FaultEvent> {
    let before = draft.found();
    let mut events: Vec<(FaultEvent, String)> = Vec::new();
    for path in draft.elements(EVENTS) {
        let known = draft.found();
        let event = event(draft, plan, &path, run);
        if draft.found() == known {
            events.extend(event.map(|event| (event, path)));
        }
        if draft.found() > before + SHOWN_MAX {
            return Vec::new();
        }
    }
    events.sort_by_key(|(event, _)| event.at);
    if draft.found() == before {
        in_turn(draft, plan, &events);
    }
    events.into_iter().map(|(event, _)| event).collect()
}

fn event(draft: &Draft, plan: &Plan, path: &str, run: &RunConfig) -> Option<FaultEvent> {
    let at_path = join(path, "at_ns");
    let at = Tick::ZERO + draft.ticks(&at_path);
    if at >= run.duration {
        let (at, run) = (draft.show(&at_path), draft.show(DURATION));
        let what = format!("at {at} ns the run of {run} ns is over");
        draft.refuse(&[&at_path, DURATION], what, format!("legal: below {DURATION}"));
    }
    let recovers = draft.flag(&join(path, "recovers"));
    Some(FaultEvent { at, target: target(draft, plan, path)?, recovers })
}

fn target(draft: &Draft, plan: &Plan, path: &str) -> Option<FaultTarget> {
    let (link_path, node_path) = (join(path, "link"), join(path, "node"));
    let last = plan.switches() - 1;
    let link_ends = draft.nodes(&link_path);
    match (&link_ends[..], draft.integer(&node_path)) {
        ([_, _], Some(_)) => draft.refuse(
            &[&node_path],
            "both link and node are given",
            "legal: one of them; write an event for each",
        ),
        ([], None) => draft.refuse(
            &[&link_path],
            "missing",
            "legal: link = [switch, port], such as [3, 4], or node = 3",
        ),
        ([], Some(node)) => match u32::try_from(node) {
            Ok(switch) if switch <= last => return Some(FaultTarget::Node { switch }),
            _ => {
                let what = format!("there is no node {node}");
                draft.refuse(&[&node_path], what, format!("legal: nodes 0 to {last}"));
            }
        },
        (&[switch, _], None) if switch > last => {
            let what = format!("there is no switch {switch}");
            draft.refuse(&[&link_path], what, format!("legal: switches 0 to {last}"));
        }
        (&[switch, port], None) => match link(plan, switch, port) {
            Ok(port) => return Some(FaultTarget::Link { switch, port }),
            Err((what, legal)) => draft.refuse(&[&link_path], what, legal),
        },
        _ => {}
    }
    None
}

/// The port of a link that may fail, or what is wrong with it and what is legal.
fn link(plan: &Plan, switch: u32, port: u32) -> Result<u8, (String, String)> {
    let (l, g) = (plan.local.local_ports, plan.local.global_ports);
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
    let mut legal = format!("legal for switch {switch}: ports {}", legal.join(", "));
    let what = match port.cmp(&u32::from(l + g)) {
        Ordering::Less => format!("nothing is connected to port {port} of switch {switch}"),
        Ordering::Equal => {
            legal += &format!("; or node = {switch}, the switch with all its links");
            format!("port {port} of switch {switch} leads to its end node, which cannot fail alone")
        }
        Ordering::Greater => format!("switch {switch} has no port {port}"),
    };
    Err((what, legal))
}

/// A link named by the lower of its two ends.
fn normal(plan: &Plan, target: FaultTarget) -> FaultTarget {
    let FaultTarget::Link { switch, port } = target else {
        return target;
    };
    let local = &plan.local;
    let (_, node) = plan.place(switch);
    let far = match port.checked_sub(local.local_ports) {
        Some(global) => {
            plan.far_end(switch, global).map(|(far, port)| (far, local.local_ports + port))
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
fn in_turn(draft: &Draft, plan: &Plan, events: &[(FaultEvent, String)]) {
    // The last event of each: when, the same in ns, and whether it works since.
    let mut last: BTreeMap<FaultTarget, (Tick, String, bool)> = BTreeMap::new();
    for (event, path) in events {
        let at = draft.show(&join(path, "at_ns"));
        let (key, target) = match event.target {
            FaultTarget::Link { switch, port } => ("link", format!("link [{switch}, {port}]")),
            FaultTarget::Node { switch } => ("node", format!("node {switch}")),
        };
        let now = (event.at, at.clone(), event.recovers);
        let (what, help) = match (last.insert(normal(plan, event.target), now), event.recovers) {
            (Some((tick, ..)), _) if tick == event.at => {
                let what = format!("{target} has two events at {at} ns");
                let help = "legal: one event of a link or node at a time";
                return draft.refuse(&[&join(path, key)], what, help);
            }
            (None | Some((.., true)), true) => (
                format!("{target} recovers at {at} ns and has not failed before"),
                "legal: an event that fails it, at an earlier time",
            ),
            (Some((_, since, false)), false) => (
                format!("{target} fails at {at} ns and is down since {since} ns"),
                "legal: an event with recovers = true between the two",
            ),
            _ => continue,
        };
        draft.refuse(&[&join(path, key)], what, help);
        if draft.found() > SHOWN_MAX {
            return;
        }
    }
}
