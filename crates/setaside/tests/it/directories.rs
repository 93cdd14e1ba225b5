//! Where results go: what is replaced, what is refused, what stays.

use crate::common::{Ran, folder, names};
use std::fs;
use std::process::Stdio;

// "`run --out DIR` deletes an existing directory with the user's own files in it"; "files that are
// not the run's own are never touched"; "a run directory that is a point inside a sweep directory
// is refused without `--force`". What is refused is so before its time is spent: `LONG` takes days.
#[test]
fn results_give_way_to_force_alone_and_files_of_others_to_nothing() {
    let dir = folder();
    dir.works("sweep study.toml --out s");
    let before = dir.whole_run("s/runs/00-1");
    let mine = [
        "r/notes.txt",
        "r/plots/fit.py",
        "thesis/thesis.tex",
        "page/report.html",
        "point/summary.json",
        "trees/trees.json",
        "results/results.csv",
    ];
    mine.iter().for_each(|name| dir.write(name, "mine"));
    for (exit, line, part) in [
        (2, "run tiny.toml LONG --out r", "--force"),
        (0, "run tiny.toml --record --force --out r", ""),
        (0, "run tiny.toml --record --out r", ""),
        (2, "run tiny.toml LONG --out r", "another scenario"),
        (0, "run tiny.toml --seed 2 --force --out r", ""),
        (0, "report r", ""),
        (2, "sweep study.toml LONG --out thesis", "--force"),
        (0, "sweep study.toml --out thesis --force", ""),
        (2, "run tiny.toml LONG --out thesis", "--force"),
        (2, "run tiny.toml LONG --out thesis --force", "latency.csv: is not of this run"),
        (2, "sweep study.toml LONG --force --out page", "report.html"),
        (0, "run tiny.toml --force --out page", ""),
        (2, "report page", "report.html"),
        (0, "run tiny.toml --out page", ""),
        (2, "run tiny.toml LONG --force --out point", "summary.json"),
        (2, "run tiny.toml LONG --record --force --out trees", "trees.json"),
        (2, "sweep study.toml LONG --force --out results", "results.csv"),
        // even of the same scenario
        (2, "run s/runs/00-1/scenario.toml --out s/runs/00-1", "sweep"),
        (2, "run tiny.toml LONG --out s/runs/new", "--force"),
        (0, "run tiny.toml --out s/runs/00-1 --force", ""),
        (2, "sweep study.toml --out s", "runs"),
        (0, "sweep study.toml --out s --force", ""),
    ] {
        let place = line.rsplit(' ').find(|word| !word.starts_with("--")).expect("a place");
        let held = || dir.has(place).then(|| names(&dir.join(place)));
        let before = held();
        let line = line.replace("LONG", "run.duration_ns=1_000_000_000");
        let ran = dir.ends(exit, &line, &[part]);
        assert!(exit == 0 || held() == before, "{line}");
        assert!(exit == 0 || ran.stdout.is_empty(), "{line}");
        assert!(mine.iter().all(|name| dir.text(name) == "mine"), "{line}");
    }
    assert!(!dir.has("r/trees.json"), "it was of the run with --record alone");
    assert_eq!(dir.whole_run("s/runs/00-1"), before);
    for name in ["point", "trees", "results"] {
        assert_eq!(names(&dir.join(name)).len(), 1, "{name}");
    }
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
