//! Wrong input is refused, at once and with its place; what may be a mistake is warned of.

use crate::common::{TINY, folder, names};
use std::fs;

/// "check: every error with file, line, column, the legal values; exit 2"
#[test]
fn wrong_input_is_exit_2_and_names_the_place() {
    let dir = folder();
    let bad =
        "[network]\ntopology = \"bmin\"\nnodes = 16\n[switch]\nspedup = 2\n[workload]\nload = 7\n";
    dir.write("bad.toml", bad);
    for verb in ["check bad.toml", "run bad.toml"] {
        let ran = dir.ends(2, verb, &["bad.toml:5:1", "speedup", "bad.toml:7:"]);
        assert!(ran.stdout.is_empty());
    }
    // A mesh whose longest route fits no pool: reported with the route.
    let mesh = "[network]\ntopology = \"mesh\"\nwidth = 64\nheight = 64\n[workload]\nload = 0.1\n\
        [run]\nduration_ns = 1000\n";
    dir.write("mesh.toml", mesh);
    let seed = &*format!("from 0 to {}", i64::MAX);
    let pool =
        "the longest route needs 254 bits of turns, \"as31\" has 31; the route: n0 -> s0[4>0] -> ";
    for (line, parts) in [
        ("check mesh.toml", &[pool][..]),
        ("topo mesh.toml", &[pool]),
        ("run", &[]),
        ("run tiny.toml --engine warp", &[]),
        ("run tiny.toml --threads 2 --engine reference", &[]),
        ("check tiny.toml recn.saqs=99", &["--set recn.saqs: error: "]),
        ("check recn.saqs=9", &["FILE.toml: none is given"]),
        ("run tiny.toml other.toml", &["legal: key.path=VALUE"]),
        // A network without super nodes has no picture.
        ("topo tiny.toml --svg out.svg", &["legal: hierarchical networks"]),
        // "`--seed -1` advises nonsense: typed legal range"
        ("run tiny.toml --seed -1", &["-1", seed]),
        ("run tiny.toml --seed 9223372036854775808", &["9223372036854775808", seed]),
        ("run tiny.toml --seed x", &["x", seed]),
        ("run tiny.toml --seed 1.5", &["1.5", seed]),
        ("run tiny.toml --threads -1", &["-1", "from 1 to "]),
        ("run tiny.toml --threads 0", &["from 1 to "]),
        ("check tiny.toml --threads 0", &[]),
        ("topo tiny.toml --threads 0", &[]),
        ("run tiny.toml --record --record-interval-ns -5", &["-5", "legal: an integer from 1 to "]),
        ("run tiny.toml --record-interval-ns 100", &["--record"]),
        ("sweep study.toml --jobs -2", &["-2", "from 1 to "]),
        ("sweep study.toml --jobs 0", &["from 1 to "]),
        ("sweep study.toml --max-runs 0", &["from 1 to "]),
        ("saturate tiny.toml --axis workload.lode", &["did you mean `workload.load`"]),
        ("saturate tiny.toml --axis switch.scheme", &["it takes no number"]),
        ("saturate tiny.toml --axis workload.load --to 1.5", &["1.5 is above 1"]),
        ("saturate tiny.toml --axis workload.load --from 1", &["not above --from"]),
        ("saturate tiny.toml --axis recn.saqs", &["an integer from"]),
        ("saturate tiny.toml --axis workload.load --tolerance 0", &["above 0 and below 1"]),
        ("size study.toml", &["write [size]"]),
        ("run tiny.toml --log x=y=z", &["--log", "legal: error, warn, info, debug, trace or off"]),
        ("run tiny.toml --log info,", &["--log", "directive \"\"", "legal: error, warn"]),
        ("run tiny.toml --log [run]=debug", &["--log", "directive \"[run]=debug\""]),
        (
            "run tiny.toml --log-format json",
            &["--log-format", "legal with --log FILTER or --watch"],
        ),
        // "Bad watch strings are typed errors saying what is legal"
        ("run tiny.toml --watch 5", &["--watch", "legal: packet=SRC:DST:N, unit=UNIT"]),
        ("run tiny.toml --watch packet=1:2", &["--watch", "legal: SRC:DST:N"]),
        ("run tiny.toml --watch packet=1:2:3:4", &["--watch", "legal: SRC:DST:N"]),
        ("run tiny.toml --watch packet=1:2:-3", &["--watch", "legal: SRC:DST:N"]),
        ("run tiny.toml --watch packet=1:16:0", &["--watch", "legal: node 0 to 15"]),
        ("run tiny.toml --watch 'unit=switch 2 on 1'", &["legal: switch 3, switch 3 in 2"]),
        ("run tiny.toml --watch 'unit=switch 99'", &["legal: switch 0 to "]),
        ("run tiny.toml --watch 'unit=switch 2 in 9'", &["legal: port 0, 1, 2, "]),
        ("run tiny.toml --watch 'unit=node 16 injection'", &["legal: node 0 to 15"]),
        ("run tiny.toml --waves w.txt", &["legal: a name that ends in .fst, .vcd or .json"]),
        ("run tiny.toml --waves-window 1:2", &["--waves"]),
        ("run tiny.toml --waves-units 'node 1'", &["--waves"]),
        (
            "run tiny.toml --waves w.fst --waves-window 2:1",
            &["legal: FROM:TO, two integers of ns, FROM before TO"],
        ),
        (
            "run tiny.toml --waves w.fst --waves-window 5500:6000",
            &["it begins at 5500 ns; legal: before the end of the run, 5500 ns"],
        ),
        ("run tiny.toml --waves w.fst --waves-units 'switch 8'", &["legal: switch 0 to 7"]),
        ("run tiny.toml --waves w.fst --waves-units links", &["legal: switch 3, switch 3 in 2"]),
    ] {
        let ran = dir.ends(2, line, parts);
        assert!(!ran.stderr.contains("-- "), "it advises nonsense: {}", ran.stderr);
        // What is wrong with a network's units is seen when the run has its place.
        let may_have_place = line.contains("--watch") || line.contains("--waves");
        assert!(may_have_place || !dir.has("runs"), "{line}");
    }
    // The right verb for a file of another kind, in a line.
    for (line, verb) in [
        ("run study.toml", "`setaside sweep`"),
        ("topo study.toml", "`setaside sweep`"),
        ("sweep tiny.toml", "`setaside run`"),
    ] {
        assert_eq!(dir.ends(2, line, &[verb]).stderr.lines().count(), 1);
    }
    // A watchdog that would take any wait for a deadlock.
    let watchdog = "run tiny.toml run.watchdog_ns=4 workload.load=0.01";
    dir.ends(2, watchdog, &["run.watchdog_ns", "legal: "]);
    assert_eq!(names(&dir), ["bad.toml", "mesh.toml", "runs", "study.toml", "tiny.toml"]);
    assert_eq!(names(&dir.join("runs")), [""; 0]);
    dir.works(&format!("run tiny.toml --seed {} --out r", i64::MAX));
}

/// "`--waves` into a folder that is not there gives the operating system's words alone": the path,
/// what is missing and what to do are reported, before a run of years begins.
#[test]
fn path_that_is_no_place_for_a_file_is_refused_in_words() {
    let dir = folder();
    fs::create_dir(dir.join("d.fst")).expect("made");
    let missing = "the directory no/sub is not there; make it, or give another path";
    let file = "tiny.toml is a file, not a directory; give another";
    let long = "run.duration_ns=1_000_000_000";
    for (line, part) in [
        ("run tiny.toml LONG --waves no/sub/x.fst", format!("--waves no/sub/x.fst: {missing}")),
        ("run tiny.toml LONG --waves d.fst", "is a directory; give the name of a file".into()),
        (
            "run tiny.toml LONG --waves tiny.toml/x.fst",
            format!("--waves tiny.toml/x.fst: {file} path"),
        ),
        ("run tiny.toml LONG --out tiny.toml", format!("tiny.toml: {file} directory")),
        ("run tiny.toml LONG --out tiny.toml/x", format!("tiny.toml/x: {file} directory")),
        ("sweep study.toml LONG --out tiny.toml", format!("tiny.toml: {file} directory")),
        ("sweep study.toml LONG --out tiny.toml/x", format!("tiny.toml/x: {file} directory")),
        ("topo tiny.toml --svg no/sub/x.svg", format!("--svg no/sub/x.svg: {missing}")),
        ("figures no --out tiny.toml", format!("--out tiny.toml: {file} path")),
        ("man tiny.toml", format!("DIR tiny.toml: {file} path")),
        ("report no", "no: is not there; give the directory of a run or a sweep".into()),
        ("report tiny.toml", "tiny.toml: is a file; give the directory of a run".into()),
    ] {
        let ran = dir.ends(1, &line.replace("LONG", long), &[&part]);
        assert!(!ran.stderr.contains("os error"), "{line}: {}", ran.stderr);
    }
    for verb in ["run tiny.toml", "sweep study.toml"] {
        // What no word is for is the system's, behind the path and before what to do.
        if cfg!(target_os = "linux") {
            let parts = ["/proc/x: no results can be written here: ", "; give another directory"];
            dir.ends(1, &format!("{verb} --out /proc/x"), &parts);
        }
    }
    assert_eq!(names(&dir), ["d.fst", "study.toml", "tiny.toml"]);
}

/// "SAQs alone can fill a port [...]; a warning says when it does not hold" that Xoff x SAQs <
/// slots (recn.md): on stderr, and the file is legal all the same.
#[test]
fn saqs_that_can_fill_a_port_are_warned_of() {
    let dir = folder();
    let check = |xoff: u32| {
        let keys = "switch.scheme=recn-dd-iq switch.organisation=iq switch.speedup=1 \
                    switch.port_memory_bytes=4096";
        dir.works(&format!("check tiny.toml {keys} recn.xoff_packets={xoff}")).stderr
    };
    let warning =
        "warning: recn.saqs x recn.xoff_packets = 8 x 8 packets reach the 64 slots of a port";
    let stderr = check(8);
    assert!(stderr.contains(warning), "{stderr}");
    assert!(stderr.contains("recn.xoff_packets of at most 7"), "{stderr}");
    assert_eq!(check(7), "");
}

/// KEY=VALUE follows FILE, and among the files of `check`; `--set` is the same.
#[test]
fn keys_and_values_stand_behind_the_file() {
    let dir = folder();
    let lines = |line: &str| dir.works(line).stdout;
    let set = lines("topo tiny.toml --set network.nodes=32");
    assert_eq!(lines("topo tiny.toml network.nodes=32"), set);
    assert_ne!(lines("topo tiny.toml"), set);
    let plan = lines("sweep study.toml --dry-run -v study.replicas=2 switch.speedup=2");
    assert_eq!(plan.lines().filter(|line| line.contains("  seed ")).count(), 6);
    lines("run tiny.toml recn.saqs=2 --quiet --out a");
    assert!(dir.text("a/scenario.toml").contains("\nsaqs = 2\n"));
    let checked = lines("check tiny.toml network.nodes=32 tiny.toml");
    assert_eq!(checked.matches("32 end nodes").count(), 2);
    dir.write("network.nodes=32", TINY);
    assert_eq!(lines("check network.nodes=32").matches("16 end nodes").count(), 1);
}

/// "Without the feature, `--parquet` is a clear typed error with exit 2."
#[cfg(not(feature = "parquet"))]
#[test]
fn parquet_files_need_a_build_with_the_feature() {
    let error = "error: built without Parquet: cargo build --release --features parquet\n";
    assert_eq!(folder().ends(2, "collect s --parquet", &[]).stderr, error);
}

/// Completions name every verb, and so do the manual pages, with their examples; help fits 80
/// columns.
#[test]
fn completions_and_manual_pages_have_every_verb() {
    let dir = folder();
    let pages = dir.works("man man").stdout;
    let help = dir.works("--help").stdout;
    let verbs = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let verbs = verbs.take_while(|line| !line.is_empty());
    let verbs = verbs.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let verbs: Vec<&str> = verbs.filter(|verb| !["", "help"].contains(verb)).collect();
    assert!(verbs.len() >= 10, "{help}");
    for verb in &verbs {
        let path = format!("man/setaside-{verb}.1");
        assert!(pages.lines().any(|line| line == path), "{pages}");
        assert!(dir.text(&path).contains("Examples:"), "{path}");
        let help = dir.works(&format!("{verb} --help")).stdout;
        assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = dir.works(&format!("completions {shell}")).stdout;
        assert!(verbs.iter().all(|verb| script.contains(verb)), "{shell}");
    }
}
