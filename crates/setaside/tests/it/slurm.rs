//! `--executor slurm` and `--emit-tasks`, with fakes of Slurm's commands; `.ci/slurm` does the
//! same with Slurm itself.
#![cfg(unix)]

use crate::common::{Folder, Ran, STUDY, ended, folder};
use serde_json::json;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

/// Runs elements of an array; with `lossy` loses 1 and fails 2 of the first; `refuses`: takes none.
const SBATCH: &str = include_str!("data/sbatch");
/// Prints what is set as queued.
const SQUEUE: &str = "#!/bin/sh\ncat \"$FAKE/rows\" 2>/dev/null || true\n";
/// Empties the queue.
const SCANCEL: &str =
    "#!/bin/sh\nprintf '%s\\n' \"$@\" >>\"$FAKE/scancel.args\"\nrm -f \"$FAKE/rows\"\n";

fn with_fakes() -> Folder {
    let dir = folder();
    for (name, text) in [("sbatch", SBATCH), ("squeue", SQUEUE), ("scancel", SCANCEL)] {
        dir.write(&format!("bin/{name}"), text);
        let path = dir.join("bin").join(name);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("set");
    }
    let slurm = "[slurm]\npartition = \"long\"\nextra = \"--qos=high --exclusive\"\n\
                 runs_per_task = 1\npoll_seconds = 1\n";
    dir.write("study.toml", format!("{STUDY}{slurm}"));
    dir
}

fn with_path(dir: &Folder, path: &str, line: &str) -> Ran {
    let mut command = dir.program(line);
    command.env("FAKE", &**dir).env("PATH", path).output().expect("it starts").into()
}

/// Runs it beside the fakes: it ends with this code and all this on stderr.
#[track_caller]
fn slurm(dir: &Folder, exit: i32, line: &str, parts: &[&str]) -> Ran {
    let ran = with_path(dir, &format!("{}:/usr/bin:/bin", dir.join("bin").display()), line);
    ended(&ran, exit, line, parts);
    ran
}

/// All runs in one round, to lose some of them.
const SWEEP: &str = "sweep study.toml --no-derive --executor slurm --out there";

/// The sweep in `there` is that in `here`, which is made now.
fn as_local(dir: &Folder) {
    dir.works("sweep study.toml --out here");
    dir.alike("here", "there");
}

// "It trusts result files, not the scheduler": tasks that are lost or fail are handed out again.
// "Options on the command line and in the study file's `[slurm]`; command line over file."
#[test]
fn slurm_makes_the_runs_of_a_local_sweep_although_tasks_are_lost() {
    let dir = with_fakes();
    dir.write("lossy", "");
    let parts = [
        "slurm job 41: 3 tasks",
        "task 00001 ended with 1 of its runs missing",
        "slurm job 42: 2 tasks, try 2",
    ];
    let line = format!("{SWEEP} --set slurm.partition=short --set slurm.memory_mb=900");
    slurm(&dir, 0, &line, &parts);
    as_local(&dir);
    let args = dir.text("sbatch.args");
    let has = |word: &str| args.lines().any(|line| line == word);
    for word in ["--partition=short", "--mem=900M", "--qos=high", "--exclusive"] {
        assert!(has(word), "{word}: {args}");
    }
    assert!(has("--array=0-2") && has("--array=0-1") && !has("--partition=long"));
    let arrays = dir.json("there/slurm/jobs.json");
    assert_eq!(arrays["arrays"][1]["tasks"], json!([1, 2]));
    assert_eq!(arrays["arrays"][1]["job_id"], 42);
}

// A search has its runs made where a sweep has them, and gives the same answer.
#[test]
fn search_on_slurm_comes_to_the_local_answer() {
    let dir = with_fakes();
    let search = "saturate tiny.toml --axis workload.load --tolerance 0.3 --replicas 1 \
                  --max-replicas 1 switch.scheme=1q workload.hot.load=0.1 --loss 0.1 --out";
    let more = "--executor slurm slurm.poll_seconds=1 slurm.runs_per_task=1";
    let there = slurm(&dir, 0, &format!("{search} there {more}"), &["slurm job 42"]);
    let here = dir.works(&format!("{search} here"));
    assert_eq!(there.stdout.replace("there", "here"), here.stdout);
    assert_eq!(dir.text("there/results.csv"), dir.text("here/results.csv"));
}

// "`setaside status DIR`: runs finished, failed, running, left, tasks, tries"; "`setaside cancel
// DIR`: scancel of the arrays of that directory".
#[test]
fn status_reports_what_is_left_and_cancel_ends_it() {
    let dir = with_fakes();
    dir.write("lossy", "");
    let tries = format!("{SWEEP} slurm.tries=1");
    slurm(&dir, 1, &tries, &["no result after 1 tries; see slurm/41_1.out"]);
    let status = |args: &str| slurm(&dir, 0, &format!("status there {args}"), &[]);
    let status_text = status("").stdout;
    assert!(
        status_text.starts_with("s: 1 of 3 runs finished, 2 failed, 0 left\n"),
        "{status_text}"
    );
    // As it is while one waits: its array is not over.
    let mut arrays = dir.json("there/slurm/jobs.json");
    arrays["arrays"][0]["is_over"] = false.into();
    dir.write("there/slurm/jobs.json", arrays.to_string());
    let id = arrays["id"].as_str().expect("a name");
    dir.write("rows", format!("41|1|PENDING|setaside-{id}-1|Resources\n"));
    let status_text = status("").stdout;
    let line = "slurm: tasks running 0, queued 1 (Resources), handed out 3\n";
    assert!(status_text.contains(line), "{status_text}");
    let read = status("--format json").json();
    assert_eq!((&read["finished"], &read["slurm"]["queued"]), (&1.into(), &1.into()));
    assert_eq!(read["failed_runs"][0]["directory"], "01-2");
    slurm(&dir, 0, "cancel there", &["1 task ended"]);
    assert_eq!(dir.text("scancel.args"), "41\n");
    // The same command continues.
    slurm(&dir, 0, SWEEP, &[]);
    as_local(&dir);
}

// "`--emit-tasks FILE`: one command a line, for GNU parallel, LSF, PBS"; the same sweep then takes
// the results in.
#[test]
fn emitted_commands_make_the_runs_wherever_they_are_started() {
    let dir = with_fakes();
    let emit = "sweep study.toml --out there --emit-tasks commands";
    dir.works(emit);
    let commands = dir.text("commands");
    assert_eq!(commands.lines().count(), 3);
    // Again before any is started: the same commands, of files that are there.
    dir.works(emit);
    assert_eq!(dir.text("commands"), commands);
    for command in commands.lines().rev() {
        let mut shell = Command::new("/bin/sh");
        let status = shell.args(["-c", command]).current_dir("/").status();
        assert!(status.is_ok_and(|status| status.success()), "{command}");
    }
    dir.ends(0, "sweep study.toml --out there", &["3 of 3 runs are finished already"]);
    as_local(&dir);
    dir.works(emit);
    assert_eq!(dir.text("commands"), "");
}

// Wrong input is refused before any time is spent, with what is legal.
#[test]
fn what_slurm_cannot_do_is_refused_at_once() {
    let dir = with_fakes();
    for (more, parts) in [
        ("--jobs 2", &["--jobs: 2", "slurm.cpus"][..]),
        ("slurm.partiton=x", &["did you mean `partition`?"]),
        ("slurm.tries=0", &["0 is below 1"]),
        ("slurm.extra=--array=1-2", &["set by setaside", "legal:"]),
        ("slurm.extra=qos", &["is no option", "legal:"]),
        ("'slurm.account=a b'", &["is no name"]),
        ("--emit-tasks x", &["--executor"]),
    ] {
        slurm(&dir, 2, &format!("{SWEEP} {more}"), parts);
    }
    let nowhere = with_path(&dir, "/nowhere", SWEEP);
    ended(&nowhere, 1, SWEEP, &["sbatch: no such program", "--emit-tasks"]);
    dir.write("refuses", "");
    slurm(&dir, 1, SWEEP, &["sbatch: invalid partition specified"]);
    slurm(&dir, 1, "work there/tasks/99999.json", &["99999.json"]);
    slurm(&dir, 1, "status .", &["manifest.json"]);
}
