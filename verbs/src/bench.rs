//! `cargo xtask bench`: what a packet-hop costs, in instructions and in time, beside the goals;
//! into `docs/performance/results.md`.
//!
//! Instructions are counted by callgrind and are what comparisons rest on: the same on a busy
//! machine. Times are the processor time of the tick loop, the median of several runs.

mod against;
mod baseline;
mod goals;
mod hops;
mod measure;
mod page;
mod profile;
mod results;
mod sections;
mod work;

pub(crate) use hops::{HopsArgs, hops};
use measure::{Binary, Swept, Timed};
use setaside::{Exit, Failure};
use std::collections::BTreeMap;
use std::path::PathBuf;
use work::{Instructions, Observers, Program, Table};

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct BenchArgs {
    /// Count instructions of the small cases and compare with the baseline: more than 5 % above it
    /// fails
    #[arg(long, conflicts_with_all = ["write_baseline", "long", "units", "profile"])]
    check: bool,
    /// Make the measured instructions the baseline
    #[arg(long)]
    write_baseline: bool,
    /// Also the runs that take minutes: 2048 nodes, trees case 6
    #[arg(long)]
    long: bool,
    /// Also the criterion groups of the units
    #[arg(long)]
    units: bool,
    /// Also instructions by phase of the tick, and simulated cache misses; takes minutes
    #[arg(long)]
    profile: bool,
    /// Only this: times of the release build beside those of another build of setaside, in pairs;
    /// writes no page
    #[arg(long, value_name = "PROGRAM", exclusive = true)]
    against: Option<PathBuf>,
}

/// Everything that was measured; what was not is missing.
#[derive(Default)]
struct Measured {
    /// What was measured: the commit.
    commit: String,
    /// By name, per packet-hop.
    instructions: BTreeMap<&'static str, f64>,
    times: Vec<(&'static Table, Vec<Timed>)>,
    observers: Vec<(&'static Observers, f64)>,
    sweeps: Vec<Swept>,
    parts: Vec<(&'static Instructions, [f64; profile::PARTS.len()])>,
    misses: Vec<(&'static Instructions, [f64; profile::MISSES.len()])>,
    units: Vec<(String, String)>,
}

pub(crate) fn bench(args: &BenchArgs) -> Result<(), Failure> {
    if let Some(program) = &args.against {
        return against::against(program);
    }
    let has_callgrind = measure::has_callgrind();
    if !has_callgrind {
        eprintln!("valgrind is not installed: instructions are not counted and not checked");
        if args.check {
            return Ok(());
        }
        if args.write_baseline {
            return Err(failed("there is nothing to write into the baseline"));
        }
    }
    let mut measured = Measured {
        commit: page::commit(),
        ..Measured::default()
    };
    let binary = Binary::build(&[])?;
    if has_callgrind {
        for work in work::INSTRUCTIONS {
            if args.check && !work.checked {
                continue;
            }
            let count = count(&binary, work)?;
            measured.instructions.insert(work.name, count);
        }
    }
    if args.check {
        return baseline::check(&measured.instructions);
    }
    if has_callgrind {
        let unchecked = Binary::build(&["--cfg", "setaside_unchecked"])?;
        let hops = Binary::this()?;
        for row in work::OBSERVERS {
            let binary = match row.program {
                Program::Setaside => &binary,
                Program::Unchecked => &unchecked,
                Program::Hops => &hops,
            };
            let count =
                binary.instructions_per_hop(row.scenario, row.sets, row.between_ns, row.args)?;
            println!("{:60} {count:8.0} instructions", row.name);
            measured.observers.push((row, count));
        }
    }
    for table in work::TABLES {
        if table.long && !args.long {
            continue;
        }
        let times = binary.times(table)?;
        for (row, timed) in table.rows.iter().zip(&times) {
            println!(
                "{:60} {:8.1} ns a packet-hop, {:.2} s, {} MiB",
                row.name,
                timed.ns_per_hop,
                timed.seconds,
                timed.peak_bytes >> 20
            );
        }
        measured.times.push((table, times));
    }
    measured.sweeps = sweeps(&binary)?;
    if args.write_baseline {
        baseline::write(&measured.instructions)?;
    }
    page::write(&measured)?;
    if args.profile && has_callgrind {
        for work in work::PARTS {
            measured.parts.push((work, profile::parts(&binary, work)?));
        }
        for work in work::MISSES {
            measured
                .misses
                .push((work, profile::misses(&binary, work)?));
        }
        page::write(&measured)?;
    }
    if args.units {
        measured.units = measure::criterion()?;
        page::write(&measured)?;
    }
    Ok(())
}

/// A sweep with one run at a time and with as many as there are cores: in turn, the median of
/// three.
fn sweeps(binary: &Binary) -> Result<Vec<Swept>, Failure> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut all = Vec::new();
    for _ in 0..3 {
        for jobs in [1, cores] {
            let swept = binary.sweep(work::STUDY, jobs)?;
            println!(
                "{:60} {:8.1} s",
                format!("a sweep, {jobs} at a time"),
                swept.seconds
            );
            all.push(swept);
        }
    }
    if all.iter().any(|swept| swept.results != all[0].results) {
        return Err(failed("the results of a sweep depend on --jobs"));
    }
    all.sort_by(|a, b| {
        (a.jobs, a.seconds)
            .partial_cmp(&(b.jobs, b.seconds))
            .expect("numbers")
    });
    Ok(all.into_iter().skip(1).step_by(3).collect())
}

fn count(binary: &Binary, work: &Instructions) -> Result<f64, Failure> {
    let count = binary.instructions_per_hop(work.scenario, work.sets, work.between_ns, &[])?;
    let goal = work.goal.map_or(String::new(), |g| {
        format!(", goal {g}: {:.2} times it", count / f64::from(g))
    });
    println!("{:60} {count:8.0} instructions{goal}", work.name);
    Ok(count)
}

/// Something that a measurement rests on failed.
fn failed(what: impl std::fmt::Display) -> Failure {
    Failure::new(Exit::Failure, format!("error: {what}"))
}
