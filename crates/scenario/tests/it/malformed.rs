//! Everything that can be wrong with a file, with the exact text that the user sees. One snapshot a
//! file of `malformed/`.
//!
//! `INSTA_UPDATE=always cargo test -p scenario --test it malformed` writes the snapshots anew; read
//! each as a user would.

use crate::{files, root};
use scenario::{Scenario, Set, Study};
use std::fs;
use std::path::{Path, PathBuf};

fn dir(kind: &str) -> PathBuf {
    root("tests/malformed").join(kind)
}

/// The name of each file.
fn cases(kind: &str) -> Vec<String> {
    let name = |path: PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    let names = files(&dir(kind)).into_iter().map(name);
    names.filter(|name| name != "base.toml" && name != "wrong.toml").collect()
}

/// Compares with the snapshot; paths of this machine are no part of it.
fn pin(kind: &str, name: &str, text: &str) {
    let here = format!("{}/", dir(kind).display());
    let text = text.replace(&here, "");
    insta::with_settings!({ snapshot_path => format!("../malformed/{kind}/expected"), prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name.trim_end_matches(".toml"), text);
    });
}

fn refused(path: &Path, sets: &[Set]) -> String {
    let name = path.file_name().unwrap().to_str().unwrap();
    match Scenario::load(path, sets).and_then(|scenario| scenario.build()) {
        Ok(_) => panic!("{name} was accepted"),
        Err(errors) => errors.to_string(),
    }
}

#[test]
fn scenarios() {
    let cases = cases("scenario");
    assert!(cases.len() >= 215, "{}", cases.len());
    for name in cases {
        pin("scenario", &name, &refused(&dir("scenario").join(&name), &[]));
    }
}

#[test]
fn studies() {
    for name in cases("study") {
        match Study::load(&dir("study").join(&name), &[]) {
            Ok(_) => panic!("{name} was accepted"),
            Err(errors) => pin("study", &name, &errors.to_string()),
        }
    }
}

// "errors name `--set key.path` instead of file:line"
#[test]
fn sets() {
    for (name, set) in [
        ("unknown-key", "switch.scheem=recn"),
        ("unknown-section", "swich.scheme=recn"),
        ("unknown-word", "switch.scheme=recm"),
        ("below-range", "switch.speedup=0.9"),
        ("wrong-type", "network.nodes=many"),
        ("no-value", "recn.saqs="),
        ("section", "switch=recn"),
        ("not-a-section", "run.seed.x=1"),
        ("empty-part", "switch..scheme=recn"),
        ("too-deep", &format!("{}=1", vec!["a"; 100_000].join("."))),
        ("deep-value", &format!("network.nodes={}", "[".repeat(100_000))),
        ("combination", "switch.organisation=iq"),
        ("no-such-group", "workload.group.0.load=1"),
        // "say what is legal in words of the key", not of what holds its value
        ("too-large", "run.duration_ns=1e30"),
        ("too-large-share", "workload.load=1e30"),
        ("too-large-rate", "link.rate_bytes_per_ns=1e30"),
        ("too-small", "link.wire_ns=1e-300"),
        ("too-many-digits", "switch.speedup=\"1.000000000000000000000001\""),
        ("too-fine", "workload.load=\"1/98765432109876543210987\""),
        ("too-fine-load", "workload.load=1e-18"),
        ("huge-number", &format!("link.wire_ns={}", "9".repeat(50))),
        ("long-value", &format!("switch.scheme={}", "x".repeat(10_000))),
    ] {
        pin("set", name, &refused(&dir("study").join("base.toml"), &[set.parse().unwrap()]));
    }
    assert_eq!(
        "switch".parse::<Set>().unwrap_err().to_string(),
        "`switch` sets no key; legal: key.path=VALUE, such as switch.scheme=recn"
    );
}

#[test]
fn files_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let here = format!("{}/", folder.path().display());
    let missing = refused(&folder.path().join("missing.toml"), &[]).replace(&here, "");
    pin("file", "missing", &missing);
    let bytes = folder.path().join("bytes.toml");
    fs::write(&bytes, b"[network]\ntopology = \"bm\xffin\"\n").unwrap();
    pin("file", "not-utf8", &refused(&bytes, &[]).replace(&here, ""));
    let long = folder.path().join("long.toml");
    fs::write(&long, format!("[network]\n{}topology = \"bmi\"\n", " ".repeat(100_000))).unwrap();
    pin("file", "long-line", &refused(&long, &[]).replace(&here, ""));
}
