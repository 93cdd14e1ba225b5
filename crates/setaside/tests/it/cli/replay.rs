//! `[workload.trace]` and `--record-messages`: what is recorded is replayed, and what is wrong is
//! said before the first tick.

use crate::common::{code, folder, json, setaside, stderr, works};
use std::fs;

/// Requests with replies beside plain traffic, in a network with SAQs.
const REQUESTS: &str = "network.topology = \"bmin\"\nnetwork.nodes = 16\nswitch.scheme = \"recn\"\n\
    endnode.admittance_bytes = \"unbounded\"\nworkload.load = 0.4\nrun.duration_ns = 20_000\n\
    [[workload.group]]\nname = \"ask\"\nsources = 4\ndestinations = 5\nload = 0.2\n\
    reply_bytes = 200\nreply_delay_ns = 100\n";

fn replay(lines: &str) -> String {
    format!(
        "network.topology = \"bmin\"\nnetwork.nodes = 16\nswitch.scheme = \"recn\"\n\
         run.duration_ns = 20_000\n[workload.trace]\n{lines}\n"
    )
}

/// "any workload can be replayed": each packet of the replay meets what it met in the run that was
/// recorded, replies wait for their requests as they did.
#[test]
fn replay_of_a_recorded_run_is_that_run() {
    let (_guard, dir) = folder();
    fs::write(dir.join("asks.toml"), REQUESTS).expect("written");
    let replayed = replay("file = \"messages.csv\"");
    fs::write(dir.join("again.toml"), replayed).expect("written");
    works(&dir, &["run", "asks.toml", "--out", "a", "--record-messages", "messages.csv"]);
    for engine in ["fast", "reference"] {
        works(&dir, &["run", "again.toml", "--out", engine, "--engine", engine]);
        let (once, again) =
            (json(&dir.join("a/summary.json")), json(&dir.join(engine).join("summary.json")));
        for key in
            ["offered_bytes_per_ns", "delivered_bytes_per_ns", "packets_delivered", "packet_hops"]
        {
            assert!(!once[key].is_null(), "{key}");
            assert_eq!(once[key], again[key], "{engine}: {key}");
        }
    }
    let text = fs::read_to_string(dir.join("messages.csv")).expect("a trace");
    // Its times are ticks, which are told as such and never taken for ns.
    let told = works(&dir, &["trace", "messages.csv"]);
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(told.contains(" ticks\n") && !told.contains("mean rate"), "{told}");
    let to = ["trace", "messages.csv", "--to", "ns.csv", "--nodes", "16"];
    assert_eq!(code(&setaside(&dir, &to)), 2);
    assert!(!dir.join("ns.csv").exists());
    let waits = text.lines().skip(1).filter(|line| !line.ends_with(',')).count();
    assert!(waits > 100, "{waits} replies");
}

/// "A truncated last record is reported and the rest used only with" the option, or its key.
#[test]
fn a_trace_that_is_cut_off_is_used_if_that_is_allowed() {
    let (_guard, dir) = folder();
    let cut = "id,time_ns,source,destination,bytes,after\n0,0,1,2,64,\n1,9,1";
    fs::write(dir.join("t.csv"), cut).expect("written");
    let key = "\nallow_truncated = true";
    for (lines, option, exit) in
        [("", "--force", 6), ("", "--allow-truncated", 0), (key, "--force", 0)]
    {
        let scenario = replay(&format!("file = \"t.csv\"{lines}"));
        fs::write(dir.join("again.toml"), scenario).expect("written");
        let output = setaside(&dir, &["run", "again.toml", "--out", "r", option]);
        assert_eq!(code(&output), exit, "{}", stderr(&output));
        assert!(stderr(&output).contains("cut off"), "{}", stderr(&output));
    }
    assert_eq!(json(&dir.join("r/summary.json"))["packets_delivered"], 1);
}

/// Exit 6 and a place for what is wrong in a trace, 2 for what is wrong in the scenario; no run
/// directory is left.
#[test]
fn what_is_wrong_is_said_before_the_first_tick() {
    const HEAD: &str = "id,time_ns,source,destination,bytes,after\n";
    let (_guard, dir) = folder();
    let trace = |lines: &str| format!("{HEAD}{lines}");
    let cases = [
        (trace("0,0,1,16,64,\n"), "file = \"t.csv\"", 6, "t.csv:2:7"),
        (trace("0,0,1,2,64,\n1,5,1,3,99999999,\n"), "file = \"t.csv\"", 6, "99999999 bytes"),
        (trace("0,0,1,2,64,\n"), "file = \"t.csv\"\nhosts = 16", 2, "hosts"),
        (
            trace("0,0,1,2,64,\n"),
            "file = \"t.csv\"\nhosts = \"all\"\ndevices = \"0-7\"",
            2,
            "devices",
        ),
        (trace("0,0,1,2,64,\n"), "file = \"no.csv\"", 2, "no.csv"),
        (trace("0,0,1,2,64,\n"), "file = \"t.csv\"\ndigest = \"0\"", 2, "digest"),
        (trace("0,0,1,2,64,\n"), "hosts = 3", 2, "has no effect"),
        (trace(""), "synthetic = \"bias=0.2\"", 2, "0.5 to 1"),
        (trace(""), "synthetic = \"bias=0.6\"\nfile = \"t.csv\"", 2, "both"),
    ];
    for (text, lines, exit, says) in cases {
        fs::write(dir.join("t.csv"), text).expect("written");
        fs::write(dir.join("again.toml"), replay(lines)).expect("written");
        let output = setaside(&dir, &["run", "again.toml", "--out", "r"]);
        assert_eq!(code(&output), exit, "{lines}: {}", stderr(&output));
        assert!(stderr(&output).contains(says), "{lines}: {}", stderr(&output));
        assert!(!dir.join("r/summary.json").exists(), "{lines}");
    }
}
