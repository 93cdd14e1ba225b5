//! `setaside run`.

use crate::built_in::build_info;
use crate::drive::{interrupt_flag, simulate_plain, times};
use crate::exit::{Exit, Failure, print};
use crate::inspect::{Inspected, Wanted, simulate_inspected};
use crate::options::{Format, RunArgs};
use crate::progress::Meter;
use crate::waves::WaveFile;
use crate::{about, brief, log, record, summary, target, until};
use fabric::Engine;
use inspect::Selection;
use observe::{FlowRow, PacketKey, Record, Timing};
use scenario::{Scenario, Set};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Instant;
use study::{Manifest, RunDir, RunFiles, Times, default_directory};
use tracing::info_span;

/// Simulates a scenario, with `run.until` as long as it takes; `step` is called 200 times on the
/// way.
///
/// # Errors
/// Configuration, deadlock, interrupt.
///
/// # Panics
/// When an invariant of the model is broken.
pub fn simulate(scenario: &Scenario, engine: Engine, step: &dyn Fn()) -> Result<Record, Failure> {
    match scenario.until() {
        Some(until) => Ok(until::simulate(scenario, &until, engine, step)?.1),
        None => simulate_plain(scenario, engine, step),
    }
}

pub(crate) fn run(args: &RunArgs) -> Result<(), Failure> {
    let is_logged = log::start(&args.log, !args.watches.is_empty())?;
    let mut sets = args.sets.all();
    if args.allow_truncated {
        sets.push(Set::new("workload.trace.allow_truncated", "true"));
    }
    // The span ends here: its time is that of loading.
    let mut scenario = info_span!("load", file = %args.file.display()).in_scope(|| {
        let input = target::read_scenario(&args.file)?;
        Ok::<_, Failure>(Scenario::from_input(&input, &sets)?)
    })?;
    for warning in scenario.warnings() {
        log::warn(&warning);
    }
    if let Some(seed) = args.seed {
        scenario = scenario.with_seed(seed);
    }
    scenario = scenario.with_threads(args.threads);
    let (engine, engine_name) = (args.engine.on(args.threads)?, args.engine.name());
    let default = || Path::new("runs").join(default_directory(&scenario.name, scenario.hash()));
    let out = args.out.clone().unwrap_or_else(default);
    let more: &[&str] = if args.record { &record::FILES } else { &[] };
    // before the time of the run is spent
    if let Some(file) = &args.waves.waves {
        target::check("--waves", file.path())?;
    }
    if let Some(file) = &args.record_messages {
        target::check("--record-messages", file)?;
    }
    let dir = RunDir::take(&out, scenario.hash(), args.force, more)?;
    interrupt_flag();
    let wanted = Wanted {
        record: args.record,
        interval_ns: args.record_interval_ns,
        watches: &args.watches,
        waves: args.waves.waves.is_some().then_some(&args.waves),
        messages: args.record_messages.as_deref(),
    };
    if !args.quiet && args.threads.get() > 1 && wanted.needs_one_thread() {
        log::note("note: with --record, --record-messages or --waves the engine has one thread");
    }
    let meter = Meter::new(1, 0, is_logged, args.quiet);
    let ns = scenario.duration_ns().to_f64();
    let what = format!("{}: {} end nodes, {} us", scenario.name, scenario.nodes(), ns / 1000.0);
    meter.message(what);
    let start = Instant::now();
    let result = catch_unwind(AssertUnwindSafe(|| {
        let step = || meter.step();
        if !wanted.is_anything() {
            let record = simulate(&scenario, engine, &step)?;
            return Ok((record, Inspected::default()));
        }
        // How long it takes is found first.
        let Some(until) = scenario.until() else {
            return simulate_inspected(&scenario, engine, &wanted, &step);
        };
        let (plain, found) = until::simulate(&scenario, &until, engine, &step)?;
        let (mut record, inspected) = simulate_inspected(&plain, engine, &wanted, &|| ())?;
        record.summary.until = found.summary.until;
        Ok((record, inspected))
    }));
    meter.clear();
    let (record, inspected) = result.unwrap_or_else(|panic| Err(Failure::of_panic(&*panic)))?;

    if !args.quiet && args.threads.get() > 1 && record.summary.faults.is_some() {
        log::note("note: with faults the engine had one thread");
    }
    let wall = start.elapsed().as_secs_f64();
    let recorded = inspected.recorded.as_ref();
    let more = recorded.map(|recorded| record::files(recorded, &scenario)).transpose()?;
    let times = store(&dir, &scenario, engine_name, wall, &record, &more.unwrap_or_default())?;
    if !args.quiet {
        let waves = args.waves.waves.as_ref().filter(|_| inspected.waves_failure.is_none());
        let files = args.record_messages.as_deref().into_iter().chain(waves.map(WaveFile::path));
        for path in [&*out].into_iter().chain(files) {
            log::note(&format!("wrote {}", path.display()));
        }
        log::note(&format!("as a page: setaside report {}", out.display()));
        log::note(&spent(&record.summary.timing));
    }
    let mut missed = Vec::new();
    for selection in &inspected.unseen {
        match selection {
            Selection::Packet(packet) => missed.push(never_was(*packet, &record)),
            Selection::Unit(_) => log::warn(&format!("--watch {selection}: nothing happened")),
        }
    }
    for warning in summary::warnings(&record) {
        log::warn(&warning);
    }
    match args.format {
        Format::Json => {
            let json = serde_json::to_string_pretty(&record.summary)
                .map_err(|e| Failure::new(Exit::Failure, e.to_string()))?;
            print(&format!("{json}\n"))?;
        }
        Format::Text => print(&text(&record, times, &scenario, args))?,
    }
    // Reported last: it costs no results.
    inspected.waves_failure.map_or(Ok(()), Err)?;
    let until = record.summary.until.as_ref().filter(|_| args.strict);
    missed.extend(until.and_then(until::missed));
    match missed.is_empty() {
        true => Ok(()),
        false => Err(Failure::new(Exit::NotAsAsked, missed.join("\n"))),
    }
}

/// Writes a run into its directory: what it was, and what came of it.
///
/// # Errors
/// Files that cannot be written.
pub fn store(
    dir: &RunDir,
    scenario: &Scenario,
    engine: &str,
    wall_seconds: f64,
    record: &Record,
    more: &[(&'static str, Vec<u8>)],
) -> Result<Times, Failure> {
    let (name, build) = (&scenario.name, build_info());
    let (seed, hash) = (scenario.seed(), scenario.hash());
    let mut manifest = Manifest::new(name, &build, engine, seed, hash, wall_seconds, record);
    manifest.times = times(scenario).of_run(&record.summary);
    let scenario_text = &scenario.resolved_toml();
    dir.write(&RunFiles { scenario_text, manifest: &manifest, record, more })?;
    Ok(manifest.times)
}

/// Why a packet was not watched: its flow had fewer.
fn never_was(packet: PacketKey, record: &Record) -> String {
    let of_flow =
        |flow: &&FlowRow| (flow.source, flow.destination) == (packet.source, packet.destination);
    let delivered = record.flows.iter().find(of_flow).map_or(0, |flow| flow.packets);
    let selection = Selection::Packet(packet);
    format!(
        "error: --watch {selection}: no such packet in this run; delivered of its flow, numbered \
         from 0: {delivered}"
    )
}

/// What fits a screen; then what was asked for.
fn text(record: &Record, times: Times, scenario: &Scenario, args: &RunArgs) -> String {
    let mut text = brief::text(record, times, scenario);
    if args.verbose {
        text += &format!("\n{}", summary::text(record, times, &about::run(scenario), true));
    } else if args.table || args.columns.is_some() {
        text += &summary::windows(&record.summary, times, args.columns.is_some());
    }
    text
}

/// Time spent, which stdout does not have: the same scenario gives the same text there.
fn spent(timing: &Timing) -> String {
    let hop = timing.ns_per_packet_hop;
    let hop = hop.map_or(String::new(), |ns| format!(", {ns:.1} ns a packet-hop"));
    format!("CPU time {:.2} s{hop}", timing.cpu_seconds)
}
