//! `[workload.trace]` and `--record-messages`: replays, and errors before the first tick.

use crate::common::folder;

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
    let dir = folder();
    dir.write("asks.toml", REQUESTS);
    dir.write("again.toml", replay("file = \"messages.csv\""));
    dir.works("run asks.toml --out a --record-messages messages.csv");
    for engine in ["fast", "reference"] {
        dir.works(&format!("run again.toml --out {engine} --engine {engine}"));
        let [once, again] = ["a", engine].map(|out| dir.json(&format!("{out}/summary.json")));
        for key in
            ["offered_bytes_per_ns", "delivered_bytes_per_ns", "packets_delivered", "packet_hops"]
        {
            assert!(!once[key].is_null(), "{key}");
            assert_eq!(once[key], again[key], "{engine}: {key}");
        }
    }
    // Its times are ticks, which are printed as such and never taken for ns.
    let printed = dir.works("trace messages.csv").stdout;
    assert!(printed.contains(" ticks\n") && !printed.contains("mean rate"), "{printed}");
    dir.ends(2, "trace messages.csv --to ns.csv --nodes 16", &[]);
    assert!(!dir.has("ns.csv"));
    let text = dir.text("messages.csv");
    let waits = text.lines().skip(1).filter(|line| !line.ends_with(',')).count();
    assert!(waits > 100, "{waits} replies");
}

/// "A truncated last record is reported and the rest used only with" the option, or its key.
#[test]
fn a_trace_that_is_cut_off_is_used_if_that_is_allowed() {
    let dir = folder();
    dir.write("t.csv", "id,time_ns,source,destination,bytes,after\n0,0,1,2,64,\n1,9,1");
    let key = "\nallow_truncated = true";
    for (lines, option, exit) in
        [("", "--force", 6), ("", "--allow-truncated", 0), (key, "--force", 0)]
    {
        dir.write("again.toml", replay(&format!("file = \"t.csv\"{lines}")));
        dir.ends(exit, &format!("run again.toml --out r {option}"), &["cut off"]);
    }
    assert_eq!(dir.json("r/summary.json")["packets_delivered"], 1);
}

/// Exit 6 and a place for an error of a trace, 2 for one of the scenario; no directory is left.
#[test]
fn what_is_wrong_is_reported_before_the_first_tick() {
    let dir = folder();
    let file = "file = \"t.csv\"";
    let good = "0,0,1,2,64,\n";
    for (messages, lines, exit, parts) in [
        ("0,0,1,16,64,\n", file, 6, "t.csv:2:7"),
        ("0,0,1,2,64,\n1,5,1,3,99999999,\n", file, 6, "99999999 bytes"),
        (good, "file = \"t.csv\"\nhosts = 16", 2, "hosts"),
        (good, "file = \"t.csv\"\nhosts = \"all\"\ndevices = \"0-7\"", 2, "devices"),
        (good, "file = \"no.csv\"", 2, "no.csv"),
        (good, "file = \"t.csv\"\ndigest = \"0\"", 2, "digest"),
        (good, "hosts = 3", 2, "has no effect"),
        ("", "synthetic = \"bias=0.2\"", 2, "0.5 to 1"),
        ("", "synthetic = \"bias=0.6\"\nfile = \"t.csv\"", 2, "both"),
    ] {
        dir.write("t.csv", format!("id,time_ns,source,destination,bytes,after\n{messages}"));
        dir.write("again.toml", replay(lines));
        dir.ends(exit, "run again.toml --out r", &[parts]);
        assert!(!dir.has("r/summary.json"), "{lines}");
    }
}
