//! Runs of the release binary: under callgrind, or with a clock.

use super::work::{Run, Table};
use crate::page::{failed, io, root};
use observe::{Record, Timing};
use setaside::Failure;
use setaside_tests::compare::texts_differ;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use study::{StoredRun, read_run};

/// Where runs write.
const OUT: &str = "target/bench/run";

/// A program that simulates a scenario and prints the packet-hops as JSON.
pub(super) struct Binary {
    program: PathBuf,
    /// What comes before the scenario.
    verb: &'static [&'static str],
}

pub(super) struct Swept {
    pub(super) jobs: usize,
    pub(super) seconds: f64,
    pub(super) peak_bytes: u64,
    pub(super) results: Vec<u8>,
}

#[derive(Default)]
pub(super) struct Timed {
    /// Processor time of the tick loop, all threads.
    pub(super) ns_per_hop: f64,
    /// From start to end, reading and writing included.
    pub(super) seconds: f64,
    pub(super) peak_bytes: u64,
    pub(super) events_hash: String,
}

fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string())
}

pub(super) fn has_callgrind() -> bool {
    Command::new("valgrind").arg("--version").output().is_ok_and(|ran| ran.status.success())
}

impl Binary {
    /// A release build of the command line, with these flags in a directory of its own.
    pub(super) fn build(flags: &[&str]) -> Result<Binary, Failure> {
        let own = if flags.is_empty() { "target" } else { "target/bench-unchecked" };
        let target = root().join(own);
        let mut build = Command::new(cargo());
        build
            .current_dir(root())
            .args(["build", "--release", "--quiet", "--package", "setaside", "--target-dir"])
            .arg(&target);
        if !flags.is_empty() {
            build.env("RUSTFLAGS", flags.join(" "));
        }
        if !build.status().map_err(io("cargo"))?.success() {
            return Err(failed("the release build failed"));
        }
        let program = target.join("release/setaside");
        Ok(Binary { program, verb: &["run", "--format", "json", "--out", OUT] })
    }

    /// This program, which counts packet-hops and observes nothing else.
    pub(super) fn this() -> Result<Binary, Failure> {
        Ok(Binary { program: std::env::current_exe().map_err(io("xtask"))?, verb: &["hops"] })
    }

    fn run(&self, command: &mut Command, run: &Run, sets: &[String]) -> Ran {
        let _ = std::fs::remove_dir_all(root().join(OUT));
        command
            .current_dir(root())
            .args(self.verb)
            .arg(format!("scenarios/{}", run.scenario))
            .args(&run.args)
            .args(["--set", "run.drain_ns=0"]);
        for set in run.sets.iter().chain(sets) {
            command.args(["--set", set]);
        }
        let watched = watch(command, &run.name)?;
        let summary = serde_json::from_slice(&watched.output.stdout)
            .map_err(|e| failed(format!("{}: {e}", run.name)))?;
        Ok((summary, watched))
    }

    pub(super) fn instructions_per_hop(&self, run: &Run) -> Result<f64, Failure> {
        let tool = ["--tool=callgrind", "--callgrind-out-file=/dev/null"];
        let [count] = self.per_hop(&tool, run, |error| {
            let count = error.lines().find_map(|line| line.split_once("Collected : "));
            let count = count.and_then(|(_, n)| n.trim().parse().ok());
            Ok([count.ok_or_else(|| failed("callgrind says no count"))?])
        })?;
        Ok(count)
    }

    /// Counts a packet-hop under valgrind: the difference of two run lengths, without start-up.
    pub(super) fn per_hop<const N: usize>(
        &self,
        tool: &[&str],
        run: &Run,
        counts: impl Fn(&str) -> Result<[f64; N], Failure>,
    ) -> Result<[f64; N], Failure> {
        let at = |ns: u32| {
            let sets = [format!("run.duration_ns={ns}"), "run.warmup_ns=0".into()];
            let mut valgrind = Command::new("valgrind");
            valgrind.args(tool).arg(&self.program);
            let (summary, watched) = self.run(&mut valgrind, run, &sets)?;
            let counts = counts(&String::from_utf8_lossy(&watched.output.stderr))?;
            Ok::<_, Failure>((number(&summary, "packet_hops")?, counts))
        };
        let (short, long) = (at(run.between_ns.0)?, at(run.between_ns.1)?);
        Ok(std::array::from_fn(|n| (long.1[n] - short.1[n]) / (long.0 - short.0)))
    }

    pub(super) fn sweep(&self, study: &str, jobs: usize) -> Result<Swept, Failure> {
        let out = root().join(OUT);
        let _ = std::fs::remove_dir_all(&out);
        let at_a_time = jobs.to_string();
        let words = ["sweep", study, "--out", OUT, "--jobs", &at_a_time];
        let mut command = Command::new(&self.program);
        let watched = watch(command.current_dir(root()).args(words), study)?;
        Ok(Swept {
            jobs,
            seconds: watched.seconds,
            peak_bytes: watched.peak_bytes,
            results: std::fs::read(out.join("results.csv")).map_err(io("results.csv"))?,
        })
    }

    /// All rows of a table in turn, as often as it states; of each the median.
    pub(super) fn times(&self, table: &Table) -> Result<Vec<(String, Timed)>, Failure> {
        let mut all: Vec<(Run, Vec<Timed>)> = table.runs().map(|run| (run, Vec::new())).collect();
        let mut first = None;
        for _ in 0..table.rounds {
            for (run, timed) in &mut all {
                timed.push(self.time(run)?);
                if table.same_results {
                    let now = results()?;
                    let first = first.get_or_insert_with(|| now.clone());
                    if let Some(what) = texts_differ(first, &now) {
                        let (title, name) = (&table.title, &run.name);
                        return Err(failed(format!("{title}, {name}: other results, {what}")));
                    }
                }
            }
        }
        let median = |(run, mut timed): (Run, Vec<Timed>)| {
            timed.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
            (run.name, timed.swap_remove(timed.len() / 2))
        };
        Ok(all.into_iter().map(median).collect())
    }

    fn time(&self, run: &Run) -> Result<Timed, Failure> {
        let (summary, watched) = self.run(&mut Command::new(&self.program), run, &[])?;
        Ok(Timed {
            ns_per_hop: number(&summary["timing"], "ns_per_packet_hop")?,
            seconds: watched.seconds,
            peak_bytes: watched.peak_bytes,
            events_hash: summary["events_hash"].as_str().unwrap_or("").to_string(),
        })
    }
}

/// What the last run has written, without times: the scenario and its results.
fn results() -> Result<(String, Record), Failure> {
    let StoredRun { scenario_text, mut record, .. } =
        read_run(&root().join(OUT)).map_err(failed)?;
    record.summary.timing = Timing::default();
    Ok((scenario_text, record))
}

struct Watched {
    output: Output,
    seconds: f64,
    peak_bytes: u64,
}

/// Runs a program, and fails if it does.
fn watch(command: &mut Command, what: &str) -> Result<Watched, Failure> {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let start = Instant::now();
    let child = command.spawn().map_err(io("setaside"))?;
    let status = PathBuf::from(format!("/proc/{}/status", child.id()));
    // The high-water mark is readable until the child is waited for; 0 where there is no /proc.
    let watcher = std::thread::spawn(move || {
        let mut peak = 0;
        while let Ok(text) = std::fs::read_to_string(&status) {
            let Some(now) = high_water_mark(&text) else {
                break;
            };
            peak = now;
            std::thread::sleep(Duration::from_millis(20));
        }
        peak
    });
    let output = child.wait_with_output().map_err(io("setaside"))?;
    let seconds = start.elapsed().as_secs_f64();
    let peak_bytes = watcher.join().unwrap_or(0);
    if !output.status.success() {
        let error = String::from_utf8_lossy(&output.stderr);
        return Err(failed(format!("{what} failed: {error}")));
    }
    Ok(Watched { output, seconds, peak_bytes })
}

type Ran = Result<(serde_json::Value, Watched), Failure>;

fn number(summary: &serde_json::Value, field: &str) -> Result<f64, Failure> {
    summary[field].as_f64().ok_or_else(|| failed(format!("the summary has no number `{field}`")))
}

fn high_water_mark(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    let kb: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kb << 10)
}

/// Runs the criterion groups of the units: names and medians, as criterion prints them.
pub(super) fn criterion() -> Result<Vec<Vec<String>>, Failure> {
    const TIMES: &str = "--benches -- --warm-up-time 0.5 --measurement-time 1";
    let mut rows = Vec::new();
    for package in ["turnpool", "cam", "flow-control", "saq", "crossbar", "workload"] {
        let output = Command::new(cargo())
            .current_dir(root())
            .args(["bench", "--quiet", "--package", package])
            .args(TIMES.split(' '))
            .stderr(Stdio::inherit())
            .output()
            .map_err(io("cargo"))?;
        if !output.status.success() {
            return Err(failed(format!("the benches of {package} failed")));
        }
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut name = String::new();
        for line in text.lines() {
            let Some((before, times)) = line.split_once("time:") else {
                if !line.starts_with(' ') && !line.trim().is_empty() {
                    name = line.trim().to_string();
                }
                continue;
            };
            if !before.trim().is_empty() {
                name = before.trim().to_string();
            }
            // [low unit median unit high unit]
            let words: Vec<&str> = times.trim().trim_matches(['[', ']']).split(' ').collect();
            if let [_, _, median, unit, ..] = words[..] {
                rows.push(vec![format!("{package}: {name}"), format!("{median} {unit}")]);
            }
        }
    }
    Ok(rows)
}
