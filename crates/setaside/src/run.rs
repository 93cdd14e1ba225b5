//! `setaside run`.

use crate::args::{Format, RunArgs};
use crate::cpu;
use crate::exit::{Exit, Failure, print};
use crate::interrupt;
use crate::kind;
use crate::pace::Pace;
use crate::progress::{Meter, STEPS};
use crate::record;
use fabric::{Engine, LatencySummary, Record, Run};
use scenario::Scenario;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Instant;
use study::{Bins, Build, Manifest, Windows, default_directory};

/// Which program this is.
pub fn build_info() -> Build {
    Build {
        version: env!("CARGO_PKG_VERSION").to_string(),
        commit: env!("SETASIDE_COMMIT").to_string(),
        dirty: env!("SETASIDE_DIRTY") == "true",
    }
}

/// Simulates a scenario; `step` is called 200 times on the way.
///
/// # Errors
/// Configuration, deadlock, interrupt.
///
/// # Panics
/// When an invariant of the model is broken.
pub fn simulate(scenario: &Scenario, engine: Engine, step: &dyn Fn()) -> Result<Record, Failure> {
    let config = scenario.build()?;
    let mut run = Run::new(&config, engine)?;
    let cpu_time = cpu::clock(run.threads());
    let mut pace = Pace::new();
    let (mut cpu_seconds, mut steps) = (0.0, 0u64);
    while let (at, ticks) = run.progress()
        && at < ticks
    {
        if interrupt::is_set() {
            return Err(Failure::interrupted());
        }
        let start = cpu_time();
        pace.step(&mut run)?;
        cpu_seconds += cpu_time() - start;
        let done = u128::from(run.progress().0) * u128::from(STEPS) / u128::from(ticks);
        while u128::from(steps) < done {
            steps += 1;
            step();
        }
    }
    Ok(run.finish(cpu_seconds).0)
}

/// When throughput is looked at: before, during and after the congestion tree (spec: scenarios.md).
pub(crate) fn windows(scenario: &Scenario) -> Windows {
    let Some(during) = scenario.hot_window_ns() else {
        return Windows::default();
    };
    let duration = scenario.duration_ns().to_f64() as u64;
    Windows {
        before: (during.0 / 2, during.0),
        during,
        after: (duration.saturating_sub(200_000), duration),
    }
}

/// Bins of the series of a scenario.
pub(crate) fn bins(scenario: &Scenario) -> Bins {
    let duration_ns = scenario.duration_ns().to_f64();
    let width = scenario
        .get("run.series_bin_ns")
        .and_then(|text| decimal(text.trim_matches('"')));
    Bins {
        width_ns: width.unwrap_or(duration_ns),
        duration_ns,
    }
}

/// A number as a resolved scenario has it: `12.5` or `1/3`.
fn decimal(text: &str) -> Option<f64> {
    match text.split_once('/') {
        Some((over, under)) => {
            Some(over.trim().parse::<f64>().ok()? / under.trim().parse::<f64>().ok()?)
        }
        None => text.parse().ok(),
    }
}

pub(crate) fn run(args: &RunArgs) -> Result<(), Failure> {
    kind::want_scenario(&args.file)?;
    let mut scenario = Scenario::load(&args.file, &args.sets.sets)?;
    for warning in scenario.warnings() {
        eprintln!("warning: {warning}");
    }
    if let Some(seed) = args.seed {
        if seed > i64::MAX as u64 {
            return Err(Failure::new(
                Exit::Usage,
                format!("error: --seed: {seed}; legal: 0 to {}", i64::MAX),
            ));
        }
        scenario = scenario.with_seed(seed);
    }
    scenario = scenario.with_threads(args.threads);
    let (engine, engine_name) = (args.engine.on(args.threads)?, args.engine.name());
    let default = || Path::new("runs").join(default_directory(&scenario.name, scenario.hash()));
    let out = args.out.clone().unwrap_or_else(default);
    study::check_run_dir(&out)?; // before the time of the run is spent
    interrupt::flag();
    let meter = Meter::new(1);
    meter.message(scenario.name.clone());
    let start = Instant::now();
    let result = catch_unwind(AssertUnwindSafe(|| {
        let step = || meter.step();
        if args.record {
            let recorded =
                record::simulate_recorded(&scenario, engine, args.record_interval_ns, &step)?;
            return Ok((recorded.0, Some(recorded.1)));
        }
        Ok((simulate(&scenario, engine, &step)?, None))
    }));
    meter.clear();
    let (record, recording) = result.unwrap_or_else(|panic| Err(Failure::of_panic(&*panic)))?;

    let wall = start.elapsed().as_secs_f64();
    let mut manifest = Manifest::new(
        &scenario.name,
        &build_info(),
        engine_name,
        scenario.seed(),
        scenario.hash(),
        wall,
        &record,
    );
    manifest.windows = windows(&scenario);
    manifest.bins = bins(&scenario);
    study::write_run(&out, &scenario.resolved_toml(), &manifest, &record)?;
    if let Some(recording) = recording {
        record::write(&out, &recording)?;
    }
    eprintln!("wrote {}", out.display());
    match args.format {
        Format::Json => {
            let json = serde_json::to_string_pretty(&record.summary)
                .map_err(|e| Failure::new(Exit::Failure, e.to_string()))?;
            print(&format!("{json}\n"))
        }
        Format::Text => print(&text(&record)),
    }
}

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or("-".to_string(), |v| format!("{v:.digits$}"))
}

/// The summary for people.
fn text(record: &Record) -> String {
    let s = &record.summary;
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<32} {value}");
    };
    line(
        "delivered",
        format!("{} bytes/ns", number(s.delivered_bytes_per_ns, 3)),
    );
    line(
        "offered",
        format!("{} bytes/ns", number(s.offered_bytes_per_ns, 3)),
    );
    line("relative throughput", number(s.relative_throughput, 4));
    line("fairness (Jain)", number(s.fairness_jain, 4));
    for (name, rate) in &s.groups {
        line(
            &format!("delivered, {name}"),
            format!("{} bytes/ns", number(*rate, 3)),
        );
    }
    for (name, part) in &s.links {
        line(&format!("utilisation, {name}"), number(*part, 4));
    }
    line(
        "packets generated / delivered",
        format!("{} / {}", s.packets_generated, s.packets_delivered),
    );
    line(
        "packets in flight / refused",
        format!("{} / {}", s.packets_in_flight, s.packets_refused),
    );
    line("out of order", s.out_of_order.to_string());
    let latency = |l: &LatencySummary| {
        let parts = [
            ("mean", l.mean),
            ("p50", l.p50),
            ("p99", l.p99),
            ("p999", l.p999),
            ("max", l.max),
        ];
        parts
            .map(|(name, v)| format!("{name} {}", number(v, 1)))
            .join(", ")
    };
    line("latency, ns", latency(&s.latency_ns));
    line("network latency, ns", latency(&s.network_latency_ns));
    let peak = s.saqs_peak;
    line(
        "SAQs, peak at one port",
        format!(
            "ingress {}, egress {}, injection {}",
            peak.ingress, peak.egress, peak.injection
        ),
    );
    let r = s.recn;
    line(
        "SAQs allocated / refused / freed",
        format!(
            "{} / {} / {} ({} early)",
            r.allocations, r.refusals, r.frees, r.early_frees
        ),
    );
    line(
        "memory of a port, bits",
        format!(
            "data {}, queues {}, CAM {}, SAQ registers {}, credits {}",
            s.memory.port_data_bits,
            s.memory.port_queue_bits,
            s.memory.port_cam_bits,
            s.memory.port_saq_bits,
            s.memory.port_credit_bits
        ),
    );
    line("packet-hops", s.packet_hops.to_string());
    line("events hash", s.events_hash.clone());
    line(
        "CPU time",
        format!(
            "{:.2} s, {} ns a packet-hop",
            s.timing.cpu_seconds,
            number(s.timing.ns_per_packet_hop, 1)
        ),
    );
    text
}
