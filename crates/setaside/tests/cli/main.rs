//! The program as a user meets it: verbs, files, exit codes.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SMALL: &str = r#"
[network]
topology = "bmin"
nodes = 16
[switch]
scheme = "recn"
speedup = 1.5
[workload]
load = 0.8
[workload.hot]
load = 1
share = 0.25
destinations = 5
start_ns = 2_000
end_ns = 12_000
[run]
duration_ns = 20_000
warmup_ns = 1_000
series_bin_ns = 1_000
"#;

fn setaside(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_setaside"))
        .current_dir(dir)
        .args(args)
        .output()
        .expect("the program starts")
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().to_path_buf();
    std::fs::write(path.join("small.toml"), SMALL).expect("written");
    (dir, path)
}

const STUDY: &str = "[study]\nname = \"s\"\nscenario = \"small.toml\"\n[axes]\n\"recn.saqs\" = { from = 1, to = 4, factor = 2 }\n";

fn files_in(dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(dir).expect("a directory");
    let mut names: Vec<String> = entries
        .map(|e| {
            e.expect("an entry")
                .file_name()
                .into_string()
                .expect("a name")
        })
        .collect();
    names.sort();
    names
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("an exit code")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn json(output: &Output) -> Value {
    assert_eq!(code(output), 0, "{}", stderr(output));
    serde_json::from_slice(&output.stdout).expect("stdout is JSON alone")
}

fn without_timing(mut summary: Value) -> Value {
    summary.as_object_mut().expect("an object").remove("timing");
    summary
}

/// "`summary.json` (`run --format json` prints it) has at least: ..." (DESIGN)
#[test]
fn run_prints_the_summary_with_all_its_fields_and_writes_it() {
    let (_keep, dir) = folder();
    let summary = json(&setaside(
        &dir,
        &["run", "small.toml", "--format", "json", "--out", "out"],
    ));
    for field in [
        "delivered_bytes_per_ns",
        "offered_bytes_per_ns",
        "relative_throughput",
        "fairness_jain",
        "packets_generated",
        "packets_delivered",
        "packets_in_flight",
        "packets_refused",
        "packets_lost_to_faults",
        "packets_stranded",
        "out_of_order",
        "latency_ns",
        "network_latency_ns",
        "saqs_peak",
        "packet_hops",
        "events_hash",
        "groups",
        "links",
        "timing",
    ] {
        assert!(summary.get(field).is_some(), "{field} is missing");
    }
    for part in ["mean", "p50", "p99", "p999", "max"] {
        assert!(summary["latency_ns"][part].is_number(), "latency_ns.{part}");
    }
    assert!(summary["groups"]["hot"].as_f64().is_some_and(|v| v > 0.0));
    assert_eq!(summary["out_of_order"], 0);
    let written: Value =
        serde_json::from_slice(&std::fs::read(dir.join("out/summary.json")).expect("summary.json"))
            .expect("JSON");
    assert_eq!(written, summary);
    let series = std::fs::read_to_string(dir.join("out/series.csv")).expect("series.csv");
    let head = "t_ns,delivered_bytes_per_ns,saqs_ingress,saqs_egress,saqs_ingress_max_port,saqs_egress_max_port";
    assert!(series.starts_with(head), "{series}");
    assert_eq!(series.lines().count(), 21);
    for file in ["scenario.toml", "manifest.json", "flows.csv"] {
        assert!(dir.join("out").join(file).exists(), "{file}");
    }
    // The resolved scenario is a scenario, and gives the same result.
    let again = json(&setaside(
        &dir,
        &[
            "run",
            "out/scenario.toml",
            "--format",
            "json",
            "--out",
            "again",
        ],
    ));
    assert_eq!(without_timing(again), without_timing(summary));
}

/// "Same scenario and seed give the same bytes: on any ... engine."
#[test]
fn engines_write_the_same_files_and_seeds_do_not() {
    let (_keep, dir) = folder();
    let run = |engine: &str, seed: &str, out: &str| {
        let output = setaside(
            &dir,
            &[
                "run",
                "small.toml",
                "--seed",
                seed,
                "--out",
                out,
                "--format",
                "json",
                "--engine",
            ]
            .into_iter()
            .chain(engine.split(' '))
            .collect::<Vec<_>>(),
        );
        let summary = without_timing(json(&output));
        let read = |file| std::fs::read(dir.join(out).join(file)).expect("a result file");
        (summary, read("series.csv"), read("flows.csv"))
    };
    let fast = run("fast", "3", "a");
    assert_eq!(fast, run("reference", "3", "b"));
    assert_eq!(fast, run("fast --threads 3", "3", "d"));
    assert_ne!(
        fast.0["events_hash"],
        run("fast", "4", "c").0["events_hash"]
    );
}

/// "`--set` values are parsed as TOML, else taken as a string. `--out` defaults to
/// `runs/NAME-HASH8`."
#[test]
fn set_changes_keys_and_the_default_folder() {
    let (_keep, dir) = folder();
    let args = [
        "run",
        "small.toml",
        "--set",
        "switch.scheme=voq-sw",
        "--set",
        "run.duration_ns=4_000",
        "--format",
        "json",
    ];
    let summary = json(&setaside(&dir, &args));
    assert_eq!(summary["recn"]["allocations"], 0);
    let runs: Vec<String> = std::fs::read_dir(dir.join("runs"))
        .expect("runs")
        .map(|e| {
            e.expect("an entry")
                .file_name()
                .into_string()
                .expect("a name")
        })
        .collect();
    assert_eq!(runs.len(), 1);
    assert!(
        runs[0].starts_with("small-") && runs[0].len() == "small-".len() + 8,
        "{runs:?}"
    );
    let text = std::fs::read_to_string(dir.join("runs").join(&runs[0]).join("scenario.toml"))
        .expect("scenario.toml");
    assert!(text.contains("voq-sw"));
}

/// "check: every error with file, line, column, the legal values; exit 2"
#[test]
fn wrong_input_is_exit_2_and_names_the_place() {
    let (_keep, dir) = folder();
    std::fs::write(
        dir.join("bad.toml"),
        "[network]\ntopology = \"bmin\"\nnodes = 16\n[switch]\nspedup = 2\n[workload]\nload = 7\n",
    )
    .expect("written");
    for verb in [&["check", "bad.toml"][..], &["run", "bad.toml"][..]] {
        let output = setaside(&dir, verb);
        assert_eq!(code(&output), 2);
        let text = stderr(&output);
        assert!(
            text.contains("bad.toml:5:1") && text.contains("speedup"),
            "{text}"
        );
        assert!(
            text.contains("bad.toml:7:"),
            "all errors are reported: {text}"
        );
        assert!(output.stdout.is_empty());
    }
    assert_eq!(code(&setaside(&dir, &["run"])), 2);
    for how in [
        &["--engine", "warp"][..],
        &["--threads", "0"],
        &["--threads", "2", "--engine", "reference"],
    ] {
        let args = [&["run", "small.toml"], how].concat();
        assert_eq!(code(&setaside(&dir, &args)), 2, "{how:?}");
    }
    assert_eq!(code(&setaside(&dir, &["check", "small.toml"])), 0);
}

/// A watchdog that would take any wait for a deadlock is wrong input. (A deadlock cannot be had
/// from the command line: networks that could lock are refused. That it would be exit 3 is tested
/// where failures are made.)
#[test]
fn a_watchdog_that_is_too_short_is_refused() {
    let (_keep, dir) = folder();
    let output = setaside(
        &dir,
        &[
            "run",
            "small.toml",
            "--set",
            "run.watchdog_ns=4",
            "--set",
            "workload.load=0.01",
        ],
    );
    assert_eq!(code(&output), 2, "{}", stderr(&output));
    let text = stderr(&output);
    assert!(
        text.contains("run.watchdog_ns") && text.contains("legal: "),
        "{text}"
    );
    assert!(
        !dir.join("runs").exists(),
        "a run that is refused leaves nothing"
    );
}

/// A study writes a table, tidy results, a directory a run and one page; what is asked for twice
/// gives the same bytes.
#[test]
fn sweep_writes_results_and_a_page() {
    let (_keep, dir) = folder();
    std::fs::write(dir.join("study.toml"), STUDY).expect("written");
    let dry = setaside(&dir, &["sweep", "study.toml", "--dry-run"]);
    assert_eq!(String::from_utf8_lossy(&dry.stdout).lines().count(), 3);
    for (jobs, out) in [("1", "one"), ("2", "two")] {
        let output = setaside(&dir, &["sweep", "study.toml", "--jobs", jobs, "--out", out]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        assert!(String::from_utf8_lossy(&output.stdout).contains("delivered"));
        let page = std::fs::read_to_string(dir.join(out).join("report.html")).expect("report.html");
        assert!(page.contains("<svg") && !page.contains("src=\"http"));
    }
    let read = |out: &str| std::fs::read(dir.join(out).join("results.csv")).expect("results.csv");
    assert_eq!(read("one"), read("two"));
    assert_eq!(
        code(&setaside(
            &dir,
            &["sweep", "study.toml", "--max-runs", "1", "--out", "three"]
        )),
        0
    );
    assert_eq!(
        std::fs::read_dir(dir.join("three/runs"))
            .expect("runs")
            .count(),
        1
    );
    assert_eq!(code(&setaside(&dir, &["report", "one"])), 0);
    assert_eq!(code(&setaside(&dir, &["report", "nowhere"])), 1);
}

/// topo: counts, hops, deadlock check; schema: JSON.
#[test]
fn topo_and_schema_print_data() {
    let (_keep, dir) = folder();
    let topo = json(&setaside(&dir, &["topo", "small.toml", "--format", "json"]));
    assert_eq!(
        (topo["switches"].as_u64(), topo["nodes"].as_u64()),
        (Some(8), Some(16))
    );
    assert!(
        topo["deadlock"]
            .as_str()
            .is_some_and(|s| s.starts_with("none"))
    );
    // 12 random sources at 0.8 and, for 10 of 19 us, 4 hot ones that share what those leave of the
    // link of node 5.
    let (random, hot) = (12.0 * 0.8, 1.0 - 11.0 * 0.8 / 15.0);
    let workload = &topo["workload"];
    for (key, expected) in [
        ("offered_bytes_per_ns", random + 4.0 * 10.0 / 19.0),
        ("max_min_bytes_per_ns", random + hot * 10.0 / 19.0),
        ("cut_bytes_per_ns", random + hot * 10.0 / 19.0),
        ("ideal_bytes_per_ns", random + hot * 10.0 / 19.0),
    ] {
        let value = workload[key].as_f64().expect("a number");
        assert!((value - expected).abs() < 1e-9, "{key}: {value} {expected}");
    }
    assert!(topo["workload_without_bounds"].is_null());
    let text = stdout(&setaside(&dir, &["topo", "small.toml"]));
    for line in [
        "workload, offered            11.705 bytes/ns",
        "workload, max-min fair       9.818 bytes/ns",
        "workload, cut bound          9.818 bytes/ns",
    ] {
        assert!(text.contains(line), "{text}");
    }
    // A hot source more every 10 ns: no bound, and the reason.
    let sets = "network.nodes=1024 workload.hot.sources=600 workload.hot.step_ns=10";
    let many = sets.split(' ').flat_map(|set| ["--set", set]);
    let scenario = SMALL.replace("share = 0.25\n", "");
    std::fs::write(dir.join("many.toml"), scenario).expect("written");
    let many: Vec<&str> = ["topo", "many.toml"].into_iter().chain(many).collect();
    let reason = "the workload changes 1200 times; bounds are reckoned for at most 1024";
    let text = stdout(&setaside(&dir, &many));
    assert!(
        text.contains(&format!("workload, bounds             none: {reason}")),
        "{text}"
    );
    let topo = json(&setaside(
        &dir,
        &[&many[..], &["--format", "json"]].concat(),
    ));
    assert!(topo["workload"].is_null());
    assert_eq!(topo["workload_without_bounds"], reason);
    let schema = json(&setaside(&dir, &["schema"]));
    assert!(schema["$schema"].is_string());
}

/// `check` and `topo` of a torus: virtual channels used, entries of the tables, the cycle without
/// them.
#[test]
fn check_and_topo_say_channels_and_tables() {
    let (_keep, dir) = folder();
    let torus = "[network]\ntopology = \"torus\"\ndimensions = [4, 4]\n[switch]\nvcs = 4\n\
        [workload]\nload = 0.1\n[run]\nduration_ns = 1000\n";
    std::fs::write(dir.join("torus.toml"), torus).expect("written");
    let table = ["--set", "routing.algorithm=table"];
    let checked = setaside(&dir, &[&["check", "torus.toml"], &table[..]].concat());
    assert_eq!(code(&checked), 0, "{}", stderr(&checked));
    // 16 switches of 5 ports, an entry a node.
    let counts = "16 end nodes, 16 switches, 2 of 4 virtual channels used, 1280 table entries\n";
    assert!(stdout(&checked).ends_with(counts), "{}", stdout(&checked));
    let text = stdout(&setaside(&dir, &["topo", "torus.toml"]));
    assert!(
        text.contains("virtual channels, used / of  2 / 4\n"),
        "{text}"
    );
    assert!(!text.contains("routing tables"), "{text}");
    let topo = [&["topo", "torus.toml"], &table[..]].concat();
    let text = stdout(&setaside(&dir, &topo));
    assert!(
        text.contains("routing tables               1280 entries\n"),
        "{text}"
    );
    let topo = json(&setaside(
        &dir,
        &[&topo[..], &["--format", "json"]].concat(),
    ));
    for (key, value) in [("vcs", 4), ("vcs_used", 2), ("table_entries", 1280)] {
        assert_eq!(topo[key], value, "{key}");
    }
    let refused = setaside(&dir, &["topo", "torus.toml", "--set", "switch.vcs=1"]);
    assert_eq!(code(&refused), 2);
    let cycle = "s0.0 vc0 -> s1.0 vc0 -> s2.0 vc0 -> s3.0 vc0 -> s0.0 vc0";
    assert!(stderr(&refused).contains(cycle), "{}", stderr(&refused));
}

/// `--threads` of `check` and `topo` changes nothing that is found.
#[test]
fn check_and_topo_find_the_same_on_any_number_of_threads() {
    let (_keep, dir) = folder();
    for verb in ["check", "topo"] {
        let on = |threads: &str| setaside(&dir, &[verb, "small.toml", "--threads", threads]);
        let one = on("1");
        assert_eq!(code(&one), 0, "{}", stderr(&one));
        for threads in ["2", "5"] {
            let other = on(threads);
            assert_eq!((other.status, &other.stdout), (one.status, &one.stdout));
        }
        assert_eq!(code(&on("0")), 2);
    }
}

/// A mesh whose longest route fits no pool: said with the route.
#[test]
fn a_pool_that_is_too_short_is_refused_with_the_longest_route() {
    let (_keep, dir) = folder();
    let mesh = "[network]\ntopology = \"mesh\"\nwidth = 64\nheight = 64\n[workload]\nload = 0.1\n[run]\nduration_ns = 1000\n";
    std::fs::write(dir.join("mesh.toml"), mesh).expect("written");
    let refused =
        "the longest route needs 254 bits of turns, \"as31\" has 31; the route: n0 -> s0[4>0] -> ";
    for verb in ["check", "topo"] {
        let output = setaside(&dir, &[verb, "mesh.toml"]);
        assert_eq!(code(&output), 2);
        assert!(stderr(&output).contains(refused), "{}", stderr(&output));
    }
}

/// "`--out` defaults to `runs/NAME-HASH8`": below `runs`, whatever the name, and the same one
/// whichever part of the study is run.
#[test]
fn names_stay_below_runs() {
    let (_keep, dir) = folder();
    let study = STUDY.replace("\"s\"", "\"x/../../y\"");
    std::fs::write(dir.join("study.toml"), study).expect("written");
    for args in [&["--max-runs", "1"][..], &["--engine", "reference"]] {
        let output = setaside(&dir, &[&["sweep", "study.toml"], args].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
    }
    let found = files_in(&dir.join("runs"));
    assert!(
        found.len() == 1 && found[0].starts_with("x-..-..-y-"),
        "{found:?}"
    );
    assert_eq!(files_in(&dir), ["runs", "small.toml", "study.toml"]);
    let manifest = std::fs::read_to_string(dir.join("runs").join(&found[0]).join("manifest.json"));
    assert!(
        manifest
            .expect("manifest.json")
            .contains("\"engine\": \"reference\"")
    );
}

/// A wrong command line is told before anything is simulated: here a run of years.
#[test]
fn directories_are_tried_before_the_simulation() {
    let (_keep, dir) = folder();
    std::fs::write(dir.join("study.toml"), STUDY).expect("written");
    std::fs::create_dir(dir.join("mine")).expect("made");
    std::fs::write(dir.join("mine/notes.txt"), "mine").expect("written");
    let long = ["--set", "run.duration_ns=1_000_000_000"];
    for verb in [["run", "small.toml"], ["sweep", "study.toml"]] {
        for (out, expected) in [("mine", 2), ("small.toml", 1), ("small.toml/x", 1)] {
            let output = setaside(&dir, &[&verb[..], &long, &["--out", out]].concat());
            assert_eq!(
                code(&output),
                expected,
                "{verb:?} {out}: {}",
                stderr(&output)
            );
        }
    }
    assert_eq!(files_in(&dir.join("mine")), ["notes.txt"]);
}

#[test]
fn wrong_kind_of_file_is_told_the_right_verb() {
    let (_keep, dir) = folder();
    std::fs::write(dir.join("study.toml"), STUDY).expect("written");
    for (args, verb) in [
        (["run", "study.toml"], "`setaside sweep`"),
        (["topo", "study.toml"], "`setaside sweep`"),
        (["sweep", "small.toml"], "`setaside run`"),
    ] {
        let output = setaside(&dir, &args);
        assert_eq!(code(&output), 2);
        let text = stderr(&output);
        assert!(text.lines().count() == 1 && text.contains(verb), "{text}");
    }
    for wrong in [["--max-runs", "0"], ["--jobs", "0"]] {
        let output = setaside(&dir, &[&["sweep", "study.toml"], &wrong[..]].concat());
        assert_eq!(code(&output), 2);
    }
}

/// A run that takes minutes and is at work when this returns.
#[cfg(unix)]
fn long_run(program: &str, args: &[&str], dir: &Path) -> std::process::Child {
    let mut child = Command::new(program)
        .current_dir(dir)
        .args(args)
        .args(["--set", "run.duration_ns=100_000_000", "--out", "out"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("the program starts");
    std::thread::sleep(std::time::Duration::from_millis(700));
    let state = child.try_wait().expect("a state");
    assert!(state.is_none(), "{args:?} is at work");
    child
}

#[cfg(unix)]
fn send(signal: &str, child: &std::process::Child) {
    let kill = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(kill.is_ok_and(|s| s.success()));
}

/// "130 interrupted": a run and a sweep end soon after SIGTERM, with what is finished in place and
/// no lock left.
#[cfg(unix)]
#[test]
fn request_to_end_is_met_soon() {
    let (_keep, dir) = folder();
    std::fs::write(dir.join("study.toml"), STUDY).expect("written");
    for verb in [["run", "small.toml"], ["sweep", "study.toml"]] {
        let mut child = long_run(env!("CARGO_BIN_EXE_setaside"), &verb, &dir);
        let asked = std::time::Instant::now();
        send("-TERM", &child);
        let status = child.wait().expect("a state");
        assert_eq!(status.code(), Some(130), "{verb:?}");
        assert!(asked.elapsed().as_secs() < 5, "{verb:?}");
    }
    assert!(dir.join("out/results.csv").exists() && !dir.join("out/sweep.lock").exists());
}

/// "130 interrupted": a hangup that is not ignored ends a run in order, as SIGTERM does.
#[cfg(unix)]
#[test]
fn hangup_ends_a_run_in_order() {
    let (_keep, dir) = folder();
    std::fs::write(dir.join("study.toml"), STUDY).expect("written");
    // A test run that was itself started to ignore hangups hands that on, and nothing but a program
    // of its own takes it back.
    let hung_up = Command::new("sh").args(["-c", "kill -HUP $$"]).status();
    if hung_up.is_ok_and(|status| status.success()) {
        return;
    }
    let program = env!("CARGO_BIN_EXE_setaside");
    let mut child = long_run(program, &["sweep", "study.toml"], &dir);
    send("-HUP", &child);
    assert_eq!(child.wait().expect("a state").code(), Some(130));
    assert!(dir.join("out/results.csv").exists() && !dir.join("out/sweep.lock").exists());
}

/// Started to outlive its terminal (as `nohup` does): a hangup ends nothing, SIGTERM still ends the
/// run in order.
#[cfg(target_os = "linux")]
#[test]
fn ignored_hangup_stays_ignored() {
    let (_keep, dir) = folder();
    let program = env!("CARGO_BIN_EXE_setaside");
    let ignoring = [
        "-c",
        "trap '' HUP; exec \"$0\" \"$@\"",
        program,
        "run",
        "small.toml",
    ];
    let mut child = long_run("sh", &ignoring, &dir);
    send("-HUP", &child);
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(child.try_wait().expect("a state").is_none(), "at work");
    send("-TERM", &child);
    assert_eq!(child.wait().expect("a state").code(), Some(130));
}

/// "SAQs alone can fill a port [...]; a warning says when it does not hold" that Xoff x SAQs <
/// slots (recn.md): on stderr, and the file is legal all the same.
#[test]
fn saqs_that_can_fill_a_port_are_warned_of() {
    let (_keep, dir) = folder();
    let check = |xoff: &str| {
        let sets = [
            "switch.scheme=recn-dd-iq",
            "switch.organisation=iq",
            "switch.speedup=1",
            "switch.port_memory_bytes=4096",
            xoff,
        ];
        let mut args = vec!["check", "small.toml"];
        args.extend(sets.iter().flat_map(|set| ["--set", set]));
        let output = setaside(&dir, &args);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        stderr(&output)
    };
    let said = check("recn.xoff_packets=8");
    assert!(
        said.contains(
            "warning: recn.saqs x recn.xoff_packets = 8 x 8 packets reach the 64 slots of a port"
        ),
        "{said}"
    );
    assert!(said.contains("recn.xoff_packets of at most 7"), "{said}");
    assert_eq!(check("recn.xoff_packets=7"), "");
}
