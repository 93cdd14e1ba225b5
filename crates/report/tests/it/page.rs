//! The page of a sweep: well-formed, self-contained, complete.
use crate::common::{
    SMALL, elements, load, many, outline, pinned, recording, shape, shows, sizing, sweep,
};

// "ONE self-contained HTML file (no external script, font or style)"
#[test]
fn every_page_is_well_formed_has_unique_ids_and_fetches_nothing() {
    for page in [
        sweep("one", &sizing(), 1, None),
        sweep("three", &sizing(), 3, Some(4)),
        sweep("many", &many(), 1, Some(0)),
        sweep("load", &load(), 2, None),
        sweep("none", &[], 1, None),
        pinned(),
        recording(SMALL, &[]),
    ] {
        let all = elements(&page);
        assert!(all.len() > 10);
        for (_, name, attributes, text) in all {
            for none in ["NaN", "inf,", "href="] {
                assert!(!attributes.contains(none), "{name} {attributes}");
            }
            assert!(!text.contains("NaN"), "a number that is none");
        }
        for word in
            ["http://", "https://", "//cdn", "@import", "url(", "<link", "<img", "<iframe", "src="]
        {
            assert!(!page.contains(word), "{word}");
        }
    }
}

#[test]
fn markup_in_names_stays_text() {
    let hostile = "</title><script>alert(1)</script>\"'&";
    let page = sweep(hostile, &[shape(hostile, &[(hostile, hostile)], 0.5, 2, 100)], 1, Some(9));
    assert!(!page.contains("<script>alert"));
    elements(&page);
}

// "First screen = the question, the answers, and the sizing figure."
#[test]
fn the_answer_comes_first_and_what_was_run_last() {
    let headings = |page: &str| -> Vec<String> {
        elements(page).into_iter().filter(|e| e.1 == "h2").map(|e| e.3).collect()
    };
    let expected = [
        "Throughput against SAQs",
        "Latency against SAQs",
        "Throughput over time",
        "Latency distribution",
        "SAQs in use over time",
        "Memory cost against throughput",
        "All points",
        "What was run",
    ];
    assert_eq!(headings(&sweep("x", &sizing(), 1, None)), expected);
    let page = sweep("x", &load(), 1, None);
    assert_eq!(headings(&page)[0], "Latency against load");
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("no {text}"));
    assert!(at("<p class=\"enough\">") < at("class=\"answers\""));
    assert!(at("class=\"cautions\"") < at("<h2>"));
}

// "A study of 500 runs stays under 3 MB."
#[test]
fn a_study_of_500_runs_gives_a_page_under_3_mb() {
    let shapes = (0..50).flat_map(|detection| (0..10).map(move |saqs| (detection, saqs)));
    let shapes = shapes.map(|(detection, saqs)| {
        let (d, s) = (&*detection.to_string(), &*saqs.to_string());
        let labels = [("switch.scheme", "recn"), ("recn.detection_packets", d), ("recn.saqs", s)];
        shape(&format!("{d} {s}"), &labels, 0.5 + f64::from(saqs) / 20.0, saqs, 10)
    });
    let page = sweep("large", &shapes.collect::<Vec<_>>(), 1, None);
    assert!(page.len() < 3_000_000, "{} bytes", page.len());
    assert!(page.contains("8 of 500 lines are drawn."));
    assert!(page.contains("The other columns are in results.csv."));
}

/// Made of what `study` pins as the layout of its store: the two agree.
#[test]
fn outline_of_the_pinned_sweep() {
    insta::assert_snapshot!(outline(&pinned()));
}

/// The numbers that `docs/guide/report-page.md` gives are those of the code.
#[test]
fn constants_of_the_guide_are_those_of_the_page() {
    let page = include_str!("../../../../docs/guide/report-page.md").replace("\n  ", " ");
    let (first, data) =
        (include_str!("../../src/figures/first.rs"), include_str!("../../src/plot/data.rs"));
    let (time, points) =
        (include_str!("../../src/figures/time.rs"), include_str!("../../src/page/points.rs"));
    for (text, source, constant) in [
        ("at most 8 are drawn", first, "LINES_SHOWN: usize = 8;"),
        ("48 at a time", include_str!("../../src/assets/figure.js"), "DRAWN_MAX = 48;"),
        ("1/8099 of", data, "CODE_MAX: f64 = 8_099.0;"),
        ("160000 numbers", time, "NUMBERS_MAX: usize = 160_000;"),
        ("6000 cells", points, "CELLS_MAX: usize = 6_000;"),
        ("at least 14 apart", include_str!("colours.rs"), "APART: f64 = 14.0;"),
    ] {
        shows(&page, &[text]);
        assert!(source.contains(constant), "{constant}");
    }
}
