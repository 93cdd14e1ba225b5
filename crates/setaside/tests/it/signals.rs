//! Requests to end.

use crate::common::{folder, send, start};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// A run of minutes, once it is at work.
fn at_work(mut child: Child) -> Child {
    std::thread::sleep(Duration::from_millis(700));
    assert!(child.try_wait().expect("a state").is_none(), "at work");
    child
}

/// "130 interrupted": a run and a sweep end soon after SIGTERM, with what is finished in place and
/// no lock left; after a hangup that is not ignored too.
#[test]
fn request_to_end_is_met_soon() {
    let dir = folder();
    for (signal, verb) in [("TERM", "run tiny"), ("TERM", "sweep study"), ("HUP", "sweep study")] {
        // A test run that was itself started to ignore hangups hands that on, and nothing but a
        // program of its own takes it back.
        let own = Command::new("sh").args(["-c", &format!("kill -{signal} $$")]).status();
        if own.is_ok_and(|status| status.success()) {
            continue;
        }
        let line = format!("{verb}.toml run.duration_ns=100_000_000 --out {signal}");
        let mut child = at_work(dir.start(&line));
        let asked = Instant::now();
        send(&format!("-{signal}"), &child);
        assert_eq!(child.wait().expect("a state").code(), Some(130), "{line}");
        assert!(asked.elapsed().as_secs() < 5, "{line}");
        if verb == "sweep study" {
            let has = |name: &str| dir.has(&format!("{signal}/{name}"));
            assert!(has("results.csv") && !has("sweep.lock"), "{line}");
        }
    }
}

/// Started to outlive its terminal (as `nohup` does): a hangup ends nothing, SIGTERM still ends the
/// run in order.
#[cfg(target_os = "linux")]
#[test]
fn ignored_hangup_stays_ignored() {
    let dir = folder();
    let ignoring = "trap '' HUP; exec \"$0\" run tiny.toml run.duration_ns=100_000_000 --out out";
    let mut shell = Command::new("sh");
    shell.current_dir(&*dir).args(["-c", ignoring, env!("CARGO_BIN_EXE_setaside")]);
    let mut child = at_work(start(&mut shell));
    send("-HUP", &child);
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().expect("a state").is_none(), "at work");
    send("-TERM", &child);
    assert_eq!(child.wait().expect("a state").code(), Some(130));
}
