//! Where results go: what is replaced, what is refused, what stays.

use crate::common::{code, folder, names, program, setaside, stderr, whole_run, works};
use std::fs;
use std::path::Path;
use std::process::Stdio;

fn refused(dir: &Path, args: &[&str]) -> String {
    let output = setaside(dir, args);
    assert_eq!(code(&output), 2, "{args:?}: {}", stderr(&output));
    assert!(output.stdout.is_empty());
    stderr(&output)
}

// "`run --out DIR` deletes an existing directory with the user's own files in it"
#[test]
fn files_of_others_in_a_run_directory_stay() {
    let (_keep, dir) = folder();
    works(&dir, &["run", "tiny.toml", "--out", "r"]);
    fs::create_dir(dir.join("r/plots")).expect("made");
    let mine = ["notes.txt", "plots/fit.py", "trees.csv.bak"];
    for name in mine {
        fs::write(dir.join("r").join(name), "mine").expect("written");
    }
    let kept = || {
        let read = |name| fs::read_to_string(dir.join("r").join(name)).is_ok_and(|t| t == "mine");
        assert!(mine.iter().all(read), "{:?}", names(&dir.join("r")));
    };
    works(&dir, &["run", "tiny.toml", "--out", "r"]);
    kept();
    works(&dir, &["run", "tiny.toml", "--out", "r", "--record"]);
    kept();
    assert!(dir.join("r/trees.json").exists());
    let told = refused(&dir, &["run", "tiny.toml", "--seed", "2", "--out", "r"]);
    assert!(told.contains("another scenario") && told.contains("--force"), "{told}");
    kept();
    works(&dir, &["run", "tiny.toml", "--seed", "2", "--out", "r", "--force"]);
    kept();
    assert!(!dir.join("r/trees.json").exists(), "it was of the earlier run");
    works(&dir, &["report", "r"]);
    kept();
}

#[test]
fn directory_that_is_no_run_is_refused_without_force() {
    let (_keep, dir) = folder();
    fs::create_dir(dir.join("thesis")).expect("made");
    fs::write(dir.join("thesis/thesis.tex"), "mine").expect("written");
    for verb in [["run", "tiny.toml"], ["sweep", "study.toml"]] {
        let args = [&verb[..], &["--out", "thesis"]].concat();
        assert!(refused(&dir, &args).contains("--force"));
        assert_eq!(names(&dir.join("thesis")), ["thesis.tex"]);
    }
    works(&dir, &["sweep", "study.toml", "--out", "thesis", "--force"]);
    assert!(dir.join("thesis/thesis.tex").exists() && dir.join("thesis/results.csv").exists());
    // A sweep is no run, and with --force its files are in the way.
    refused(&dir, &["run", "tiny.toml", "--out", "thesis"]);
    let told = refused(&dir, &["run", "tiny.toml", "--out", "thesis", "--force"]);
    assert!(told.contains("thesis/latency.csv: is not of this run"), "{told}");
}

// "files that are not the run's own are never touched": nor where the run would have one of that
// name.
#[test]
fn file_in_the_way_is_refused_before_the_run_even_with_force() {
    let (_keep, dir) = folder();
    let long = ["--set", "run.duration_ns=1_000_000_000", "--force", "--out"];
    for (name, more) in [("summary.json", None), ("trees.json", Some("--record"))] {
        let out = format!("with-{name}");
        fs::create_dir(dir.join(&out)).expect("made");
        fs::write(dir.join(&out).join(name), "mine").expect("written");
        let mut args = [&["run", "tiny.toml"], &long[..], &[&out]].concat();
        args.extend(more);
        assert!(refused(&dir, &args).contains(name));
    }
    for name in ["results.csv", "report.html"] {
        let out = format!("with-{name}");
        fs::create_dir(dir.join(&out)).expect("made");
        fs::write(dir.join(&out).join(name), "mine").expect("written");
        let args = [&["sweep", "study.toml"], &long[..], &[&out]].concat();
        assert!(refused(&dir, &args).contains(name));
        assert_eq!(names(&dir.join(&out)), [name]);
    }
    works(&dir, &["run", "tiny.toml", "--out", "r"]);
    fs::write(dir.join("r/report.html"), "mine").expect("written");
    assert!(refused(&dir, &["report", "r"]).contains("report.html"));
    works(&dir, &["run", "tiny.toml", "--out", "r"]);
    assert_eq!(fs::read_to_string(dir.join("r/report.html")).expect("kept"), "mine");
}

// "a run directory that is a point inside a sweep directory is refused without `--force`"
#[test]
fn point_of_a_sweep_is_no_place_for_a_run() {
    let (_keep, dir) = folder();
    works(&dir, &["sweep", "study.toml", "--out", "s"]);
    let point = format!("s/runs/{}", names(&dir.join("s/runs"))[0]);
    let before = whole_run(&dir.join(&point));
    let scenario = format!("{point}/scenario.toml"); // even of the same scenario
    for out in [point.as_str(), "s/runs/new"] {
        let told = refused(&dir, &["run", &scenario, "--out", out]);
        assert!(told.contains("sweep") && told.contains("--force"), "{told}");
    }
    assert_eq!(whole_run(&dir.join(&point)), before);
    works(&dir, &["run", "tiny.toml", "--out", &point, "--force"]);
    assert_ne!(whole_run(&dir.join(&point)), before);
    assert!(refused(&dir, &["sweep", "study.toml", "--out", "s"]).contains("runs"));
    works(&dir, &["sweep", "study.toml", "--out", "s", "--force"]);
    assert_eq!(whole_run(&dir.join(&point)), before);
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_names_need_not_be_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let (_keep, dir) = folder();
    fs::create_dir(dir.join("disk")).expect("made");
    for (verb, target) in [(["run", "tiny.toml"], "r"), (["sweep", "study.toml"], "s")] {
        let link = format!("link-{target}");
        std::os::unix::fs::symlink(format!("disk/{target}"), dir.join(&link)).expect("made");
        for _ in 0..2 {
            works(&dir, &[&verb[..], &["--out", &link]].concat());
            assert!(fs::symlink_metadata(dir.join(&link)).is_ok_and(|meta| meta.is_symlink()));
            assert!(dir.join("disk").join(target).join("manifest.json").exists());
        }
        works(&dir, &["report", &link]);
        assert!(dir.join("disk").join(target).join("report.html").exists());

        let name = OsStr::from_bytes(b"o\xff\xfe");
        for _ in 0..2 {
            let output = program(&dir).args(verb).arg("--out").arg(name).output();
            assert_eq!(code(&output.expect("it starts")), 0);
        }
        assert!(dir.join(name).join("manifest.json").exists());
        let output = program(&dir).arg("report").arg(name).output().expect("it starts");
        let path = [name.as_bytes(), b"/report.html\n"].concat();
        assert_eq!((code(&output), &output.stdout), (0, &path));
        fs::remove_dir_all(dir.join(name)).expect("it is there");
    }
    assert_eq!(names(&dir), ["disk", "link-r", "link-s", "study.toml", "tiny.toml"]);
}

// "two processes writing to one `--out` at once do not mix"
#[test]
fn processes_that_write_to_one_directory_do_not_mix() {
    let (_keep, dir) = folder();
    let seeds = ["1", "2", "3", "4", "5", "6"];
    let mut whole = Vec::new();
    for seed in seeds {
        works(&dir, &["run", "tiny.toml", "--seed", seed, "--force", "--out", "alone"]);
        whole.push(whole_run(&dir.join("alone")));
    }
    for _ in 0..10 {
        let children: Vec<_> = seeds
            .iter()
            .map(|seed| {
                program(&dir)
                    .args(["run", "tiny.toml", "--seed", seed, "--force", "--out", "r"])
                    .stdout(Stdio::null())
                    .stderr(Stdio::piped())
                    .spawn()
                    .expect("it starts")
            })
            .collect();
        let mut worked = 0;
        for child in children {
            let output = child.wait_with_output().expect("it ends");
            match code(&output) {
                0 => worked += 1,
                _ => assert!(stderr(&output).contains("writes here"), "{}", stderr(&output)),
            }
        }
        assert!(worked > 0);
        let found = whole_run(&dir.join("r"));
        assert!(found.is_some() && whole.contains(&found));
        assert_eq!(names(&dir.join("r")).len(), 7);
    }
    assert_eq!(names(&dir), ["alone", "r", "study.toml", "tiny.toml"]);
}
