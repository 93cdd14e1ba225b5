//! `--executor slurm` and `--emit-tasks`, with stand-ins for Slurm's commands; `.ci/slurm` does the
//! same with Slurm itself.
#![cfg(unix)]
use crate::common::{STUDY, code, folder, json, names, program, stderr, whole_run, works};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};

/// Runs elements of an array at once. Of the first one it loses element 1 and lets element 2 fail,
/// where `lossy` is there; with `refuses` it takes nothing.
const SBATCH: &str = r#"#!/bin/sh
printf '%s\n' "$@" >>"$FAKE/sbatch.args"
if [ -e "$FAKE/refuses" ]; then echo "invalid partition specified" >&2; exit 1; fi
id=$(($(cat "$FAKE/id" 2>/dev/null || echo 40) + 1))
echo "$id" >"$FAKE/id"
for word; do
  case $word in --array=0-*) last=${word#--array=0-} ;; esac
  script=$word
done
for element in $(seq 0 "$last"); do
  if [ -e "$FAKE/lossy" ] && [ "$id" = 41 ]; then
    case $element in 1) continue ;; 2) script=false ;; esac
  fi
  SLURM_ARRAY_TASK_ID=$element sh "$script" >"$FAKE/$id.$element.out" 2>&1
done
echo "$id;north"
"#;
/// Prints what is said to be queued.
const SQUEUE: &str = "#!/bin/sh\ncat \"$FAKE/rows\" 2>/dev/null || true\n";
/// Empties the queue.
const SCANCEL: &str =
    "#!/bin/sh\nprintf '%s\\n' \"$@\" >>\"$FAKE/scancel.args\"\nrm -f \"$FAKE/rows\"\n";

fn with_fakes(dir: &Path) {
    fs::create_dir(dir.join("bin")).expect("made");
    for (name, text) in [("sbatch", SBATCH), ("squeue", SQUEUE), ("scancel", SCANCEL)] {
        let path = dir.join("bin").join(name);
        fs::write(&path, text).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("set");
    }
    let slurm = "[slurm]\npartition = \"long\"\nextra = \"--qos=high --exclusive\"\n\
                 runs_per_task = 1\npoll_seconds = 1\n";
    fs::write(dir.join("study.toml"), format!("{STUDY}{slurm}")).expect("written");
}

fn with_path(dir: &Path, path: &str, args: &[&str]) -> Output {
    let mut command = program(dir);
    let command = command.args(args).env("FAKE", dir).env("PATH", path);
    command.output().expect("it starts")
}

fn slurm(dir: &Path, args: &[&str]) -> Output {
    let path = format!("{}:/usr/bin:/bin", dir.join("bin").display());
    with_path(dir, &path, args)
}

/// All runs in one round, to lose some of them.
const SWEEP: [&str; 7] =
    ["sweep", "study.toml", "--no-derive", "--executor", "slurm", "--out", "there"];

/// The sweep in `there` is that in `here`, which is made now.
fn as_local(dir: &Path) {
    works(dir, &["sweep", "study.toml", "--out", "here"]);
    let [here, there] = ["here", "there"].map(|name| dir.join(name));
    assert_eq!(names(&here.join("runs")), names(&there.join("runs")));
    for name in names(&here.join("runs")) {
        let run = |dir: &Path| whole_run(&dir.join("runs").join(&name));
        assert!(run(&here).is_some() && run(&here) == run(&there), "{name}");
    }
    for name in ["results.csv", "results.json", "windows.csv"] {
        let read = |dir: &Path| fs::read(dir.join(name)).expect("it is there");
        assert!(read(&here) == read(&there), "{name}");
    }
}

// "It trusts result files, not the scheduler": tasks that are lost or fail are handed out again.
// "Options on the command line and in the study file's `[slurm]`; command line over file."
#[test]
fn slurm_makes_the_runs_of_a_local_sweep_although_tasks_are_lost() {
    let (_keep, dir) = folder();
    with_fakes(&dir);
    fs::write(dir.join("lossy"), "").expect("written");
    let more = ["--set", "slurm.partition=short", "--set", "slurm.memory_mb=900"];
    let output = slurm(&dir, &[&SWEEP[..], &more].concat());
    let said = stderr(&output);
    assert_eq!(code(&output), 0, "{said}");
    as_local(&dir);
    for line in [
        "slurm job 41: 3 tasks",
        "task 00001 ended with 1 of its runs missing",
        "slurm job 42: 2 tasks, try 2",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    let args = fs::read_to_string(dir.join("sbatch.args")).expect("called");
    let has = |word: &str| args.lines().any(|line| line == word);
    for word in ["--partition=short", "--mem=900M", "--qos=high", "--exclusive"] {
        assert!(has(word), "{word}: {args}");
    }
    assert!(has("--array=0-2") && has("--array=0-1") && !has("--partition=long"));
    let arrays = json(&dir.join("there/slurm/jobs.json"));
    assert_eq!(arrays["arrays"][1]["tasks"], serde_json::json!([1, 2]));
    assert_eq!(arrays["arrays"][1]["job_id"], 42);
}

// A search has its runs made where a sweep has them, and comes to the same answer.
#[test]
fn search_on_slurm_comes_to_the_local_answer() {
    let (_keep, dir) = folder();
    with_fakes(&dir);
    let search = |out: &'static str, more: &[&'static str]| {
        let words = "saturate tiny.toml --axis workload.load --tolerance 0.3 --replicas 1 \
                     --max-replicas 1 --set switch.scheme=1q --set workload.hot.load=0.1 \
                     --loss 0.1 --out";
        [&words.split(' ').collect::<Vec<_>>()[..], &[out], more].concat()
    };
    let more = "--executor slurm --set slurm.poll_seconds=1 --set slurm.runs_per_task=1";
    let more: Vec<&str> = more.split(' ').collect();
    let there = slurm(&dir, &search("there", &more));
    assert_eq!(code(&there), 0, "{}", stderr(&there));
    assert!(stderr(&there).contains("slurm job 42"), "{}", stderr(&there));
    let here = works(&dir, &search("here", &[]));
    let text = |output: &Output| String::from_utf8_lossy(&output.stdout).replace("there", "here");
    assert_eq!(text(&there), text(&here));
    let read = |dir: &Path| fs::read(dir.join("results.csv")).expect("it is there");
    assert!(read(&dir.join("there")) == read(&dir.join("here")));
}

// "`setaside status DIR`: runs finished, failed, running, left, tasks, tries"; "`setaside cancel
// DIR`: scancel of the arrays of that directory".
#[test]
fn status_says_what_is_left_and_cancel_ends_it() {
    let (_keep, dir) = folder();
    with_fakes(&dir);
    let tries = ["--set", "slurm.tries=1"];
    fs::write(dir.join("lossy"), "").expect("written");
    let output = slurm(&dir, &[&SWEEP[..], &tries].concat());
    assert_eq!(code(&output), 1);
    let said = stderr(&output);
    assert!(said.contains("no result after 1 tries; see slurm/41_1.out"), "{said}");
    let status = |args: &[&str]| {
        let output = slurm(&dir, &[&["status", "there"], args].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        String::from_utf8(output.stdout).expect("text")
    };
    let said = status(&[]);
    assert!(said.starts_with("s: 1 of 3 runs finished, 2 failed, 0 left\n"), "{said}");
    // As it is while one waits: its array is not over.
    let path = dir.join("there/slurm/jobs.json");
    let mut arrays = json(&path);
    arrays["arrays"][0]["is_over"] = false.into();
    fs::write(&path, arrays.to_string()).expect("written");
    let id = arrays["id"].as_str().expect("a name");
    let row = format!("41|1|PENDING|setaside-{id}-1|Resources\n");
    fs::write(dir.join("rows"), row).expect("written");
    let said = status(&[]);
    let slurm_line = "slurm: tasks running 0, queued 1 (Resources), handed out 3\n";
    assert!(said.contains(slurm_line), "{said}");
    let read: serde_json::Value =
        serde_json::from_str(&status(&["--format", "json"])).expect("JSON");
    assert_eq!((&read["finished"], &read["slurm"]["queued"]), (&1.into(), &1.into()));
    assert_eq!(read["failed_runs"][0]["directory"], "01-2");
    let output = slurm(&dir, &["cancel", "there"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stderr(&output).contains("1 task ended"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(dir.join("scancel.args")).expect("called"), "41\n");
    // The same command goes on.
    assert_eq!(code(&slurm(&dir, &SWEEP)), 0);
    as_local(&dir);
}

// "`--emit-tasks FILE`: one command a line, for GNU parallel, LSF, PBS"; the same sweep then takes
// the results in.
#[test]
fn emitted_commands_make_the_runs_wherever_they_are_started() {
    let (_keep, dir) = folder();
    with_fakes(&dir);
    let emit = ["sweep", "study.toml", "--out", "there", "--emit-tasks", "commands"];
    works(&dir, &emit);
    let commands = fs::read_to_string(dir.join("commands")).expect("written");
    assert_eq!(commands.lines().count(), 3);
    // Again before any is started: the same commands, of files that are there.
    works(&dir, &emit);
    assert_eq!(fs::read_to_string(dir.join("commands")).expect("written"), commands);
    for command in commands.lines().rev() {
        let mut shell = Command::new("/bin/sh");
        let status = shell.args(["-c", command]).current_dir("/").status();
        assert!(status.is_ok_and(|status| status.success()), "{command}");
    }
    let output = works(&dir, &["sweep", "study.toml", "--out", "there"]);
    let said = stderr(&output);
    assert!(said.contains("3 of 3 runs are finished already"), "{said}");
    as_local(&dir);
    works(&dir, &emit);
    assert_eq!(fs::read_to_string(dir.join("commands")).expect("written"), "");
}

// Wrong input is refused before any time is spent, with what is legal.
#[test]
fn what_slurm_cannot_do_is_said_at_once() {
    let (_keep, dir) = folder();
    with_fakes(&dir);
    let refused = |output: Output, exit: i32, parts: &[&str]| {
        let said = stderr(&output);
        assert_eq!(code(&output), exit, "{said}");
        for part in parts {
            assert!(said.contains(part), "{part}: {said}");
        }
    };
    let with = |more: &[&str]| slurm(&dir, &[&SWEEP[..], more].concat());
    refused(with(&["--jobs", "2"]), 2, &["--jobs: 2", "slurm.cpus"]);
    refused(with(&["--set", "slurm.partiton=x"]), 2, &["did you mean `partition`?"]);
    refused(with(&["--set", "slurm.tries=0"]), 2, &["0 is below 1"]);
    for (extra, why) in [("--array=1-2", "set by setaside"), ("qos", "is no option")] {
        refused(with(&["--set", &format!("slurm.extra={extra}")]), 2, &[why, "legal:"]);
    }
    refused(with(&["--set", "slurm.account=a b"]), 2, &["is no name"]);
    refused(with(&["--emit-tasks", "x"]), 2, &["--executor"]);
    let nowhere = with_path(&dir, "/nowhere", &SWEEP);
    refused(nowhere, 1, &["sbatch: no such program", "--emit-tasks"]);
    fs::write(dir.join("refuses"), "").expect("written");
    refused(with(&[]), 1, &["sbatch: invalid partition specified"]);
    let output = slurm(&dir, &["work", "there/tasks/99999.json"]);
    refused(output, 1, &["99999.json"]);
    refused(slurm(&dir, &["status", "."]), 1, &["manifest.json"]);
}
