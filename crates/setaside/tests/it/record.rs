//! `setaside run --record` on the command line.

use std::path::Path;
use std::process::Command;

fn run(out: &Path, more: &[&str]) -> std::process::Output {
    let scenario = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../scenarios/garcia-trees-2005/evolution-2b.toml");
    Command::new(env!("CARGO_BIN_EXE_setaside"))
        .arg("run")
        .arg(scenario)
        .args(["--set", "run.duration_ns=40000", "--out"])
        .arg(out)
        .args(more)
        .output()
        .expect("it starts")
}

// "Recording ... as observers that cost nothing when off": without the option nothing of it is
// there, with it results are the same.
#[test]
fn record_adds_files_and_changes_none() {
    let dir = tempfile::tempdir().expect("a directory");
    let (plain, recorded) = (dir.path().join("plain"), dir.path().join("recorded"));
    assert!(run(&plain, &[]).status.success());
    assert!(run(&recorded, &["--record"]).status.success());
    for name in ["series.csv", "flows.csv", "latency.csv", "scenario.toml"] {
        let read = |d: &Path| std::fs::read(d.join(name)).expect("a result");
        assert_eq!(read(&plain), read(&recorded), "{name}");
    }
    let more = ["trees.csv", "trees.json", "cam.csv", "ports.csv", "topology.json"];
    for name in more {
        assert!(!plain.join(name).exists(), "{name}");
        let text = std::fs::read_to_string(recorded.join(name)).expect("a record");
        assert!(text.lines().count() >= 1 && text.len() > 100, "{name}");
    }
    let json = std::fs::read_to_string(recorded.join("trees.json")).expect("a record");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["trees"][0]["root"], "fabric.switch0.out3");
    assert_eq!(json["trees"][0]["first_seen"], "egress");
}

// A name is any text: files of results stay tables.
#[test]
fn a_group_with_a_comma_in_its_name_has_a_page() {
    let dir = tempfile::tempdir().expect("a directory");
    let out = dir.path().join("run");
    let named = ["--set", "workload.group.0.name=hot, \"late\""];
    let output = run(&out, &[&named[..], &["--record"]].concat());
    assert!(output.status.success(), "{output:?}");
    let text = std::fs::read_to_string(out.join("latency.csv")).expect("latencies");
    assert!(text.contains(r#"measured,group,"hot, ""late""","#), "{text}");
    let page = report::render(&out).expect("a page");
    assert!(page.contains("group hot, &quot;late&quot;"));
}

#[test]
fn interval_needs_record() {
    let dir = tempfile::tempdir().expect("a directory");
    let output = run(dir.path(), &["--record-interval-ns", "100"]);
    assert_eq!(output.status.code(), Some(2));
}

// The page is made of what a real run writes: of each layout one.
#[test]
fn page_shows_the_recording_on_its_topology() {
    let layouts = [
        ("garcia-trees-2005/case-4", "layers"),
        ("garcia-mesh-2005/config-5-case-2", "grid"),
        ("lai-rsi/br-hot-spot", "rings"),
        ("garcia-trees-2005/evolution-2b", "circle"),
    ];
    for (scenario, layout) in layouts {
        let dir = tempfile::tempdir().expect("a directory");
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
        let mut run = Command::new(env!("CARGO_BIN_EXE_setaside"));
        run.arg("run").arg(file.join(format!("{scenario}.toml")));
        let short = ["--set", "run.duration_ns=40000", "--set", "run.warmup_ns=0"];
        run.args(short).args(["--record", "--force", "--out"]);
        let output = run.arg(dir.path()).output().expect("it starts");
        assert!(output.status.success(), "{output:?}");
        let text = std::fs::read_to_string(dir.path().join("topology.json")).expect("a file");
        let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(json["layout"], layout);
        let count = |key: &str| json[key].as_array().map_or(0, Vec::len);
        assert_eq!(count("layers"), count("switches"));
        assert!(count("links") >= count("nodes"), "{scenario}");
        let svg = dir.path().join("figures");
        let output = Command::new(env!("CARGO_BIN_EXE_setaside"))
            .arg("figures")
            .arg(dir.path())
            .arg("--out")
            .arg(&svg)
            .output()
            .expect("it starts");
        assert!(output.status.success(), "{output:?}");
        assert!(svg.join("ports-0.svg").is_file() && svg.join("latency-0.svg").is_file());
        // the others have no trees yet, or none at all
        assert!(svg.join("trees-0.svg").is_file() || layout != "circle");
    }
}
