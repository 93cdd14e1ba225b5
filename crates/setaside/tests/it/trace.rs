//! `trace`: what it prints, what it writes, how it ends.

use crate::common::{Folder, fits_a_screen, folder_with, names};
use serde_json::json;

const MSR: &str = "128166372003061629,hm,0,Read,0,4096,26
128166372013061629,hm,1,Write,512,65536,113
128166372023061629,hm,0,Write,4096,512,13
";

fn folder() -> Folder {
    folder_with(&[("hm.csv", MSR)])
}

#[test]
fn the_answer_comes_first_and_fits_a_screen() {
    let dir = folder();
    let text = dir.works("trace hm.csv").stdout;
    let first = "hm.csv: 3 records of 2 devices in 2 s, 35.072 kB/s on average\n";
    assert!(text.starts_with(first), "{text}");
    for line in [
        "format              msr, plain\n",
        "reads               1 (33.3 %), 4.096 kB\n",
        "writes              2 (66.7 %), 66.048 kB\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let made = dir.works("trace --synthetic bias=0.8").stdout;
    for text in [text, made] {
        fits_a_screen(&text);
    }
    let data = dir.works("trace hm.csv --format json").json();
    for (key, value) in [
        ("records", json!(3)),
        ("reads", json!(1)),
        ("devices", json!(["hm/0", "hm/1"])),
        ("span_ns", json!(2_000_000_000)),
        ("bytes", json!(70_144)),
    ] {
        assert_eq!(data[key], value, "{key}");
    }
}

#[test]
fn a_trace_becomes_messages() {
    let dir = folder();
    let to = "trace hm.csv --to m.csv --nodes 4 --hosts 1 --compression 1000 --request-bytes 32";
    let line = "m.csv: 6 messages between 4 end nodes in 2 ms, 70.24 kB\n";
    assert_eq!(dir.works(to).stdout.replace("70.240", "70.24"), line);
    let expected = "id,time_ns,source,destination,bytes,after
0,0,0,1,32,
1,0,1,0,4096,0
2,1000000,0,2,65536,
3,1000000,2,0,32,2
4,2000000,0,1,512,
5,2000000,1,0,32,4
";
    assert_eq!(dir.text("m.csv"), expected);
    let data = dir.works("trace m.csv --format json").json();
    assert_eq!((&data["messages"], &data["waiting"]), (&json!(6), &json!(3)));
    // onto itself, and packed
    dir.works("trace m.csv --to m.csv --nodes 4");
    assert_eq!(dir.text("m.csv"), expected);
    dir.works("trace --synthetic devices=3 --to s.csv.bz2 --nodes 6");
    let data = dir.works("trace s.csv.bz2 --format json").json();
    assert_eq!((&data["compression"], &data["sources"]), (&json!("bz2"), &json!(6)));
}

/// "exit code 6 for bad trace input; a missing file is 2"
#[test]
fn how_it_ends() {
    let dir = folder();
    dir.write("bad.csv", MSR.replace("65536", "many"));
    dir.write("cut.csv", &MSR[..MSR.len() - 8]);
    dir.write("far.csv", "id,time_ns,source,destination,bytes,after\n0,0,9,1,64,\n");
    dir.write("text.txt", "nothing of the kind\n");
    let missing = "error: the following required arguments were not provided:\n";
    for (args, exit, error) in [
        ("hm.csv", 0, ""),
        ("bad.csv", 6, "bad.csv:2:35: error: Size `many`; expected: a whole number of bytes\n"),
        (
            "cut.csv",
            6,
            "cut.csv:3:1: error: the file is cut off: the last line has no end and cannot be read: ",
        ),
        ("cut.csv --allow-truncated", 0, ""),
        (
            "text.txt",
            6,
            "text.txt: error: the format is not known from `nothing of the kind`; legal, ",
        ),
        ("hm.csv --input-format srt", 6, "hm.csv: byte 0: error: no header of SRT; expected: "),
        (
            "far.csv --to m.csv --nodes 8",
            6,
            "far.csv:2:5: error: source `9`; expected: an end node, 0 to 7\n",
        ),
        ("none.csv", 2, "none.csv: error: cannot be opened: "),
        ("", 2, missing),
        (
            "hm.csv --input-format srtt",
            2,
            "error: invalid value 'srtt' for '--input-format <FORMAT>': unknown format `srtt`; legal: srt, msr, spc, blkparse, messages\n",
        ),
        ("hm.csv --to m.csv", 2, &format!("{missing}  --nodes <N>\n")),
        ("hm.csv --to m.csv --nodes 1", 2, "error: --nodes: 1; legal: 2 or more\n"),
        (
            "hm.csv --to m.csv --nodes 4 --hosts 4",
            2,
            "error: --hosts: 4; legal: 1 to 3, of 4 nodes\n",
        ),
        (
            "hm.csv --to m.csv --nodes 4 --request-bytes 0",
            2,
            "error: --request-bytes: 0; legal: 1 or more\n",
        ),
        (
            "hm.csv --to no/m.csv --nodes 4",
            1,
            "error: --to no/m.csv: the directory no is not there; make it, or give another path\n",
        ),
        (
            "--synthetic bias=7",
            2,
            "error: invalid value 'bias=7' for '--synthetic <KEY=VALUE,...>': bias: 7; legal: 0.5 to 1\n",
        ),
    ] {
        let ran = dir.ends(exit, &format!("trace {args}"), &[]);
        assert!(ran.stderr.starts_with(error), "{args}: {}", ran.stderr);
    }
    let left = names(&dir);
    assert!(!left.iter().any(|name| name.starts_with("m.csv")), "{left:?}");
}
