//! `trace`: what it says, what it writes, how it ends.

use super::{code, files_in, folder, json, setaside, stderr, stdout};

const MSR: &str = "128166372003061629,hm,0,Read,0,4096,26
128166372013061629,hm,1,Write,512,65536,113
128166372023061629,hm,0,Write,4096,512,13
";

#[test]
fn the_answer_comes_first_and_fits_a_screen() {
    let (_keep, dir) = folder();
    std::fs::write(dir.join("hm.csv"), MSR).expect("written");
    let output = setaside(&dir, &["trace", "hm.csv"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let text = stdout(&output);
    let first = "hm.csv: 3 records of 2 devices in 2 s, 35.072 kB/s on average\n";
    assert!(text.starts_with(first), "{text}");
    for line in [
        "format              msr, plain\n",
        "reads               1 (33.3 %), 4.096 kB\n",
        "writes              2 (66.7 %), 66.048 kB\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let made = stdout(&setaside(&dir, &["trace", "--synthetic", "bias=0.8"]));
    for text in [text, made] {
        assert!(text.lines().count() <= 25, "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
    let data = json(&setaside(&dir, &["trace", "hm.csv", "--format", "json"]));
    assert_eq!((data["records"].as_u64(), data["reads"].as_u64()), (Some(3), Some(1)));
    assert_eq!(data["devices"], serde_json::json!(["hm/0", "hm/1"]));
    assert_eq!(
        (data["span_ns"].as_u64(), data["bytes"].as_u64()),
        (Some(2_000_000_000), Some(70_144))
    );
}

#[test]
fn a_trace_becomes_messages() {
    let (_keep, dir) = folder();
    std::fs::write(dir.join("hm.csv"), MSR).expect("written");
    let args = "trace hm.csv --to m.csv --nodes 4 --hosts 1 --compression 1000 --request-bytes 32";
    let args: Vec<&str> = args.split(' ').collect();
    let output = setaside(&dir, &args);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let line = "m.csv: 6 messages between 4 end nodes in 2 ms, 70.24 kB\n";
    assert_eq!(stdout(&output).replace("70.240", "70.24"), line);
    let expected = "id,time_ns,source,destination,bytes,after
0,0,0,1,32,
1,0,1,0,4096,0
2,1000000,0,2,65536,
3,1000000,2,0,32,2
4,2000000,0,1,512,
5,2000000,1,0,32,4
";
    assert_eq!(std::fs::read_to_string(dir.join("m.csv")).expect("written"), expected);
    let data = json(&setaside(&dir, &["trace", "m.csv", "--format", "json"]));
    assert_eq!((data["messages"].as_u64(), data["waiting"].as_u64()), (Some(6), Some(3)));
    // onto itself, packed, and from standard input
    let output = setaside(&dir, &["trace", "m.csv", "--to", "m.csv", "--nodes", "4"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(std::fs::read_to_string(dir.join("m.csv")).expect("written"), expected);
    let made = ["trace", "--synthetic", "devices=3", "--to", "s.csv.bz2", "--nodes", "6"];
    assert_eq!(code(&setaside(&dir, &made)), 0);
    let data = json(&setaside(&dir, &["trace", "s.csv.bz2", "--format", "json"]));
    assert_eq!((data["compression"].as_str(), data["sources"].as_u64()), (Some("bz2"), Some(6)));
}

/// "exit code 6 for bad trace input; a missing file is 2"
#[test]
fn how_it_ends() {
    let (_keep, dir) = folder();
    let write = |name: &str, text: &str| std::fs::write(dir.join(name), text).expect("written");
    write("good.csv", MSR);
    write("bad.csv", &MSR.replace("65536", "many"));
    write("cut.csv", &MSR[..MSR.len() - 8]);
    write("far.csv", "id,time_ns,source,destination,bytes,after\n0,0,9,1,64,\n");
    write("text.txt", "nothing of the kind\n");
    let cases = [
        ("trace good.csv", 0, ""),
        (
            "trace bad.csv",
            6,
            "bad.csv:2:35: error: Size `many`; expected: a whole number of bytes\n",
        ),
        (
            "trace cut.csv",
            6,
            "cut.csv:3:1: error: the file is cut off: the last line has no end and cannot be read: ",
        ),
        ("trace cut.csv --allow-truncated", 0, ""),
        (
            "trace text.txt",
            6,
            "text.txt: error: the format is not known from `nothing of the kind`; legal, ",
        ),
        (
            "trace good.csv --input-format srt",
            6,
            "good.csv: byte 0: error: no header of SRT; expected: ",
        ),
        (
            "trace far.csv --to m.csv --nodes 8",
            6,
            "far.csv:2:5: error: source `9`; expected: an end node, 0 to 7\n",
        ),
        ("trace none.csv", 2, "none.csv: error: cannot be opened: "),
        ("trace", 2, "error: the following required arguments were not provided:\n"),
        (
            "trace good.csv --input-format srtt",
            2,
            "error: invalid value 'srtt' for '--input-format <FORMAT>': unknown format `srtt`; legal: srt, msr, spc, blkparse, messages\n",
        ),
        (
            "trace good.csv --to m.csv",
            2,
            "error: the following required arguments were not provided:\n  --nodes <N>\n",
        ),
        ("trace good.csv --to m.csv --nodes 1", 2, "error: --nodes: 1; legal: 2 or more\n"),
        (
            "trace good.csv --to m.csv --nodes 4 --hosts 4",
            2,
            "error: --hosts: 4; legal: 1 to 3, of 4 nodes\n",
        ),
        (
            "trace good.csv --to m.csv --nodes 4 --request-bytes 0",
            2,
            "error: --request-bytes: 0; legal: 1 or more\n",
        ),
        (
            "trace good.csv --to no/m.csv --nodes 4",
            1,
            "error: --to no/m.csv: the directory no is not there; make it, or give another path\n",
        ),
        (
            "trace --synthetic bias=7",
            2,
            "error: invalid value 'bias=7' for '--synthetic <KEY=VALUE,...>': bias: 7; legal: 0.5 to 1\n",
        ),
    ];
    for (args, exit, told) in cases {
        let output = setaside(&dir, &args.split(' ').collect::<Vec<_>>());
        let text = stderr(&output);
        assert_eq!(code(&output), exit, "{args}: {text}");
        assert!(text.starts_with(told), "{args}: {text}");
    }
    let left = files_in(&dir);
    assert!(!left.iter().any(|name| name.starts_with("m.csv")), "{left:?}");
}
