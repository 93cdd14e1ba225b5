//! From checked values to the types that the model takes; what does not go together is refused
//! here.

use crate::error::ScenarioError;
use crate::network::{self, Shape};
use crate::plain::Plain;
use crate::resolved::Resolved;
use crate::settings::Settings;
use crate::times::ticks;
use crate::{
    clock, defaults, ecn, faults, hardware, headroom, hierarchical, link, pfc, traced, traffic,
    until,
};
use fabric::least_watchdog;
use plan::{AdmittanceArbiter, Common, EndNodeConfig, FaultConfig, GeneratorRule, LinkConfig};
use plan::{Params, RoutingKind, RunConfig, SwitchConfig};
use std::str::FromStr;
use topology::{BuildOptions, UpChoice};
use turnpool::PoolKind;
use units::{Ratio, Span, Tick, TimeBase};

/// More bins than this are no plot any more, and would fill the memory.
const BINS_MAX: u64 = 10_000_000;

/// What a run of days counts up to, and far from the end of 64 bits.
const RUN_TICKS_MAX: Span = Span(1 << 40);

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
    let time_base = clock::time_base(settings, shape.as_ref(), &mut errors);
    if let Some(time_base) = &time_base {
        defaults::drain(settings, time_base, RUN_TICKS_MAX);
    }
    if let (Some(shape), Some(time_base)) = (&shape, &time_base) {
        headroom::thresholds(settings, shape, time_base);
    }
    let settings = &*settings;
    let switch = shape
        .as_ref()
        .zip(time_base)
        .and_then(|(shape, time_base)| hardware::switch(settings, shape, &time_base, &mut errors));
    let link =
        time_base.map(|time_base| link::link(settings, shape.as_ref(), &time_base, &mut errors));
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
        errors.extend(headroom::check(settings, shape, &time_base, switch, link));
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
