//! The page of a sweep: well-formed, self-contained, complete.
use crate::common::{elements, load, many, outline, pinned, shape, sizing, sweep};

fn all_pages() -> Vec<String> {
    vec![
        sweep("one", &sizing(), 1, None),
        sweep("three", &sizing(), 3, Some(4)),
        sweep("many", &many(), 1, Some(0)),
        sweep("load", &load(), 2, None),
        sweep("none", &[], 1, None),
        pinned(),
    ]
}

// "ONE self-contained HTML file (no external script, font or style)"
#[test]
fn every_page_is_well_formed_has_unique_ids_and_fetches_nothing() {
    for page in all_pages() {
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

fn headings(page: &str) -> Vec<String> {
    let all = elements(page).into_iter().filter(|e| e.1 == "h2");
    all.map(|e| e.3).collect()
}

// "First screen = the question, the answers, and the sizing figure."
#[test]
fn the_answer_comes_first_and_what_was_run_last() {
    let found = headings(&sweep("x", &sizing(), 1, None));
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
    assert_eq!(found, expected);
    let page = sweep("x", &load(), 1, None);
    assert_eq!(headings(&page)[0], "Latency against load");
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("no {text}"));
    assert!(at("<p class=\"enough\">") < at("class=\"answers\""));
    assert!(at("class=\"cautions\"") < at("<h2>"));
}

// "A study of 500 runs stays under 3 MB."
#[test]
fn a_study_of_500_runs_gives_a_page_under_3_mb() {
    let mut shapes = Vec::new();
    for (detection, saqs) in (0..50).flat_map(|d| (0..10).map(move |s| (d, s))) {
        let (d, s) = (detection.to_string(), saqs.to_string());
        let labels =
            [("switch.scheme", "recn"), ("recn.detection_packets", &d as &str), ("recn.saqs", &s)];
        let name = format!("{d} {s}");
        shapes.push(shape(&name, &labels, 0.5 + f64::from(saqs) / 20.0, saqs, 10));
    }
    let page = sweep("large", &shapes, 1, None);
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
    for (text, source, constant) in [
        (
            "at most 8 are drawn",
            include_str!("../../src/figures/first.rs"),
            "LINES_SHOWN: usize = 8;",
        ),
        ("48 at a time", include_str!("../../src/assets/figure.js"), "DRAWN_MAX = 48;"),
        ("1/8099 of", include_str!("../../src/plot/data.rs"), "CODE_MAX: f64 = 8_099.0;"),
        (
            "160000 numbers",
            include_str!("../../src/figures/time.rs"),
            "NUMBERS_MAX: usize = 160_000;",
        ),
        ("6000 cells", include_str!("../../src/page/points.rs"), "CELLS_MAX: usize = 6_000;"),
        ("at least 14 apart", include_str!("colours.rs"), "APART: f64 = 14.0;"),
    ] {
        assert!(page.contains(text), "{text}");
        assert!(source.contains(constant), "{constant}");
    }
}
