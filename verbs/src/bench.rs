//! `cargo xtask bench`: what a packet-hop costs, in instructions and in time, beside the goals;
//! into `docs/performance/measured.json`, and from it into `docs/performance/results.md`.
//!
//! Instructions are counted by callgrind and are what comparisons rest on: the same on a busy
//! machine. Times are the processor time of the tick loop, the median of several runs.

mod baseline;
mod goals;
mod hops;
mod measure;
mod page;
mod profile;
mod work;

use crate::page::failed;
use crate::pool::cores;
pub(crate) use hops::{HopsArgs, hops};
use measure::{Binary, Swept, Timed};
use page::{Measured, Section};
use setaside::Failure;
use std::collections::BTreeMap;
use work::{Program, Run, Table, Work};

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
}

pub(crate) fn bench(args: &BenchArgs) -> Result<(), Failure> {
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
    let work = Work::read()?;
    let binary = Binary::build(&[])?;
    let mut counts = BTreeMap::new();
    let is_counted = |run: &&Run| has_callgrind && (!args.check || run.is_checked());
    for run in work.instructions.iter().filter(is_counted) {
        counts.insert(run.name.clone(), count(&binary, run)?);
    }
    if args.check {
        return baseline::check(&counts);
    }
    let commit = page::commit();
    let section = |title: &str, about: &str, head: &str, rows: Vec<Vec<String>>| Section {
        title: title.to_string(),
        commit: commit.clone(),
        about: about.to_string(),
        head: head.split(" | ").map(str::to_string).collect(),
        rows,
    };
    let mut measured = Measured::read()?;
    let mut goals = Vec::new();
    if has_callgrind {
        let counted = work.instructions.iter().map(|run| (run, counts[&run.name]));
        let asked = counted.clone().filter(|(run, _)| run.at_most.is_some());
        goals.extend(asked.map(|(run, count)| {
            let what = format!("{}: instructions", run.name);
            goals::row(&what, (run.at_most, None), count, "")
        }));
        let rows = counted.map(|(run, count)| vec![run.name.clone(), format!("{count:.0}")]);
        let title = "Instructions a packet-hop";
        measured.put(section(title, "", "work | measured", rows.collect()));
        measured.put(section(
            "Statistics, invariants and recording, on and off",
            "`recn`, 8 SAQs, 64 nodes, load 0.5.",
            " | instructions a packet-hop | of all",
            observers(&binary, &work)?,
        ));
    }
    let mut times = Vec::new();
    for table in work.table.iter().filter(|table| args.long || !table.long) {
        let timed = binary.times(table)?;
        for (name, timed) in &timed {
            println!(
                "{name:60} {:8.1} ns a packet-hop, {:.2} s, {} MiB",
                timed.ns_per_hop,
                timed.seconds,
                timed.peak_bytes >> 20
            );
        }
        let head = "work | ns a packet-hop | of the first | seconds in all | of the first | MiB | \
                    event hash";
        measured.put(section(&table.title, &about(table), head, time_rows(&timed)));
        times.push((table.title.clone(), timed));
    }
    goals.extend(work.goal.iter().filter_map(|goal| goals::of(goal, &times)));
    goals.iter_mut().for_each(|goal| goal.push(commit.clone()));
    // Each line gives its own commit, since one that was not measured now stays.
    let goals = section("Goals", "", "goal | at most or least | measured |  | at", goals);
    measured.put_rows(Section { commit: String::new(), ..goals });
    let about = format!(
        "`setaside sweep {}`: in turn, the median of three; with each number of runs at a time \
         `results.csv` is the same to the byte.",
        work.study
    );
    measured.put(section(
        "Runs side by side",
        &about,
        "runs at a time | seconds | times as fast | peak memory, MiB",
        sweeps(&binary, &work.study)?,
    ));
    if args.write_baseline {
        baseline::write(&counts)?;
    }
    measured.write()?;
    if args.profile && has_callgrind {
        let names: Vec<&str> = work.parts.iter().map(|run| run.name.as_str()).collect();
        measured.put(section(
            "Where they go",
            "64 nodes, load 0.5: instructions a packet-hop, by the sources that they are from.",
            &format!("part | {}", names.join(" | ")),
            profile::parts_by_row(&binary, &work.parts)?,
        ));
        measured.put(section(
            "Simulated misses",
            "By cachegrind, a packet-hop: first level 32 KiB 8-way for code and for data, last \
             level 1 MiB 16-way.",
            "work | between, us | instructions | code, first level | data, first level | last level",
            profile::misses_by_row(&binary, &work.misses)?,
        ));
        measured.write()?;
    }
    if args.units {
        let about = "Medians of the criterion groups.";
        let rows = measure::criterion()?;
        measured.put(section("Units", about, "unit and operation | time", rows));
        measured.write()?;
    }
    Ok(())
}

fn count(binary: &Binary, run: &Run) -> Result<f64, Failure> {
    let count = binary.instructions_per_hop(run)?;
    let goal = run
        .at_most
        .map_or(String::new(), |most| format!(", goal {most}: {:.2} times it", count / most));
    println!("{:60} {count:8.0} instructions{goal}", run.name);
    Ok(count)
}

fn observers(binary: &Binary, work: &Work) -> Result<Vec<Vec<String>>, Failure> {
    let unchecked = Binary::build(&["--cfg", "setaside_unchecked"])?;
    let hops = Binary::this()?;
    let (mut rows, mut all) = (Vec::new(), None);
    for run in work.observers.iter().map(Run::recn) {
        let binary = match run.program {
            Program::Setaside => binary,
            Program::Unchecked => &unchecked,
            Program::Hops => &hops,
        };
        let count = count(binary, &run)?;
        let part = count / *all.get_or_insert(count);
        rows.push(vec![run.name, format!("{count:.0}"), format!("{part:.3}")]);
    }
    Ok(rows)
}

fn about(table: &Table) -> String {
    match table.rounds {
        1 => format!("{} Once.", table.about),
        rounds => format!("{} In turn, medians of {rounds}.", table.about),
    }
}

fn time_rows(timed: &[(String, Timed)]) -> Vec<Vec<String>> {
    let rows = timed.iter().map(|(name, row)| {
        let first = &timed[0].1;
        vec![
            name.clone(),
            format!("{:.0}", row.ns_per_hop),
            format!("{:.2}", row.ns_per_hop / first.ns_per_hop),
            format!("{:.2}", row.seconds),
            format!("{:.2}", row.seconds / first.seconds),
            (row.peak_bytes >> 20).to_string(),
            row.events_hash.clone(),
        ]
    });
    rows.collect()
}

/// A sweep with one run at a time and with as many as there are cores: in turn, the median of
/// three.
fn sweeps(binary: &Binary, study: &str) -> Result<Vec<Vec<String>>, Failure> {
    let mut all: Vec<Swept> = Vec::new();
    for jobs in [1, cores()].repeat(3) {
        let swept = binary.sweep(study, jobs)?;
        let what = format!("a sweep, {jobs} at a time");
        println!("{what:60} {:8.1} s", swept.seconds);
        all.push(swept);
    }
    if all.iter().any(|swept| swept.results != all[0].results) {
        return Err(failed("the results of a sweep depend on --jobs"));
    }
    all.sort_by(|a, b| a.jobs.cmp(&b.jobs).then(a.seconds.total_cmp(&b.seconds)));
    let medians: Vec<Swept> = all.into_iter().skip(1).step_by(3).collect();
    let rows = medians.iter().map(|swept| {
        vec![
            swept.jobs.to_string(),
            format!("{:.1}", swept.seconds),
            format!("{:.2}", medians[0].seconds / swept.seconds),
            (swept.peak_bytes >> 20).to_string(),
        ]
    });
    Ok(rows.collect())
}
