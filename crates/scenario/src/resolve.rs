//! From checked values to the types of the model; combinations that are not legal are refused.

use crate::draft::Draft;
use crate::error::Errors;
use crate::keys::{BIN, DURATION, WARMUP};
use crate::network::{self, Shape};
use crate::settings::Settings;
use crate::traced::TraceConfig;
use crate::{defaults, ecn, faults, hardware, hierarchical, pfc, traced, traffic, until, windows};
use fabric::least_watchdog;
use plan::{
    Common, ConfigError, EndNodeConfig, FaultConfig, LinkConfig, Params, RoutingKind, RunConfig,
    SwitchConfig, WindowConfig,
};
use topology::{BuildOptions, TopologyConfig, UpChoice};
use units::{Ratio, Span, Tick, TimeBase};
use workload::WorkloadConfig;

/// More bins than this are no plot any more, and would fill the memory.
const BINS_MAX: u64 = 10_000_000;

/// What a run of days counts up to, and far from the end of 64 bits.
const RUN_TICKS_MAX: Span = Span(1 << 40);

const DRAIN: &str = "run.drain_ns";
const WATCHDOG: &str = "run.watchdog_ns";

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
pub(crate) fn resolve(settings: Settings) -> Result<(Settings, Resolved), Errors> {
    let mut draft = Draft::new(settings);
    let resolved = read(&mut draft);
    let errors = Errors::of(draft.take_errors());
    match resolved {
        Some(resolved) if errors.kept.is_empty() => {
            until::check(&draft, &resolved)?;
            Ok((draft.settings, resolved))
        }
        _ => Err(errors.sorted()),
    }
}

/// `None` with an error.
fn read(draft: &mut Draft) -> Option<Resolved> {
    ecn::defaults(draft);
    hierarchical::defaults(draft);
    defaults::apply(draft);
    faults::defaults(draft);
    draft.gate(&pfc::GATE);
    until::defaults(draft);
    let shape = network::shape(draft);
    let known = draft.found();
    if let Some(shape) = &shape {
        draft.end_nodes = shape.nodes;
        draft.sets_that_do_not_fit(shape.nodes).into_iter().for_each(|error| draft.push(error));
        defaults::wait_bound(draft, shape.ports);
    }
    let sets_fit = draft.found() == known;
    draft.time_base = hardware::time_base(draft, shape.as_ref());
    let time_base = draft.time_base;
    if let Some(time_base) = &time_base {
        defaults::drain(draft, time_base, RUN_TICKS_MAX);
    }
    if let (Some(shape), Some(time_base)) = (&shape, time_base) {
        pfc::thresholds(draft, shape, time_base);
    }
    let draft = &*draft;
    let switch = shape.as_ref().filter(|_| time_base.is_some());
    let switch = switch.and_then(|shape| hardware::switch(draft, shape));
    let link = time_base.map(|_| hardware::link(draft, shape.as_ref()));
    let endnode = endnode(draft);
    let mut workload = traffic::config(draft);
    let plan = shape.as_ref().and_then(|shape| shape.plan.as_ref());
    workload.block_nodes = plan.map(|plan| plan.local.nodes);
    let run = time_base.map(|time_base| run(draft, &time_base));
    let trace = run.filter(|_| shape.is_some() && sets_fit);
    let trace = trace.and_then(|run| traced::config(draft, run.duration.saturating_add(run.drain)));
    let windows = time_base.zip(run).map(|(base, run)| windows::given(draft, &base, &run));
    let (shape, time_base, run) = (shape?, time_base?, run?);
    let faults = faults::config(draft, &shape, &run);
    let (switch, link) = (switch?, link?);
    if draft.found() > 0 {
        return None;
    }
    let params = params(draft, &shape, time_base, &switch, &link);
    match (pfc::check(draft, &switch, &link, &params), &params) {
        (Some(error), _) => draft.push(error),
        (None, Ok(params)) => refuse_short_watchdog(draft, params, &link, &run),
        // What cannot be built is refused elsewhere.
        (None, Err(_)) => {}
    }
    let windows = match windows {
        Some(given) if !given.is_empty() => given,
        _ => windows::of_workload(&workload, shape.nodes, &time_base, &run),
    };
    let routing = match (&shape.plan, draft.word("routing.algorithm")) {
        (Some(_), _) => RoutingKind::TwoLevel,
        (None, "table") => RoutingKind::Table,
        (None, _) => RoutingKind::Turns,
    };
    Some(Resolved {
        windows,
        routing,
        nodes: shape.nodes,
        topology: shape.config,
        options: BuildOptions {
            pool: draft.named("network.turnpool"),
            self_traffic: draft.flag("workload.self"),
            up_choice: draft.word("routing.up_choice").parse().unwrap_or(UpChoice::Destination),
            vcs: switch.vcs,
            tables: routing == RoutingKind::Table,
            hierarchy: hierarchical::options(draft),
            allow_deadlock: draft.flag("routing.allow_deadlock"),
            ..BuildOptions::default()
        },
        time_base,
        rate: draft.rate(),
        switch,
        link,
        endnode,
        packet_bytes: draft.small("link.packet_bytes"),
        workload,
        trace,
        faults,
        run,
    })
}

fn endnode(draft: &Draft) -> EndNodeConfig {
    const ADMITTANCE: &str = "endnode.admittance_bytes";
    let admittance_bytes = draft.number(ADMITTANCE);
    let bound = admittance_bytes.unwrap_or(u32::MAX);
    if let Some((path, longest)) = traffic::longest_messages(draft).find(|(_, of)| *of > bound) {
        draft.refuse(
            &[ADMITTANCE, &path],
            format!("{ADMITTANCE} = {bound} holds no message of {longest} bytes ({path}), so none would ever be sent"),
            "legal: at least the longest message, or \"unbounded\"",
        );
    }
    EndNodeConfig {
        reorder_buffer: draft.flag("endnode.reorder_buffer"),
        ecn: ecn::endnode(draft),
        admittance_bytes,
        admittance_arbiter: draft.named("endnode.admittance_arbiter"),
        generator: draft.named("workload.generator"),
    }
}

fn run(draft: &Draft, time_base: &TimeBase) -> RunConfig {
    let before = draft.found();
    let run = RunConfig {
        duration: Tick::ZERO + draft.some_ticks(DURATION),
        drain: draft.ticks(DRAIN),
        warmup: Tick::ZERO + draft.ticks(WARMUP),
        series_bin: draft.some_ticks(BIN),
        seed: draft.integer("run.seed").unwrap_or(0),
        watchdog: draft.some_ticks(WATCHDOG),
    };
    if draft.found() > before {
        return run;
    }
    let [duration, drain, warmup, bin] =
        [DURATION, DRAIN, WARMUP, BIN].map(|path| draft.show(path));
    let total = run.duration.saturating_add(run.drain).since(Tick::ZERO);
    if total > RUN_TICKS_MAX {
        let keys: &[&str] = match run.duration > Tick::ZERO + RUN_TICKS_MAX {
            true => &[DURATION],
            false => &[DRAIN, DURATION],
        };
        let what = if run.drain.is_zero() { duration } else { format!("{duration} + {drain}") };
        let tick = time_base.ticks_per_ns().recip();
        draft.refuse(
            keys,
            format!("{what} ns are {total} ticks of {tick} ns"),
            format!(
                "legal: up to {RUN_TICKS_MAX} ticks; a tick follows from link.phit_bytes, link.rate_bytes_per_ns and switch.speedup"
            ),
        );
        return run;
    }
    if run.warmup >= run.duration {
        let what =
            format!("a warm-up of {warmup} ns leaves nothing of a run of {duration} ns to measure");
        draft.refuse(&[WARMUP, DURATION], what, "legal: run.warmup_ns below run.duration_ns");
    }
    if run.duration.since(Tick::ZERO) / run.series_bin >= BINS_MAX {
        let what = format!("bins of {bin} ns in a run of {duration} ns are more than {BINS_MAX}");
        draft.refuse(&[BIN, DURATION], what, "legal: longer bins or a shorter run");
    }
    run
}

pub(crate) fn params(
    draft: &Draft,
    shape: &Shape,
    time_base: TimeBase,
    switch: &SwitchConfig,
    link: &LinkConfig,
) -> Result<Params, ConfigError> {
    let common = Common {
        time_base,
        control_packet_bytes: link.control_packet_bytes,
        named_control_bytes: link.named_control_bytes,
        packet_bytes: draft.small("link.packet_bytes"),
        nodes: shape.nodes,
    };
    Params::new(switch, common)
}

/// Refuses a watchdog that would take a healthy network for a dead one.
fn refuse_short_watchdog(draft: &Draft, params: &Params, link: &LinkConfig, run: &RunConfig) {
    let least = least_watchdog(params, link);
    if run.watchdog >= least {
        return;
    }
    // The next number of whole ns that is whole ticks.
    let per_ns = params.time_base.ticks_per_ns();
    let least_ns = u128::from(least.0).div_ceil(per_ns.num().into()) * u128::from(per_ns.den());
    draft.refuse(
        &[WATCHDOG],
        format!("in {} ns a healthy network need not move a packet", draft.show(WATCHDOG)),
        format!(
            "legal: {least_ns} or more: the longest wire there and back, a packet, control packets and stages"
        ),
    );
}
