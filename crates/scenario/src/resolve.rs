//! From checked values to the types that the model takes; what does not go together is refused
//! here.

use crate::error::ScenarioError;
use crate::network::{self, Shape};
use crate::plain::Plain;
use crate::settings::Settings;
use crate::traced::{self, TraceConfig};
use crate::{defaults, ecn, faults, hierarchical, pfc, traffic, until};
use fabric::least_watchdog;
use flow_control::{Edge, Thresholds};
use plan::{
    AdmittanceArbiter, EndNodeConfig, FaultConfig, GeneratorRule, LinkConfig, RoutingKind,
    RunConfig, WindowConfig,
};
use plan::{Common, Organisation, Params, SchemeKind, StageLatencies, SwitchConfig};
use recn::{RecnConfig, Rules};
use std::str::FromStr;
use topology::{BuildOptions, TopologyConfig, UpChoice};
use turnpool::PoolKind;
use units::{Ratio, Span, Tick, TimeBase, TimeBaseError};
use workload::WorkloadConfig;

/// More bins than this are no plot any more, and would fill the memory.
const BINS_MAX: u64 = 10_000_000;

/// What a run of days counts up to, and far from the end of 64 bits.
const RUN_TICKS_MAX: Span = Span(1 << 40);

/// A scenario without its network and generators, which cost time to build.
#[derive(Debug, Clone)]
pub(crate) struct Resolved {
    pub(crate) topology: TopologyConfig,
    pub(crate) options: BuildOptions,
    pub(crate) routing: RoutingKind,
    pub(crate) nodes: u32,
    pub(crate) time_base: TimeBase,
    pub(crate) rate: Ratio,
    pub(crate) switch: SwitchConfig,
    pub(crate) link: LinkConfig,
    pub(crate) endnode: EndNodeConfig,
    pub(crate) packet_bytes: u32,
    pub(crate) workload: WorkloadConfig,
    pub(crate) trace: Option<TraceConfig>,
    pub(crate) faults: FaultConfig,
    pub(crate) run: RunConfig,
    pub(crate) windows: Vec<WindowConfig>,
}

/// Fills in all defaults and checks what concerns more than one key.
pub(crate) fn resolve(settings: &mut Settings) -> Result<Resolved, Vec<ScenarioError>> {
    let mut errors = Vec::new();
    ecn::defaults(settings, &mut errors);
    hierarchical::defaults(settings, &mut errors);
    defaults::apply(settings, &mut errors);
    faults::defaults(settings);
    pfc::defaults(settings, &mut errors);
    until::defaults(settings, &mut errors);
    let shape = network::shape(settings, &mut errors);
    let sets_fit = shape.as_ref().is_some_and(|shape| settings.end_nodes(shape.nodes, &mut errors));
    if let Some(shape) = &shape {
        defaults::wait_bound(settings, shape.ports);
    }
    let time_base = time_base(settings, shape.as_ref(), &mut errors);
    if let (Some(shape), Some(time_base)) = (&shape, &time_base) {
        pfc::thresholds(settings, shape, time_base);
    }
    let settings = &*settings;
    let switch = shape.as_ref().zip(time_base).and_then(|(shape, time_base)| {
        crate::hardware::switch(settings, shape, &time_base, &mut errors)
    });
    let link = time_base.map(|time_base| link(settings, shape.as_ref(), &time_base, &mut errors));
    let endnode = endnode(settings, time_base.as_ref(), &mut errors);
    let mut workload = traffic::config(settings, time_base.as_ref(), &mut errors);
    let plan = shape.as_ref().and_then(|shape| shape.plan.as_ref());
    workload.block_nodes = plan.map(|plan| plan.local().nodes());
    let run = time_base.map(|time_base| run(settings, &time_base, &mut errors));
    let trace = match (&shape, time_base, run) {
        (Some(shape), Some(time_base), Some(run)) if sets_fit => {
            let end = run.duration.saturating_add(run.drain);
            traced::config(settings, shape.nodes, time_base, end, &mut errors)
        }
        _ => None,
    };
    let windows = time_base
        .zip(run)
        .map(|(time_base, run)| crate::windows::given(settings, &time_base, &run, &mut errors));
    let faults = match (&shape, time_base, run) {
        (Some(shape), Some(time_base), Some(run)) => {
            faults::config(settings, shape, &time_base, &run, &mut errors)
        }
        _ => FaultConfig::default(),
    };
    if let (Some(shape), Some(time_base), Some(switch), Some(link), Some(run)) =
        (&shape, time_base, &switch, &link, &run)
        && errors.is_empty()
    {
        errors.extend(pfc::check(settings, shape, &time_base, switch, link));
        if errors.is_empty() {
            errors.extend(short_watchdog(settings, shape, time_base, switch, link, run));
        }
    }
    match (shape, time_base, switch, link, run) {
        (Some(shape), Some(time_base), Some(switch), Some(link), Some(run))
            if errors.is_empty() =>
        {
            let windows = match windows {
                Some(given) if !given.is_empty() => given,
                _ => crate::windows::of_workload(&workload, shape.nodes, &time_base, &run),
            };
            let routing = match (&shape.plan, settings.word("routing.algorithm")) {
                (Some(_), _) => RoutingKind::TwoLevel,
                (None, "table") => RoutingKind::Table,
                (None, _) => RoutingKind::Turns,
            };
            let resolved = Resolved {
                windows,
                routing,
                nodes: shape.nodes,
                topology: shape.config,
                options: BuildOptions {
                    pool: PoolKind::from_str(settings.word("network.turnpool")).unwrap_or_default(),
                    self_traffic: settings.flag("workload.self"),
                    up_choice: UpChoice::from_str(settings.word("routing.up_choice"))
                        .unwrap_or(UpChoice::Destination),
                    vcs: switch.vcs,
                    tables: routing == RoutingKind::Table,
                    hierarchy: hierarchical::options(settings),
                    allow_deadlock: settings.flag("routing.allow_deadlock"),
                    ..BuildOptions::default()
                },
                time_base,
                rate: settings.ratio("link.rate_bytes_per_ns").unwrap_or(Ratio::ONE),
                switch,
                link,
                endnode,
                packet_bytes: settings.small("link.packet_bytes"),
                workload,
                trace,
                faults,
                run,
            };
            until::check(settings, &resolved).map_err(|error| vec![error])?;
            Ok(resolved)
        }
        _ => Err(errors),
    }
}

fn time_base(
    settings: &Settings,
    shape: Option<&Shape>,
    errors: &mut Vec<ScenarioError>,
) -> Option<TimeBase> {
    const SPEEDUP: &str = "switch.speedup";
    let mut speedup = settings.ratio(SPEEDUP).unwrap_or(Ratio::ONE);
    let organisation = settings.word("switch.organisation");
    let before = errors.len();
    if organisation == "iq" && speedup != Ratio::ONE {
        errors.push(settings.refuse(
            settings.first_given(&[SPEEDUP, "switch.organisation"]),
            format!("a speedup of {speedup} with switch.organisation = \"iq\", where a packet leaves at the rate of the link"),
            "legal: switch.speedup = 1, or switch.organisation = \"cioq\"",
        ));
    }
    if organisation == "oq" {
        // "speedup = number of ports": the organisation says so, the key may repeat it.
        let ports = shape.map(|shape| u64::from(shape.ports));
        let all = ports.and_then(|ports| Ratio::new(ports, 1).ok());
        if speedup != Ratio::ONE && all.is_some_and(|all| all != speedup) {
            errors.push(settings.refuse(
                settings.first_given(&[SPEEDUP, "switch.organisation"]),
                format!("a speedup of {speedup} with switch.organisation = \"oq\", whose outputs take a packet from every input at once"),
                "legal: switch.speedup = 1 or the number of ports, or switch.organisation = \"cioq\"",
            ));
        }
        speedup = Ratio::ONE;
    }
    let rate = settings.ratio("link.rate_bytes_per_ns").unwrap_or(Ratio::ONE);
    match TimeBase::new(settings.small("link.phit_bytes"), rate, speedup) {
        Ok(time_base) if errors.len() == before => Some(time_base),
        Ok(_) => None,
        Err(error) => {
            let (path, help) = match error {
                TimeBaseError::ZeroPhit => ("link.phit_bytes", "legal: 1 or more"),
                TimeBaseError::SpeedupBelowOne { .. } => {
                    (SPEEDUP, "legal: 1 or more, such as 1.5 or \"3/2\"")
                }
                TimeBaseError::SpeedupTooFine { .. } => {
                    (SPEEDUP, "legal: fractions whose numerator in lowest terms is at most 1000")
                }
                TimeBaseError::RateTooLong { .. } => {
                    ("link.rate_bytes_per_ns", "legal: shorter fractions")
                }
            };
            errors.push(settings.refuse(path, error.to_string(), help));
            None
        }
    }
}

/// A time in ticks; what is no whole number of them is refused with the nearest whole ns that are.
pub(crate) fn ticks(
    settings: &Settings,
    path: &str,
    ns: Option<Ratio>,
    time_base: &TimeBase,
    errors: &mut Vec<ScenarioError>,
) -> Span {
    let Some(ns) = ns else {
        return Span::ZERO;
    };
    match time_base.ns_to_ticks_exact(ns) {
        Ok(ticks) => ticks,
        Err(error) => {
            let default = if settings.given(path) { "" } else { "the default of " };
            let shown = crate::plain::Plain::Ratio(Some(ns)).toml();
            let what = format!(
                "{default}{shown} ns is not a whole number of ticks of {} ns",
                error.tick_ns
            );
            errors.push(settings.refuse(path, what, nearest_ns(ns, time_base)));
            Span::ZERO
        }
    }
}

/// Whole ns around `ns` that are whole ticks: the multiples of the denominator of ticks per ns.
pub(crate) fn nearest_ns(ns: Ratio, time_base: &TimeBase) -> String {
    let unit = u128::from(time_base.ticks_per_ns().den());
    let below = u128::from(ns.num()) / u128::from(ns.den()) / unit * unit;
    let above = below + unit;
    let ticks = above * u128::from(time_base.ticks_per_ns().num()) / unit;
    if u64::try_from(ticks).is_err() {
        return "legal: what 64 bits of ticks hold".to_owned();
    }
    let near = if below == 0 { above.to_string() } else { format!("{below} and {above}") };
    format!(
        "next to it: {near}; a tick follows from link.phit_bytes, link.rate_bytes_per_ns and switch.speedup"
    )
}

pub(crate) fn link(
    settings: &Settings,
    shape: Option<&Shape>,
    time_base: &TimeBase,
    errors: &mut Vec<ScenarioError>,
) -> LinkConfig {
    let wire_ns = settings.ratio("link.wire_ns");
    if wire_ns.is_none() {
        errors.push(settings.refuse(
            "link.wire_ns",
            "a wire without latency",
            "legal: at least 1 tick",
        ));
    }
    let credits = settings.small("link.control_packet_bytes");
    let named = settings.small("link.named_control_bytes");
    if (credits == 0) != (named == 0) {
        errors.push(settings.refuse(
            settings.first_given(&["link.named_control_bytes", "link.control_packet_bytes"]),
            format!("control packets of {named} bytes with credit packets of {credits} bytes"),
            "legal: both 0 (out of band), or both above 0 (in band)",
        ));
    }
    let wire_overrides = match shape.map(|shape| &shape.config) {
        Some(TopologyConfig::File { edges }) => network::wires(settings, edges, time_base, errors),
        _ => Vec::new(),
    };
    LinkConfig {
        wire: ticks(settings, "link.wire_ns", wire_ns, time_base, errors),
        wire_overrides,
        control_packet_bytes: credits,
        named_control_bytes: named,
    }
}

fn endnode(
    settings: &Settings,
    time_base: Option<&TimeBase>,
    errors: &mut Vec<ScenarioError>,
) -> EndNodeConfig {
    const ADMITTANCE: &str = "endnode.admittance_bytes";
    let admittance_bytes = settings.integer(ADMITTANCE).map(|_| settings.small(ADMITTANCE));
    if let Some(bound) = admittance_bytes {
        for (path, longest) in traffic::longest_messages(settings) {
            if longest > bound {
                let at = settings.first_given(&[ADMITTANCE, &path]);
                errors.push(settings.refuse(
                    at,
                    format!("{ADMITTANCE} = {bound} holds no message of {longest} bytes ({path}), so none would ever be sent"),
                    "legal: at least the longest message, or \"unbounded\"",
                ));
                break;
            }
        }
    }
    let arbiter = match settings.word("endnode.admittance_arbiter") {
        "random" => AdmittanceArbiter::Random,
        "oldest-first" => AdmittanceArbiter::OldestFirst,
        _ => AdmittanceArbiter::RoundRobin,
    };
    EndNodeConfig {
        reorder_buffer: settings.flag("endnode.reorder_buffer"),
        ecn: time_base.and_then(|time_base| ecn::endnode(settings, time_base, errors)),
        admittance_bytes,
        admittance_arbiter: arbiter,
        generator: match settings.word("workload.generator") {
            "delayed" => GeneratorRule::Delayed,
            _ => GeneratorRule::Drop,
        },
    }
}

fn run(settings: &Settings, time_base: &TimeBase, errors: &mut Vec<ScenarioError>) -> RunConfig {
    let before = errors.len();
    let mut time = |path: &str, least: bool| {
        let ns = settings.ratio(path);
        if least && ns.is_none() {
            errors.push(settings.refuse(path, "0 ns", "legal: more than 0"));
        }
        ticks(settings, path, ns, time_base, errors)
    };
    let run = RunConfig {
        duration: Tick::ZERO + time("run.duration_ns", true),
        drain: time("run.drain_ns", false),
        warmup: Tick::ZERO + time("run.warmup_ns", false),
        series_bin: time("run.series_bin_ns", true),
        seed: settings.integer("run.seed").unwrap_or(0),
        watchdog: time("run.watchdog_ns", true),
    };
    if errors.len() > before {
        return run;
    }
    let show = |path: &str| settings.plain(path).map_or(String::new(), |plain| plain.toml());
    let total = run.duration.saturating_add(run.drain).since(Tick::ZERO);
    if total > RUN_TICKS_MAX {
        let key = if run.duration > Tick::ZERO + RUN_TICKS_MAX {
            "run.duration_ns"
        } else {
            settings.first_given(&["run.drain_ns", "run.duration_ns"])
        };
        let what = if run.drain.is_zero() {
            show("run.duration_ns")
        } else {
            format!("{} + {}", show("run.duration_ns"), show("run.drain_ns"))
        };
        errors.push(settings.refuse(
            key,
            format!(
                "{what} ns are {total} ticks of {} ns",
                time_base.ticks_per_ns().recip()
            ),
            format!(
                "legal: up to {RUN_TICKS_MAX} ticks; a tick follows from link.phit_bytes, link.rate_bytes_per_ns and switch.speedup"
            ),
        ));
        return run;
    }
    if run.warmup >= run.duration {
        errors.push(settings.refuse(
            settings.first_given(&["run.warmup_ns", "run.duration_ns"]),
            format!(
                "a warm-up of {} ns leaves nothing of a run of {} ns to measure",
                show("run.warmup_ns"),
                show("run.duration_ns")
            ),
            "legal: run.warmup_ns below run.duration_ns",
        ));
    }
    if run.duration.since(Tick::ZERO) / run.series_bin >= BINS_MAX {
        errors.push(settings.refuse(
            settings.first_given(&["run.series_bin_ns", "run.duration_ns"]),
            format!(
                "bins of {} ns in a run of {} ns are more than {BINS_MAX}",
                show("run.series_bin_ns"),
                show("run.duration_ns")
            ),
            "legal: longer bins or a shorter run",
        ));
    }
    run
}

/// A watchdog that would take a healthy network for a dead one.
fn short_watchdog(
    settings: &Settings,
    shape: &Shape,
    time_base: TimeBase,
    switch: &SwitchConfig,
    link: &LinkConfig,
    run: &RunConfig,
) -> Option<ScenarioError> {
    const WATCHDOG: &str = "run.watchdog_ns";
    let common = Common {
        time_base,
        control_packet_bytes: link.control_packet_bytes,
        named_control_bytes: link.named_control_bytes,
        packet_bytes: settings.small("link.packet_bytes"),
        nodes: shape.nodes,
    };
    let params = Params::new(switch, common);
    // What cannot be built is refused elsewhere.
    let least = least_watchdog(&params.ok()?, link);
    if run.watchdog >= least {
        return None;
    }
    // The next number of whole ns that is whole ticks.
    let (num, den) = (time_base.ticks_per_ns().num(), time_base.ticks_per_ns().den());
    let least_ns = u128::from(least.0).div_ceil(num.into()) * u128::from(den);
    let given = settings.plain(WATCHDOG).map_or(String::new(), Plain::toml);
    Some(settings.refuse(
        WATCHDOG,
        format!("in {given} ns a healthy network need not move a packet"),
        format!(
            "legal: {least_ns} or more: the longest wire there and back, a packet, control packets and stages"
        ),
    ))
}

/// `[recn]` in ticks and packets.
pub(crate) fn recn(
    settings: &Settings,
    time_base: &TimeBase,
    errors: &mut Vec<ScenarioError>,
) -> Option<RecnConfig> {
    let xoff = settings.small("recn.xoff_packets");
    let xon = settings.small("recn.xon_packets");
    let propagation = settings.small("recn.propagation_packets");
    if propagation > xoff {
        errors.push(settings.refuse(
            settings.first_given(&["recn.propagation_packets", "recn.xoff_packets"]),
            format!("propagation at {propagation} packets is above Xoff at {xoff}: congestion would never spread as a tree"),
            format!("legal: recn.propagation_packets from 0 to {xoff}"),
        ));
    }
    let edge_word = settings.word("recn.xon_edge");
    let edge = Edge::from_str(edge_word).unwrap_or_default();
    let thresholds = match Thresholds::new(xoff, xon, edge) {
        Ok(thresholds) => Some(thresholds),
        Err(error) => {
            let (paths, help) = match error {
                flow_control::ThresholdError::XonNeverBelow => (
                    ["recn.xon_packets", "recn.xon_edge"],
                    "legal: recn.xon_packets of 1 or more, or recn.xon_edge = \"reached\""
                        .to_owned(),
                ),
                _ => (
                    ["recn.xon_packets", "recn.xoff_packets"],
                    format!("legal: recn.xon_packets from 0 to {xoff}"),
                ),
            };
            errors.push(settings.refuse(settings.first_given(&paths), error.to_string(), help));
            None
        }
    };
    let rules = SchemeKind::from_str(settings.word("switch.scheme"))
        .ok()
        .and_then(SchemeKind::version)
        .map(Rules::of);
    let mut time = |path: &str, used: bool| match settings.ratio(path) {
        // A default that nobody reads must not force the user to set it.
        Some(ns) if !used && !settings.given(path) => {
            time_base.ns_to_ticks_ceil(ns.num() / ns.den())
        }
        ns => ticks(settings, path, ns, time_base, errors),
    };
    let (tokens, moves) = (rules.is_some_and(|r| r.tokens), rules.is_some_and(|r| r.moves()));
    let saq_timer = time("recn.saq_timer_ns", rules.is_some());
    let retry = time("recn.retry_ns", tokens);
    let xoff_repeat = time("recn.xoff_repeat_ns", rules.is_some() && !tokens);
    let ppu_interval = time("recn.ppu_interval_ns", moves);
    Some(RecnConfig {
        saqs: u8::try_from(settings.small("recn.saqs")).unwrap_or(64),
        detection_egress_packets: settings.small("recn.detection_egress_packets"),
        detection_ingress_packets: settings.small("recn.detection_ingress_packets"),
        propagation_packets: propagation,
        thresholds: thresholds?,
        saq_timer,
        retry,
        xoff_repeat,
        ppu_interval,
        iq_egress_lines: settings.flag("recn.iq_egress_lines"),
        root_xoff_packets: settings
            .integer("recn.root_xoff_packets")
            .map(|_| settings.small("recn.root_xoff_packets")),
    })
}

/// `[switch.stages]`.
pub(crate) fn stages(settings: &Settings) -> StageLatencies {
    let stage = |name: &str| settings.small(&format!("switch.stages.{name}"));
    StageLatencies {
        route: stage("route"),
        lookup: stage("lookup"),
        enqueue: stage("enqueue"),
        arbitration: stage("arbitration"),
        crossbar: stage("crossbar"),
        credit_return: stage("credit_return"),
    }
}

/// Organisation and scheme; the table of keys lets only their names pass.
pub(crate) fn kinds(settings: &Settings) -> Option<(Organisation, SchemeKind)> {
    let organisation = settings.word("switch.organisation").parse().ok()?;
    let scheme = settings.word("switch.scheme").parse().ok()?;
    Some((organisation, scheme))
}
