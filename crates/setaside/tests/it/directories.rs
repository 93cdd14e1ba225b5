//! Where results go: what is replaced, what is refused, what stays.

use crate::common::{Ran, folder, names};
use std::fs;
use std::process::Stdio;

// "`run --out DIR` deletes an existing directory with the user's own files in it"
#[test]
fn files_of_others_in_a_run_directory_stay() {
    let dir = folder();
    dir.works("run tiny.toml --out r");
    let mine = ["r/notes.txt", "r/plots/fit.py", "r/trees.csv.bak"];
    mine.iter().for_each(|name| dir.write(name, "mine"));
    let all = "run tiny.toml --out r";
    for (exit, line) in [
        (0, all.to_string()),
        (0, format!("{all} --record")),
        (2, format!("{all} --seed 2")),
        (0, format!("{all} --seed 2 --force")),
        (0, "report r".to_string()),
    ] {
        let says: &[&str] = if exit == 2 { &["another scenario", "--force"] } else { &[] };
        dir.ends(exit, &line, says);
        assert!(mine.iter().all(|name| dir.text(name) == "mine"), "{line}");
        // they are of the run with --record alone
        assert_eq!(dir.has("r/trees.json"), line.contains("--record") || exit == 2, "{line}");
    }
}

#[test]
fn directory_that_is_no_run_is_refused_without_force() {
    let dir = folder();
    dir.write("thesis/thesis.tex", "mine");
    for verb in ["run tiny.toml", "sweep study.toml"] {
        let ran = dir.ends(2, &format!("{verb} --out thesis"), &["--force"]);
        assert!(ran.stdout.is_empty());
        assert_eq!(names(&dir.join("thesis")), ["thesis.tex"]);
    }
    dir.works("sweep study.toml --out thesis --force");
    assert!(dir.has("thesis/thesis.tex") && dir.has("thesis/results.csv"));
    // A sweep is no run, and with --force its files are in the way.
    dir.ends(2, "run tiny.toml --out thesis", &[]);
    let told = "thesis/latency.csv: is not of this run";
    dir.ends(2, "run tiny.toml --out thesis --force", &[told]);
}

// "files that are not the run's own are never touched": nor where the run would have one of that
// name.
#[test]
fn file_in_the_way_is_refused_before_the_run_even_with_force() {
    let dir = folder();
    for (verb, name) in [
        ("run tiny.toml", "summary.json"),
        ("run tiny.toml --record", "trees.json"),
        ("sweep study.toml", "results.csv"),
        ("sweep study.toml", "report.html"),
    ] {
        dir.write(&format!("with-{name}/{name}"), "mine");
        let long = format!("{verb} run.duration_ns=1_000_000_000 --force --out with-{name}");
        dir.ends(2, &long, &[name]);
        assert_eq!(names(&dir.join(format!("with-{name}"))), [name]);
    }
    dir.works("run tiny.toml --out r");
    dir.write("r/report.html", "mine");
    dir.ends(2, "report r", &["report.html"]);
    dir.works("run tiny.toml --out r");
    assert_eq!(dir.text("r/report.html"), "mine");
}

// "a run directory that is a point inside a sweep directory is refused without `--force`"
#[test]
fn point_of_a_sweep_is_no_place_for_a_run() {
    let dir = folder();
    dir.works("sweep study.toml --out s");
    let point = format!("s/runs/{}", names(&dir.join("s/runs"))[0]);
    let before = dir.whole_run(&point);
    for out in [&point, "s/runs/new"] {
        // even of the same scenario
        let line = format!("run {point}/scenario.toml --out {out}");
        dir.ends(2, &line, &["sweep", "--force"]);
    }
    assert_eq!(dir.whole_run(&point), before);
    dir.works(&format!("run tiny.toml --out {point} --force"));
    assert_ne!(dir.whole_run(&point), before);
    dir.ends(2, "sweep study.toml --out s", &["runs"]);
    dir.works("sweep study.toml --out s --force");
    assert_eq!(dir.whole_run(&point), before);
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_names_need_not_be_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let dir = folder();
    fs::create_dir(dir.join("disk")).expect("made");
    let name = OsStr::from_bytes(b"o\xff\xfe");
    for (verb, target) in [("run tiny.toml", "r"), ("sweep study.toml", "s")] {
        let link = format!("link-{target}");
        std::os::unix::fs::symlink(format!("disk/{target}"), dir.join(&link)).expect("made");
        for _ in 0..2 {
            dir.works(&format!("{verb} --out {link}"));
            assert!(fs::symlink_metadata(dir.join(&link)).is_ok_and(|meta| meta.is_symlink()));
            assert!(dir.has(&format!("disk/{target}/manifest.json")));
            let output = dir.program(verb).arg("--out").arg(name).output();
            assert_eq!(Ran::from(output.expect("it starts")).exit, 0);
        }
        dir.works(&format!("report {link}"));
        assert!(dir.has(&format!("disk/{target}/report.html")));
        assert!(dir.join(name).join("manifest.json").exists());
        let output = dir.program("report").arg(name).output().expect("it starts");
        assert_eq!(output.stdout, [name.as_bytes(), b"/report.html\n"].concat());
        assert!(output.status.success());
        fs::remove_dir_all(dir.join(name)).expect("it is there");
    }
    assert_eq!(names(&dir), ["disk", "link-r", "link-s", "study.toml", "tiny.toml"]);
}

// "two processes writing to one `--out` at once do not mix"
#[test]
fn processes_that_write_to_one_directory_do_not_mix() {
    let dir = folder();
    let run = |seed: u32, out: &str| format!("run tiny.toml --seed {seed} --force --out {out}");
    let whole = (1..=6).map(|seed| {
        dir.works(&run(seed, "alone"));
        dir.whole_run("alone")
    });
    let whole: Vec<_> = whole.collect();
    for _ in 0..10 {
        let children = (1..=6).map(|seed| {
            let mut command = dir.program(&run(seed, "r"));
            command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts")
        });
        let mut worked = 0;
        for child in children.collect::<Vec<_>>() {
            let ran = Ran::from(child.wait_with_output().expect("it ends"));
            worked += u32::from(ran.exit == 0);
            assert!(ran.exit == 0 || ran.stderr.contains("writes here"), "{}", ran.stderr);
        }
        assert!(worked > 0);
        let found = dir.whole_run("r");
        assert!(found.is_some() && whole.contains(&found));
        assert_eq!(names(&dir.join("r")).len(), 7);
    }
    assert_eq!(names(&dir), ["alone", "r", "study.toml", "tiny.toml"]);
}
