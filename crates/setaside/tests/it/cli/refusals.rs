//! Wrong input is refused, at once and with its place; what may be a mistake is warned of.

use super::{STUDY, code, files_in, folder, setaside, stderr};

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
        assert!(text.contains("bad.toml:5:1") && text.contains("speedup"), "{text}");
        assert!(text.contains("bad.toml:7:"), "all errors are reported: {text}");
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
        &["run", "small.toml", "--set", "run.watchdog_ns=4", "--set", "workload.load=0.01"],
    );
    assert_eq!(code(&output), 2, "{}", stderr(&output));
    let text = stderr(&output);
    assert!(text.contains("run.watchdog_ns") && text.contains("legal: "), "{text}");
    assert!(!dir.join("runs").exists(), "a run that is refused leaves nothing");
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
            assert_eq!(code(&output), expected, "{verb:?} {out}: {}", stderr(&output));
        }
    }
    assert_eq!(files_in(&dir.join("mine")), ["notes.txt"]);
}

/// "`--waves` into a folder that is not there gives the operating system's words alone": the path,
/// what is missing and what to do are said, before a run of years begins.
#[test]
fn path_that_is_no_place_for_a_file_is_told_in_words() {
    let (_keep, dir) = folder();
    std::fs::write(dir.join("study.toml"), STUDY).expect("written");
    std::fs::create_dir(dir.join("d.fst")).expect("made");
    let set = ["--set", "run.duration_ns=1_000_000_000"];
    let run = |option: &'static str, path: &'static str| {
        let args = [&["run", "small.toml"], &set[..], &[option, path]].concat();
        args.into_iter().map(String::from).collect::<Vec<_>>()
    };
    let words = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
    let missing = "the directory no/sub is not there; make it, or give another path";
    let file = "small.toml is a file, not a directory; give another";
    for (args, said) in [
        (run("--waves", "no/sub/x.fst"), format!("--waves no/sub/x.fst: {missing}")),
        (run("--waves", "d.fst"), "is a directory; give the name of a file".into()),
        (run("--waves", "small.toml/x.fst"), format!("--waves small.toml/x.fst: {file} path")),
        (run("--out", "small.toml/x"), format!("small.toml/x: {file} directory")),
        (words("sweep study.toml --out small.toml"), format!("small.toml: {file} directory")),
        (words("topo small.toml --svg no/sub/x.svg"), format!("--svg no/sub/x.svg: {missing}")),
        (words("figures no --out small.toml"), format!("--out small.toml: {file} path")),
        (words("man small.toml"), format!("DIR small.toml: {file} path")),
        (words("report no"), "no: is not there; give the directory of a run or a sweep".into()),
        (words("report small.toml"), "small.toml: is a file; give the directory of a run".into()),
    ] {
        let output = setaside(&dir, &args.iter().map(String::as_str).collect::<Vec<_>>());
        let text = stderr(&output);
        assert_eq!(code(&output), 1, "{args:?}: {text}");
        assert!(text.contains(&said) && !text.contains("os error"), "{args:?}: {text}");
        assert!(!dir.join("runs").exists(), "{args:?}: nothing is written");
    }
    // What no word is for is the system's, behind the path and before what to do.
    #[cfg(target_os = "linux")]
    for verb in [["run", "small.toml"], ["sweep", "study.toml"]] {
        let output = setaside(&dir, &[&verb[..], &["--out", "/proc/x"]].concat());
        let text = stderr(&output);
        assert_eq!(code(&output), 1, "{text}");
        assert!(text.contains("/proc/x: no results can be written here: "), "{text}");
        assert!(text.contains("; give another directory"), "{text}");
    }
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

/// KEY=VALUE stands behind FILE, and among the files of `check`; `--set` is the same. What is no
/// KEY=VALUE is told so.
#[test]
fn keys_and_values_stand_behind_the_file() {
    let (_keep, dir) = folder();
    std::fs::write(dir.join("study.toml"), STUDY).expect("written");
    let lines = |args: &[&str]| {
        let output = setaside(&dir, args);
        assert_eq!(code(&output), 0, "{args:?}: {}", stderr(&output));
        super::stdout(&output)
    };
    let set = lines(&["topo", "small.toml", "--set", "network.nodes=32"]);
    assert_eq!(lines(&["topo", "small.toml", "network.nodes=32"]), set);
    assert_ne!(lines(&["topo", "small.toml"]), set);
    let dry = ["sweep", "study.toml", "--dry-run", "-v", "study.replicas=2", "switch.speedup=2"];
    let is_run = |line: &&str| line.contains("  seed ");
    assert_eq!(lines(&dry).lines().filter(is_run).count(), 6);
    let run = ["run", "small.toml", "recn.saqs=2", "--quiet", "--out", "a"];
    lines(&run);
    let resolved = std::fs::read_to_string(dir.join("a/scenario.toml")).expect("a scenario");
    assert!(resolved.contains("\nsaqs = 2\n"), "{resolved}");
    let check = ["check", "small.toml", "network.nodes=32", "small.toml"];
    assert_eq!(lines(&check).matches("32 end nodes").count(), 2);
    std::fs::write(dir.join("network.nodes=32"), super::SMALL).expect("written");
    assert_eq!(lines(&["check", "network.nodes=32"]).matches("16 end nodes").count(), 1);
    for (args, said) in [
        (&["check", "small.toml", "recn.saqs=99"][..], "--set recn.saqs: error: "),
        (&["check", "recn.saqs=9"], "FILE.toml: none is given"),
        (&["run", "small.toml", "other.toml"], "legal: key.path=VALUE"),
    ] {
        let output = setaside(&dir, args);
        assert_eq!(code(&output), 2, "{args:?}");
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
    }
}

/// "Without the feature, `--parquet` is a clear typed error with exit 2."
#[cfg(not(feature = "parquet"))]
#[test]
fn parquet_files_need_a_build_with_the_feature() {
    let (_keep, dir) = folder();
    let output = setaside(&dir, &["collect", "s", "--parquet"]);
    assert_eq!(code(&output), 2);
    assert_eq!(
        stderr(&output),
        "error: built without Parquet: cargo build --release --features parquet\n"
    );
}

/// Completions name every verb, and so do the manual pages, with their examples.
#[test]
fn completions_and_manual_pages_have_every_verb() {
    let (_keep, dir) = folder();
    let output = setaside(&dir, &["man", "man"]);
    let pages = super::stdout(&output);
    let help = super::stdout(&setaside(&dir, &["--help"]));
    let verbs = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let verbs = verbs.take_while(|line| !line.is_empty());
    let verbs = verbs.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let verbs: Vec<&str> = verbs.filter(|verb| !["", "help"].contains(verb)).collect();
    assert!(verbs.len() >= 10, "{help}");
    for verb in &verbs {
        let path = format!("man/setaside-{verb}.1");
        assert!(pages.lines().any(|line| line == path), "{pages}");
        let page = std::fs::read_to_string(dir.join(path)).expect("a page");
        assert!(page.contains("Examples:"), "{page}");
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = super::stdout(&setaside(&dir, &["completions", shell]));
        assert!(verbs.iter().all(|verb| script.contains(verb)), "{shell}");
    }
}
