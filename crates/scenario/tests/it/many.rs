//! Files with any number of mistakes, and files that are no scenario: errors are short and soon.

use scenario::{FILE_BYTES_MAX, Input, Scenario, Study};
use std::time::{Duration, Instant};

const BASE: &str = "[network]\ntopology = \"bmin\"\nnodes = 16\n[workload]\nload = 0.5\n[run]\nduration_ns = 10_000\n";
/// Below a second in linear time on an idle machine; when it was quadratic, 59 s.
const SOON: Duration = Duration::from_secs(20);
const MANY: usize = 50_000;

fn lines(line: impl Fn(usize) -> String) -> String {
    (0..MANY).map(line).collect()
}

fn scenario(text: &str) -> String {
    // What is wrong with a list of nodes is found where the sources are made.
    match Scenario::parse(text, "x.toml", None, &[]).and_then(|scenario| scenario.build()) {
        Ok(_) => panic!("accepted"),
        Err(errors) => errors.to_string(),
    }
}

fn study(text: &str) -> String {
    let text = format!("[study]\nname = \"s\"\nscenario = \"base.toml\"\n[axes]\n{text}");
    match Study::parse(&text, "x.toml", &|_| Some(BASE.to_owned()), &[]) {
        Ok(_) => panic!("accepted"),
        Err(errors) => errors.to_string(),
    }
}

// "unknown keys cost quadratic time (50,000: 59 s, 10 MB of stderr): at most 20 errors shown, the
// rest counted"
#[test]
fn first_twenty_errors_are_shown_and_the_others_counted() {
    let text = scenario(&format!("{BASE}{}", lines(|n| format!("key{n} = {n}\n"))));
    assert_eq!(text.matches(": error: ").count(), 20);
    assert!(text.starts_with("x.toml:8:1: error: run.key0: unknown key\n"), "{text}");
    assert!(text.contains("x.toml:27:1: error: run.key19: "), "{text}");
    assert!(text.ends_with("\n\nand 49,980 more errors"), "{text}");

    let errors = |count: usize| {
        let keys: String = (0..count).map(|n| format!("key{n} = 1\n")).collect();
        scenario(&format!("{BASE}{keys}"))
    };
    assert!(errors(20).ends_with("\n\n20 errors"));
    assert!(errors(21).ends_with("\n\nand 1 more error"));
    assert!(errors(1_021).ends_with("\n\nand 1,001 more errors"));
    let many = Scenario::parse(&format!("{BASE}a = 1\nb = 2\n"), "x", None, &[]);
    assert_eq!(many.map(|_| ()).map_err(|errors| errors.len()), Err(2));
}

#[test]
fn any_number_of_mistakes_is_reported_soon_and_in_short() {
    let joined = |count: usize, item: &dyn Fn(usize) -> String| {
        (0..count).map(item).collect::<Vec<_>>().join(", ")
    };
    let keys = joined(MANY, &|n| format!("key{n} = {n}"));
    let one_line = format!("switch = {{ {keys} }}\n{BASE}");
    let list = joined(4 * MANY, &|n| n.to_string());
    let wrong = joined(MANY, &|n| format!("-{}", n + 1));
    let skips = "[[skip]]\n\"run.seed\" = [9]\n".repeat(MANY);
    type Read = fn(&str) -> String;
    let cases: [(&str, Read, String); 10] = [
        ("keys", scenario, format!("{BASE}{}", lines(|n| format!("key{n} = {n}\n")))),
        ("keys of one line", scenario, one_line),
        ("sections", scenario, format!("{BASE}{}", lines(|n| format!("[s{n}]\n")))),
        ("groups", scenario, format!("{BASE}{}", "[[workload.group]]\n".repeat(MANY))),
        (
            "nodes",
            scenario,
            format!("{BASE}[workload.hot]\nsources = [0]\ndestinations = [{list}]\n"),
        ),
        ("axes that are unknown", study, lines(|n| format!("\"key{n}\" = [1]\n"))),
        ("axes", study, lines(|n| format!("\"workload.group.{n}.load\" = [0.5]\n"))),
        ("values", study, format!("\"run.seed\" = [{list}]\n")),
        ("values that are wrong", study, format!("\"run.duration_ns\" = [{wrong}]\n")),
        ("points left out", study, format!("\"run.seed\" = [1, 2]\n{skips}")),
    ];
    for (what, read, text) in cases {
        let start = Instant::now();
        let errors = read(&text);
        assert!(start.elapsed() < SOON, "{what}: {:?}", start.elapsed());
        assert!(errors.len() < 20_000, "{what}: {} bytes", errors.len());
    }
}

// Errors that differ from point to point are each reported once, with its first point.
#[test]
fn errors_of_points_are_merged() {
    let errors =
        study("\"run.series_bin_ns\" = [1_000, 2_000]\n\"run.warmup_ns\" = [0, 10_000, 20_000]\n");
    assert_eq!(errors.matches(": error: ").count(), 2, "{errors}");
    assert_eq!(errors.matches("and 1 more point").count(), 2, "{errors}");
}

// "files over 16 MiB are refused with a typed error (scenario, study, edge list)"
#[test]
fn files_over_16_mib_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let padded = |text: &str, bytes: u64| {
        let mut text = text.to_owned();
        text.push('#');
        text.extend(std::iter::repeat_n('x', bytes as usize - text.len()));
        text
    };
    std::fs::write(at("most.toml"), padded(BASE, FILE_BYTES_MAX)).unwrap();
    std::fs::write(at("more.toml"), padded(BASE, FILE_BYTES_MAX + 1)).unwrap();
    std::fs::write(at("edges.csv"), padded("a,a_port\n", FILE_BYTES_MAX + 1)).unwrap();
    let edges = BASE
        .replace("topology = \"bmin\"\nnodes = 16", "topology = \"file\"\nfile = \"edges.csv\"");
    std::fs::write(at("edges.toml"), edges).unwrap();
    let study = "[study]\nname = \"s\"\nscenario = \"more.toml\"\n[axes]\n\"run.seed\" = [1, 2]\n";
    std::fs::write(at("study.toml"), study).unwrap();

    assert!(Scenario::load(&at("most.toml"), &[]).is_ok());
    let refused = [
        Scenario::load(&at("more.toml"), &[]).unwrap_err().to_string(),
        Scenario::load(&at("edges.toml"), &[]).unwrap_err().to_string(),
        Study::load(&at("study.toml"), &[]).unwrap_err().to_string(),
        Input::read(&at("more.toml")).unwrap_err().to_string(),
    ];
    for text in refused {
        assert!(text.contains("it has more than 16777216 bytes (16 MiB)"), "{text}");
        assert!(text.contains("help: legal: "), "{text}");
        assert!(text.len() < 1_000, "{text}");
    }
}

// What has no end is not read to its end.
#[cfg(unix)]
#[test]
fn endless_input_is_refused() {
    let error = Input::read(std::path::Path::new("/dev/zero")).unwrap_err();
    assert!(error.to_string().starts_with("/dev/zero: error: it has more than"), "{error}");
}
