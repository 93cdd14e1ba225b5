//! Wrong ranges and conditions, and sections as values.

use crate::study::{points, study, study_with};

// Why a range or a condition is refused is reported at its place, with what is legal.
#[test]
fn wrong_ranges_and_conditions_are_reported_in_place() {
    let axes = "[axes]\nrecn.xoff_packets = [10, 20]\nrecn.saqs = [1, 2]\n\
        switch.scheme = [\"1q\", \"recn\"]\nrecn.root_xoff_packets = [4, \"off\"]\n";
    let range = |range: &str| format!("[axes]\nrecn.saqs = {{ {range} }}\n");
    let filter = |text: &str| format!("where = '{text}'\n{axes}");
    let cases = [
        (range("from = 1, to = 4, count = 3"), "5:13", "`count` = 3 comes to 5/2"),
        (range("from = 1, to = 4, count = 1"), "5:41", "`count`: 1 is below 2"),
        (range("from = 0, to = 4, count = 3, scale = 'log'"), "5:13", "above 0 on a log"),
        (range("from = 1, to = 4, step = 1, scale = 'log'"), "5:13", "`scale` goes with `count`"),
        (range("from = 1, to = 4, step = 1, factor = 2"), "5:13", "one of `factor`, `step` and"),
        (
            range("from = 1, to = 4, count = 2, scale = 'lin'"),
            "5:52",
            "`scale`: unknown value \"lin\"",
        ),
        (filter("recn.saq > 1"), "4:10", "did you mean `recn.saqs`? axes: recn.xoff_packets,"),
        (filter("recn.saqs > recn.xon_packets"), "4:22", "`recn.xon_packets` does not vary"),
        (filter("recn.saqs > 1 and recn.saqs < 3"), "4:24", "write `&&`"),
        (filter("recn.saqs = 1"), "4:20", "write `==`"),
        (filter("1 < recn.saqs < 3"), "4:24", "legal: `1 < a && a < 3`"),
        (filter("recn.saqs"), "4:10", "it must be a condition"),
        (filter("recn.saqs + (1 > 0) > 1"), "4:23", "`+` takes values"),
        (filter("!recn.saqs"), "4:11", "`!` takes conditions"),
        (filter("(recn.saqs > 1"), "4:24", "it ends where an operator or `)` should be"),
        (filter("recn.saqs > 1)"), "4:23", "in the place of `)`"),
        (filter("recn.saqs > \"x"), "4:22", "a text that does not end"),
        (filter("recn.saqs > 1.2.3"), "4:22", "`1.2.3` is no number"),
        (filter("recn.saqs > 1 #"), "4:24", "in the place of `#`"),
        (filter(""), "4:10", "it ends where a key"),
        (filter("switch.scheme == \"rcen\""), "4:27", "\"rcen\" is not on the axis"),
        (filter("switch.scheme < 3"), "4:10", "\"1q\" is no number, which `<` takes"),
        (filter("1 / (recn.saqs - 1) > 0"), "4:10", "1 / 0"),
        (filter("recn.root_xoff_packets + 1 > 0"), "4:10", "\"off\" is no number"),
        (filter(&("(".repeat(100) + "1 > 0")), "4:74", "too many parts within each other"),
        (filter(&"1 > 0 && ".repeat(400)), "4:9", "legal: up to 2000"),
        (filter("recn.saqs > 7"), "4:9", "no point is left"),
        // with escapes, or from the command line, the place in the text is given
        (format!("where = \"recn.saqs \\u003e 1 +\"\n{axes}"), "4:9", "line 1, column 16"),
        (
            "where = \"\"\"\nrecn.saqs > 1 &&\n  recn.saq < 7\"\"\"\n".to_owned() + axes,
            "6:3",
            "unknown key",
        ),
        (format!("where = 3\n{axes}"), "4:9", "expected a string"),
        ("[axes]\n\"workload.group.hot.load\" = [1]".into(), "5:1", "0: `workload.group.0.load`"),
        ("[axes]\n\"workload.group.load\" = [1]".into(), "5:1", "0: `workload.group.0.load`"),
    ];
    let mut wrong = Vec::new();
    for (tables, place, part) in cases {
        let error = study_with(&tables, &[]).err().unwrap_or_default();
        let is_there = error.starts_with(&format!("study.toml:{place}: error: "));
        if !is_there || !error.contains(part) {
            wrong.push(format!("{place} {part}\n{tables}{error}\n"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let sets = ["study.where=recn.saqs >".parse().unwrap()];
    let error = study_with(axes, &sets).unwrap_err();
    assert!(error.contains("line 1, column 12 of the condition"), "{error}");
}

// A table takes the place of the whole section or list; what is in one cannot vary beside it.
#[test]
fn sections_as_values() {
    let axis = "\"workload.hot\" = [{ sources = 4, destinations = [32] }, { share = 0.1, destinations = 7 }]";
    let study = study(&format!("[axes]\n{axis}\n"));
    let of = |n: usize, key: &str| study.points()[n].scenario.get(key);
    assert_eq!(of(0, "workload.hot.sources").as_deref(), Some("4"));
    assert_eq!(
        (of(1, "workload.hot.sources"), of(1, "workload.hot.share")),
        (None, Some("0.1".into()))
    );
    let groups = "\"workload.group\" = [[{ name = \"a\", sources = 4, destinations = 5 }], []]";
    assert_eq!(points(&format!("[axes]\n{groups}\n")).len(), 2);
    let cases = [
        (format!("[axes]\n{axis}\n\"workload.hot.load\" = [0.5]\n"), "`workload.hot` stands in"),
        (format!("[set]\nworkload.hot.load = 0.5\n[axes]\n{axis}\n"), "stands in [set] too"),
        ("[axes]\nrecn = [3]\n".into(), "legal: tables, each all of [recn]"),
        ("[axes]\n\"workload.group\" = [{ name = \"a\" }]\n".into(), "legal: lists of tables"),
        ("[axes]\nrecn = [{ saqz = 3 }]\n".into(), "did you mean `recn.saqs`?"),
    ];
    for (tables, part) in cases {
        let error = study_with(&tables, &[]).unwrap_err();
        assert!(error.contains(part), "{error}");
    }
}
