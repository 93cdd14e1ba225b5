//! Requests to end.

use super::{STUDY, folder};
use std::path::Path;
use std::process::Command;

/// A run that takes minutes and is at work when this returns.
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

fn send(signal: &str, child: &std::process::Child) {
    let kill = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(kill.is_ok_and(|s| s.success()));
}

/// "130 interrupted": a run and a sweep end soon after SIGTERM, with what is finished in place and
/// no lock left.
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
    let ignoring = ["-c", "trap '' HUP; exec \"$0\" \"$@\"", program, "run", "small.toml"];
    let mut child = long_run("sh", &ignoring, &dir);
    send("-HUP", &child);
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(child.try_wait().expect("a state").is_none(), "at work");
    send("-TERM", &child);
    assert_eq!(child.wait().expect("a state").code(), Some(130));
}
