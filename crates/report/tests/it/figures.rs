//! The figures: everything is drawn or asked for, and in the CSV.
use crate::common::{BINS, elements, load, many, shape, sizing, sweep};

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
    assert_eq!(lines, [BINS; 10]);
    let csv = page
        .split("download=\"throughput.csv\"")
        .nth(1)
        .unwrap()
        .split("</a>")
        .next()
        .unwrap();
    assert_eq!(csv.matches("%0A").count(), 1 + 10 * 3 * BINS);
}

/// The part of a page from the beginning of a figure to its end.
fn figure<'a>(page: &'a str, id: &str) -> &'a str {
    let rest = page.split(&format!("<figure id=\"{id}\">")).nth(1);
    let rest = rest.unwrap_or_else(|| panic!("no {id}"));
    rest.split("</figure>").next().unwrap()
}

#[test]
fn beyond_eight_lines_the_others_are_asked_for_and_all_are_named() {
    let page = sweep("many", &many(), 1, None);
    let throughput = figure(&page, "throughput");
    assert_eq!(throughput.matches("data-v=\"").count(), 27);
    assert_eq!(throughput.matches(" off\"").count(), 27 - 8);
    assert_eq!(throughput.matches("aria-pressed=\"true\"").count(), 8);
    assert!(throughput.contains("8 of 27 lines are drawn."));
    let others = throughput.split("class=\"names\">").nth(1).unwrap();
    let others = others.split("</span>").next().unwrap();
    assert!(others.starts_with("offered load 8 of link rate; offered load 9 of link rate; "));
    assert_eq!(others.split("; ").count(), 27 - 8);
    assert!(page.contains("No SAQ was in use in any finished run."));
}

#[test]
fn every_line_says_as_many_values_as_it_has_points() {
    let page = sweep("x", &sizing(), 3, None);
    let mut lines = 0;
    for group in page.split("<g class=\"s ").skip(1) {
        let attribute = |name: &str| {
            let value = group.split(&format!("{name}=\"")).nth(1).unwrap();
            value.split('"').next().unwrap()
        };
        let values = attribute("data-v").split(';').count();
        assert_eq!(values, attribute(" points").split(' ').count());
        assert!(!attribute("data-n").is_empty());
        lines += 1;
    }
    assert!(lines > 20, "{lines}");
}

#[test]
fn lines_that_coincide_are_one_line_with_all_names() {
    let same = |name: &str, saqs: u32| shape(name, &[("x", name)], 0.5, saqs, 10);
    // noise depends on the length of the name: these two are equal, the third is not
    let shapes = [same("one", 3), same("two", 3), same("three", 3)];
    let page = sweep("x", &shapes, 1, None);
    let names = |id: &str| -> Vec<String> {
        let spans = figure(&page, id).split("</svg><span>").skip(1);
        spans
            .map(|s| s.split("</span>").next().unwrap().to_string())
            .collect()
    };
    assert_eq!(names("throughput"), ["x one = two", "x three"]);
    // SAQs do not depend on the noise; ingress and egress
    assert_eq!(
        names("saqs"),
        ["x one = two = three", "x one = two = three"]
    );
    assert!(figure(&page, "throughput").contains("title=\"x = one; x = two\""));
}

#[test]
fn a_load_axis_draws_latency_and_accepted_against_offered() {
    let page = sweep("load", &load(), 3, None);
    let latency = figure(&page, "load-latency");
    for text in [
        "<span>admittance arbiter round-robin</span>",
        "<span>admittance arbiter random</span>",
        "Offered load, of link rate<title>workload.load</title>",
        "Message latency, ns (logarithmic)",
        ">Mean</h3>",
        ">99th percentile</h3>",
        "Hollow marks are lower bounds",
        "bars: smallest to largest replica",
    ] {
        assert!(latency.contains(text), "{text}");
    }
    // loads above 0.65 and 0.8 are lower bounds: 4 and 2 points, in both pictures
    assert_eq!(latency.matches("mark hollow").count(), 2 * (4 + 2));
    assert_eq!(latency.matches("<g class=\"s ").count(), 2 * 2);
    assert!(latency.matches("class=\"range\"").count() >= 20);
    let accepted = figure(&page, "load-accepted");
    assert!(accepted.contains("class=\"guide\""));
    let values = accepted.split("data-v=\"").nth(1).unwrap();
    let values: Vec<&str> = values.split('"').next().unwrap().split(';').collect();
    assert_eq!(values.len(), 10);
    assert!(values[9].starts_with("64 "), "offered at full load");
    let full = values[9].split(' ').nth(1).unwrap();
    let full: f64 = full.parse().unwrap();
    assert!((full - 0.65 * 64.0).abs() < 2.0, "accepted {full}");
    let csv = latency.split("load-latency.csv").nth(1).unwrap();
    assert_eq!(csv.matches("%0A").count(), 1 + 20);
}

#[test]
fn without_a_load_axis_there_are_no_load_curves() {
    let page = sweep("x", &sizing(), 1, None);
    assert!(!page.contains("id=\"load-"));
    // one load is no curve
    let one = &load()[..1];
    assert!(!sweep("x", one, 1, None).contains("id=\"load-"));
}
