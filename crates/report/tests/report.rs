//! The page: well-formed, self-contained, complete.
mod common;

use common::{Shape, shape, sizing, write_sweep};
use std::fs;
use std::path::Path;

fn sweep(name: &str, shapes: &[Shape], replicas: u32, failed: Option<usize>) -> String {
    let tmp = tempfile::tempdir().unwrap();
    write_sweep(tmp.path(), name, shapes, replicas, failed);
    report::render(tmp.path()).unwrap()
}

fn pinned() -> String {
    report::render(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../study/tests/pinned")).unwrap()
}

/// Elements in order: `(depth, name, attributes, text that follows)`. Panics where tags do not nest
/// or ids come twice.
fn elements(html: &str) -> Vec<(usize, String, String, String)> {
    let (mut open, mut found, mut ids) = (
        Vec::<String>::new(),
        Vec::new(),
        std::collections::BTreeSet::new(),
    );
    let mut rest = html.strip_prefix("<!DOCTYPE html>").unwrap();
    while let Some(at) = rest.find('<') {
        let end = at + rest[at..].find('>').unwrap();
        let tag = &rest[at + 1..end];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "closes what is not open");
            rest = &rest[end + 1..];
            continue;
        }
        let (name, attributes) = tag
            .trim_end_matches('/')
            .split_once(' ')
            .unwrap_or((tag.trim_end_matches('/'), ""));
        assert!(
            attributes.matches('"').count().is_multiple_of(2),
            "quotes in <{tag}>"
        );
        if let Some(id) = attributes
            .strip_prefix("id=\"")
            .or_else(|| attributes.split(" id=\"").nth(1))
        {
            assert!(
                ids.insert(id.split('"').next().unwrap().to_string()),
                "id twice: {id}"
            );
        }
        rest = &rest[end + 1..];
        if matches!(name, "style" | "script") {
            rest = &rest[rest.find(&format!("</{name}>")).unwrap() + name.len() + 3..];
            continue;
        }
        found.push((
            open.len(),
            name.to_string(),
            attributes.to_string(),
            rest[..rest.find('<').unwrap()].trim().to_string(),
        ));
        if !tag.ends_with('/') {
            open.push(name.to_string());
        }
    }
    assert!(open.is_empty(), "left open: {open:?}");
    found
}

fn all_pages() -> Vec<String> {
    let many: Vec<Shape> = (0..27)
        .map(|i| {
            shape(
                &format!("load {i}"),
                &[("workload.load", &i.to_string())],
                0.5,
                0,
                10,
            )
        })
        .collect();
    vec![
        sweep("one", &sizing(), 1, None),
        sweep("three", &sizing(), 3, Some(4)),
        sweep("many", &many, 1, Some(0)),
        sweep("none", &[], 1, None),
        pinned(),
    ]
}

#[test]
fn every_page_is_well_formed_and_its_ids_are_unique() {
    for page in all_pages() {
        let all = elements(&page);
        assert!(all.len() > 10);
        assert!(
            all.iter()
                .all(|e| !e.2.contains("NaN") && !e.2.contains("inf,") && !e.3.contains("NaN")),
            "a number that is none"
        );
    }
}

// "ONE self-contained HTML file (no external script, font or style)"
#[test]
fn page_fetches_nothing() {
    for page in all_pages() {
        for word in [
            "http://", "https://", "//cdn", "@import", "url(", "<link", "<img", "<iframe", "src=",
        ] {
            assert!(!page.contains(word), "{word}");
        }
        for (_, name, attributes, _) in elements(&page) {
            let href = attributes.split("href=\"").nth(1);
            assert!(
                href.is_none_or(|to| name == "a" && to.starts_with("data:text/csv")),
                "{name} {attributes}"
            );
        }
    }
}

#[test]
fn every_picture_has_a_title_a_description_and_axis_titles_with_units() {
    let page = sweep("x", &sizing(), 1, None);
    let all = elements(&page);
    let pictures: Vec<usize> = (0..all.len())
        .filter(|&i| all[i].1 == "svg" && all[i].2.contains("role=\"img\""))
        .collect();
    assert_eq!(pictures.len(), 1 + 2 + 2 + 1 + 1);
    for at in pictures {
        assert_eq!(
            (all[at + 1].1.as_str(), all[at + 2].1.as_str()),
            ("title", "desc")
        );
        let titles: Vec<&str> = all[at..]
            .iter()
            .skip(1)
            .take_while(|e| e.0 > all[at].0)
            .filter(|e| e.2.contains("class=\"title\""))
            .map(|e| e.3.as_str())
            .collect();
        assert_eq!(titles.len(), 2, "{titles:?}");
        assert!(
            titles.iter().all(|t| t.contains("SAQs")
                || t.contains("bytes/ns")
                || t.contains("\u{b5}s")
                || t.contains("bits a port")),
            "{titles:?}"
        );
    }
}

// "Downsample nothing silently."
#[test]
fn every_bin_of_every_point_is_drawn_and_in_the_csv() {
    let page = sweep("x", &sizing(), 3, None);
    let all = elements(&page);
    let figure = all.iter().position(|e| e.2 == "id=\"throughput\"").unwrap();
    let lines: Vec<usize> = all[figure + 1..]
        .iter()
        .take_while(|e| e.0 > all[figure].0)
        .filter(|e| e.1 == "polyline" && !e.2.contains("points=\"1,7"))
        .map(|e| e.2.split("points=\"").nth(1).unwrap().split(' ').count())
        .collect();
    assert_eq!(lines, [common::BINS; 10]);
    let csv = page
        .split("download=\"throughput.csv\"")
        .nth(1)
        .unwrap()
        .split("</a>")
        .next()
        .unwrap();
    assert_eq!(csv.matches("%0A").count(), 1 + 10 * 3 * common::BINS);
}

#[test]
fn many_points_are_spread_over_several_pictures_all_named() {
    let many: Vec<Shape> = (0..27)
        .map(|i| {
            shape(
                &format!("load {i}"),
                &[("workload.load", &i.to_string())],
                0.5,
                0,
                10,
            )
        })
        .collect();
    let page = sweep("many", &many, 1, None);
    assert!(
        ["throughput-0", "throughput-1", "throughput-2"]
            .iter()
            .all(|id| page.contains(&format!("id=\"{id}-t\"")))
    );
    assert_eq!(
        page.split("id=\"throughput\"")
            .nth(1)
            .unwrap()
            .split("</figure>")
            .next()
            .unwrap()
            .matches("<button")
            .count(),
        27
    );
    assert!(page.contains("No SAQ was in use in any finished run."));
}

#[test]
fn markup_in_names_stays_text() {
    let hostile = "</title><script>alert(1)</script>\"'&";
    let page = sweep(
        hostile,
        &[shape(hostile, &[(hostile, hostile)], 0.5, 2, 100)],
        1,
        Some(9),
    );
    assert!(!page.contains("<script>alert"));
    elements(&page);
}

#[test]
fn failed_run_is_listed_with_its_error() {
    let page = sweep("x", &sizing(), 1, Some(2));
    assert!(page.contains(
        "<li>02-run: failed with exit code 3: deadlock at 12 us: &lt;port 3&gt; &amp; others</li>"
    ));
    assert!(page.contains("10 points, 10 runs: 9 finished, 1 failed"));
}

#[test]
fn sentence_of_the_study_is_on_the_page() {
    let page = sweep("x", &sizing(), 1, None);
    assert!(page.contains("<li>recn: 8 SAQs are enough: &lt;made up&gt;</li>"));
    assert!(
        page.contains("Throughput of the victims (flows to no hot destination) in window during")
    );
}

/// The part of a page from a text on to the next end of a table.
fn table_after<'a>(page: &'a str, from: &str) -> &'a str {
    let rest = page
        .split(from)
        .nth(1)
        .unwrap_or_else(|| panic!("no {from}"));
    rest.split("</table>").next().unwrap()
}

#[test]
fn bounds_starved_flows_and_unsteady_points_are_marked() {
    let page = sweep("x", &sizing(), 1, None);
    let results = table_after(&page, "<h2>Results</h2>");
    assert!(
        results.contains(">&gt;= 1\u{202f}800\u{202f}000<small>6.5 % undelivered</small></td>")
    );
    assert_eq!(results.matches("&gt;=").count(), 1);
    assert_eq!(
        results
            .matches("<td class=\"bad\" data-v=\"1\">1</td>")
            .count(),
        1
    );
    assert_eq!(results.matches(">*</span>").count(), 1);
    assert!(page.contains("<p class=\"note bad\">*: second half of the measured time differs"));
    assert!(!results.contains("control / switch"), "the short table");
    assert!(table_after(&page, "<summary>More columns</summary>").contains("control / switch"));
}

#[test]
fn every_set_of_flows_has_a_line_with_every_window() {
    let page = sweep("x", &sizing(), 3, None);
    let table = table_after(&page, "<h2>Flows and windows</h2>");
    assert_eq!(table.matches("<tr").count(), 2 + 10 * 3);
    for heading in ["Delivered", "Worst dip", "Starved", "Message p99"] {
        assert!(table.contains(heading), "{heading}");
    }
    assert_eq!(table.matches(">victims</td>").count(), 10);
    assert!(table.contains("&gt;= 1\u{202f}800\u{202f}000<small>6.5 % undelivered</small>"));
    assert!(page.contains("during: 800\u{202f}000 to 1\u{202f}400\u{202f}000 ns. after:"));
    assert!(
        page.contains("ns; cut: &lt;made up&gt;. Latencies"),
        "why a window is cut"
    );
    let csv = page.split("download=\"windows.csv\"").nth(1).unwrap();
    let csv = csv.split("</a>").next().unwrap();
    assert_eq!(csv.matches("%0A").count(), 1 + 10 * 3 * 4 * 3);
}

// "a point of one replica [must not be printed] as whole"
#[test]
fn point_whose_replicas_are_not_all_there_says_so() {
    let page = sweep("x", &sizing(), 3, Some(4));
    assert_eq!(
        page.matches("<small class=\"bad\">2 of 3 replicas</small>")
            .count(),
        2
    );
    let csv = page.split("download=\"points.csv\"").nth(1).unwrap();
    assert!(csv.contains(",3,2,"));
    assert!(!sweep("x", &sizing(), 3, None).contains("replicas</small>"));
}

#[test]
fn single_run_says_what_to_know_before_its_figures() {
    let tmp = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("manifest.json", r#"{ "name": "x", "seed": 1 }"#),
        (
            "summary.json",
            r#"{ "flows_starved": 3, "delivered_bytes_per_ns": 9, "ideal_bytes_per_ns": 12,
                 "latency_ns": { "p50": 4.5, "p99": 464.25, "lower_bounds": ["p99"] }, "windows": { "during": {} }, "victims": { "delivered_bytes_per_ns": 1.25 },
                 "steady": { "first_half_bytes_per_ns": 0.78, "second_half_bytes_per_ns": 0.725,
                             "noise_bytes_per_ns": 0.02, "differs": true } }"#,
        ),
        ("series.csv", "t_ns,delivered_bytes_per_ns\n0,1.5\n"),
        (
            "windows.csv",
            "window,start_ns,end_ns,flows,group,delivered_bytes_per_ns,note\nmeasured,0,50,all,,2,\nmeasured,0,50,victims,,1.25,\n",
        ),
    ] {
        fs::write(tmp.path().join(name), text).unwrap();
    }
    let page = report::render(tmp.path()).unwrap();
    elements(&page);
    assert!(page.contains("3 flows starved: standing demand"));
    for row in [
        "latency_ns.p50</th><td>4.5000</td>",
        "latency_ns.p99</th><td>&gt;= 464.2500</td>",
        "of_ideal</th><td>0.7500</td>",
    ] {
        assert!(page.contains(row), "{row}");
    }
    assert!(!page.contains("lower_bounds"));
    assert!(page.contains("(0.780 then 0.725 bytes/ns, noise 0.020)"));
    assert!(
        table_after(&page, "<h2>Flows and windows</h2>")
            .contains("<td class=\"l\">victims</td><td class=\"group\">1.25</td>")
    );
    assert!(!page.contains("victims.delivered"), "not twice");
}

#[test]
fn single_run_has_its_summary_and_a_line_a_group() {
    let tmp = tempfile::tempdir().unwrap();
    for (name, text) in [
        (
            "manifest.json",
            r#"{ "name": "case-2", "seed": 18446744073709551615, "hash": "00ab" }"#,
        ),
        (
            "windows.csv",
            "window,start_ns,end_ns,flows,group,note\nmeasured,0,30000,all,,\nbefore,0,20000,all,,\nduring,0,0,all,,there is no tree\n",
        ),
        (
            "summary.json",
            r#"{ "packets_delivered": 123456, "relative_throughput": null, "latency_ns": { "p99": 33.25 }, "events_hash": "00ff" }"#,
        ),
        (
            "series.csv",
            "t_ns,delivered_bytes_per_ns,saqs_ingress,saqs_egress,saqs_ingress_max_port,saqs_egress_max_port,hot_bytes_per_ns\n0,1.5,0,0,0,0,0.5\n10000,2,3,1,1,1,0.5\n20000,2,3,1,1,1,0.25\n",
        ),
    ] {
        fs::write(tmp.path().join(name), text).unwrap();
    }
    let page = report::render(tmp.path()).unwrap();
    elements(&page);
    for text in [
        "18446744073709551615",
        "123\u{202f}456",
        "latency_ns.p99</th><td>33.2",
        "<span>hot</span>",
        "id=\"saqs\"",
        "before 0\u{2013}20 \u{b5}s. Window during: there is no tree.",
    ] {
        assert!(page.contains(text), "{text}");
    }
}

// One damaged run does not cost the page of the others.
#[test]
fn unreadable_run_is_listed_and_the_others_are_drawn() {
    let tmp = tempfile::tempdir().unwrap();
    write_sweep(tmp.path(), "x", &sizing(), 1, None);
    fs::write(
        tmp.path().join("runs/03-run/series.csv"),
        "t_ns,delivered_bytes_per_ns\n0,many\n",
    )
    .unwrap();
    fs::remove_file(tmp.path().join("runs/05-run/series.csv")).unwrap();
    let page = report::render(tmp.path()).unwrap();
    elements(&page);
    assert!(page.contains("10 points, 10 runs: 8 finished, 2 unreadable"));
    for run in ["03-run", "05-run"] {
        let line = page
            .lines()
            .find(|l| l.starts_with(&format!("<li>{run}: unreadable: ")));
        assert!(line.is_some_and(|l| l.contains("series.csv")), "{run}");
    }
    let figure = page.split("id=\"throughput\"").nth(1).unwrap();
    let figure = figure.split("</figure>").next().unwrap();
    assert_eq!(figure.matches("<button").count(), 8);
}

#[test]
fn caption_says_which_lines_coincide() {
    let same = |name: &str, saqs: u32| shape(name, &[("x", name)], 0.5, saqs, 10);
    // noise depends on the length of the name: these two are equal, the third is not
    let page = sweep(
        "x",
        &[same("one", 3), same("two", 3), same("three", 3)],
        1,
        None,
    );
    assert!(page.contains("Lines that coincide exactly, one covering the others: one = two."));
    // SAQs do not depend on the noise
    assert!(page.contains("one covering the others: one = two = three."));
    let page = sweep("x", &[same("one", 1), same("three", 2)], 1, None);
    assert!(!page.contains("coincide exactly"));
}

// A run of one bin has a width too: that of the run.
#[test]
fn run_of_one_bin_has_a_time_axis() {
    let tmp = tempfile::tempdir().unwrap();
    for (name, text) in [
        (
            "manifest.json",
            r#"{ "name": "short", "seed": 1, "series_bin_ns": 10000, "duration_ns": 4000 }"#,
        ),
        ("summary.json", "{}"),
        ("series.csv", "t_ns,delivered_bytes_per_ns\n0,1.5\n"),
    ] {
        fs::write(tmp.path().join(name), text).unwrap();
    }
    let page = report::render(tmp.path()).unwrap();
    assert!(page.contains("Time, ns"));
    assert!(page.contains(">4000</text>"), "{page}");
}

#[test]
fn what_is_not_a_store_is_a_typed_error() {
    let tmp = tempfile::tempdir().unwrap();
    assert!(matches!(
        report::render(tmp.path()),
        Err(report::ReportError::NotAStore { .. })
    ));
    fs::write(
        tmp.path().join("results.json"),
        r#"{"format":2,"name":"","scenario":"","axes":[],"columns":[],"points":[],"runs":[]}"#,
    )
    .unwrap();
    assert!(
        report::render(tmp.path())
            .unwrap_err()
            .to_string()
            .contains("format 2 is not known")
    );
}

/// Headings, tables, pictures, legends and links, without coordinates.
fn outline(page: &str) -> String {
    let mut out = String::new();
    for (depth, name, attributes, text) in elements(page) {
        let keep = matches!(
            name.as_str(),
            "title"
                | "h1"
                | "h2"
                | "h3"
                | "dt"
                | "dd"
                | "th"
                | "td"
                | "caption"
                | "figure"
                | "figcaption"
                | "span"
                | "small"
                | "a"
                | "li"
                | "polyline"
        ) || name == "button"
            || (name == "text" && !attributes.contains("tick"));
        if keep {
            let class = attributes
                .split("class=\"")
                .nth(1)
                .map_or(String::new(), |c| {
                    format!(".{}", c.split('"').next().unwrap())
                });
            out.push_str(&format!(
                "{}{name}{class}: {text}\n",
                "  ".repeat(depth.saturating_sub(2))
            ));
        }
    }
    out
}

/// Made of what `study` pins as the layout of its store: the two agree.
#[test]
fn outline_of_the_pinned_sweep() {
    insta::assert_snapshot!(outline(&pinned()));
}
