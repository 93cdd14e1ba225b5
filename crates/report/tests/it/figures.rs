//! The figures: everything is drawn or asked for.
use crate::common::{
    BINS, attribute, counts, elements, load, many, part, shape, shows, sizing, sweep,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn every_picture_has_a_title_a_description_and_axis_titles_with_units() {
    let page = sweep("x", &sizing(), 1, None);
    let all = elements(&page);
    let pictures: Vec<usize> = (0..all.len())
        .filter(|&i| all[i].1 == "svg" && all[i].2.contains("role=\"img\""))
        .collect();
    assert_eq!(pictures.len(), 2 + 1 + 1 + 4 + 1);
    for at in pictures {
        assert_eq!((all[at + 1].1.as_str(), all[at + 2].1.as_str()), ("title", "desc"));
        let titles: Vec<&str> = all[at..]
            .iter()
            .skip(1)
            .take_while(|e| e.0 > all[at].0)
            .filter(|e| e.2.contains("class=\"title\""))
            .map(|e| e.3.as_str())
            .collect();
        assert_eq!(titles.len(), 2, "{titles:?}");
        let units = ["SAQs", "ns", "Share", ", %", "bytes/ns", "\u{b5}s", "bits a port"];
        let has_unit = |title: &&str| units.iter().any(|unit| title.contains(unit));
        assert!(titles.iter().all(has_unit), "{titles:?}");
    }
}

fn figure<'a>(page: &'a str, id: &str) -> &'a str {
    part(page, &format!("<figure id=\"{id}\""), "</figure>")
}

/// What the script of a figure draws from.
fn data(page: &str, id: &str) -> Value {
    let json = part(figure(page, id), "<script type=\"application/json\">", "</script>");
    serde_json::from_str(json).unwrap()
}

// "Downsample nothing silently."
#[test]
fn every_bin_of_every_point_can_be_drawn() {
    let page = sweep("x", &sizing(), 3, None);
    let data = data(&page, "throughput");
    let lines = data["pictures"][0]["lines"].as_array().unwrap();
    let bins = lines.iter().map(|line| line[2].as_str().unwrap().len() / 2);
    assert_eq!(bins.collect::<Vec<_>>(), [BINS; 10]);
    assert_eq!(data["lines"].as_array().unwrap().len(), 10);
    let figure = figure(&page, "throughput");
    let drawn = figure.split("<polyline").skip(1).filter(|l| l.matches(' ').count() >= BINS);
    assert_eq!(drawn.count(), 6, "without a script: schemes without SAQs and the answer");
    assert!(figure.contains("Every bin is there, in its middle."));
}

#[test]
fn merged_bins_are_stated() {
    let point = |n: u32| shape(&n.to_string(), &[("link.wire_ns", &n.to_string())], 0.5, 0, 1);
    let page = sweep("x", &(0..1_100).map(point).collect::<Vec<_>>(), 1, None);
    assert!(figure(&page, "throughput").contains("Thinned for the page: 2 bins are one."));
    let data = data(&page, "throughput");
    let line = data["pictures"][0]["lines"][1_099][2].as_str().unwrap();
    assert_eq!(line.len() / 2, BINS / 2);
}

#[test]
fn lines_that_are_not_drawn_are_chosen_by_their_values() {
    let page = sweep("many", &many(), 1, None);
    let throughput = figure(&page, "throughput");
    counts(throughput, &[("<g class=\"s ", 8), ("aria-pressed=\"true\"", 8)]);
    counts(throughput, &[("8 of 27 lines are drawn.", 1), ("<input type=\"checkbox\"", 27)]);
    assert_eq!(data(&page, "throughput")["lines"].as_array().unwrap().len(), 27);
    assert!(page.contains("No SAQ was in use in any finished run."));
}

// "One meaning, one colour, everywhere."
#[test]
fn a_setting_has_one_style_in_all_figures() {
    let page = sweep("x", &sizing(), 3, None);
    let mut styles: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
    for id in ["sizing", "throughput", "saqs", "memory"] {
        for line in data(&page, id)["lines"].as_array().unwrap() {
            let name = line[0].as_str().unwrap();
            let setting = name.split(" \u{b7} ").next().unwrap().to_string();
            styles.entry(setting).or_default().insert(line[1].as_u64().unwrap());
        }
    }
    assert_eq!(styles.len(), 6);
    assert!(styles.values().all(|each| each.len() == 1), "{styles:?}");
    let styles: BTreeSet<u64> = styles.into_values().flatten().collect();
    assert_eq!(styles.len(), 6, "and no two the same");
}

#[test]
fn lines_that_are_the_same_say_so() {
    let same = |name: &str| shape(name, &[("x", name)], 0.5, 3, 10);
    // noise depends on the length of the name: these two are equal, the third is not
    let page = sweep("x", &["one", "two", "three"].map(same), 1, None);
    let names = |id: &str| -> Vec<String> {
        let spans = figure(&page, id).split("</svg><span>").skip(1);
        let names = spans.map(|s| s.split("</span>").next().unwrap().to_string());
        names.collect()
    };
    assert_eq!(names("throughput"), ["one", "two, as one", "three"]);
    // SAQs do not depend on the noise
    assert_eq!(names("saqs"), ["one", "two, as one", "three, as one"]);
}

#[test]
fn sizing_has_the_target_the_schemes_without_saqs_and_rings_at_answers() {
    let page = sweep("x", &sizing(), 3, None);
    let sizing = figure(&page, "sizing");
    let target = "<polyline class=\"guide target\"";
    // in the picture and its legend
    counts(sizing, &[(target, 1 + 1), (">98 % of voq-net</text>", 1)]);
    counts(sizing, &[("<circle class=\"ring\"", 1), ("class=\"spread\"", 1)]);
    shows(figure(&page, "memory"), &[target, "<polyline class=\"guide front\""]);
    let latency = figure(&page, "sizing-p99");
    let what = "p99 latency of messages of victims that were generated in window during";
    shows(latency, &[what, "logarithmic"]);
    // schemes without SAQs
    counts(sizing, &[("class=\"end c", 5)]);
    counts(latency, &[("class=\"end c", 5)]);
}

#[test]
fn a_load_axis_draws_latency_and_accepted_against_offered() {
    let page = sweep("load", &load(), 3, None);
    let latency = figure(&page, "load-latency");
    let shown = [
        "<span>round-robin</span>",
        "<span>random</span>",
        "Offered load, of link rate<title>workload.load</title>",
        "Mean message latency, \u{b5}s (logarithmic)",
        "p99 message latency, \u{b5}s",
        ">Mean</h3>",
        ">99th percentile</h3>",
        "Hollow marks are lower bounds",
        "shaded: 95 % intervals of the means",
        "more than 1 % of what is offered does not arrive (round-robin 0.7; random 0.9).",
    ];
    shows(latency, &shown);
    // loads above 0.65 and 0.8 are lower bounds: 4 and 2 points, in both pictures
    counts(latency, &[("mark hollow", 2 * (4 + 2)), ("<g class=\"s ", 2 * 2)]);
    counts(latency, &[("<path class=\"drop\"", 2 * 2)]);
    assert!(latency.matches("class=\"spread\"").count() >= 2);
    let drops = |id: &str| data(&page, id)["pictures"][0]["drops"].clone();
    assert_eq!((drops("load-latency"), drops("load-accepted")), (json!([6, 8]), json!([6, 8])));
    shows(figure(&page, "load-accepted"), &["class=\"guide all\""]);
    let data = data(&page, "load-accepted");
    let values = data["pictures"][0]["lines"][0][1].as_array().unwrap();
    assert_eq!(values.len(), 10);
    assert_eq!(values[9][0], 64.0, "offered at full load");
    let full = values[9][1].as_f64().unwrap();
    assert!((full - 0.65 * 64.0).abs() < 2.0, "accepted {full}");
}

// "CDF figure on the page of every study": of the answers and the schemes without SAQs, all
// replicas of a point together, from where what had not arrived leaves it open.
#[test]
fn distributions_of_latencies_are_those_of_the_answers() {
    let page = sweep("x", &sizing(), 3, None);
    let latency = figure(&page, "latency");
    counts(latency, &[("<g class=\"s ", 6)]);
    let shown = [
        "Share not above it",
        "of the messages of victims that were generated in window during, all replicas",
        "has not arrived: recn \u{b7} 1 SAQ from 315 ns on.",
    ];
    shows(latency, &shown);
    let data = data(&page, "latency");
    let line = &data["pictures"][0]["lines"][0][2];
    assert_eq!(line.as_str().map(str::len), Some(3 * 2), "three buckets");
}

#[test]
fn without_a_load_axis_there_are_no_load_curves() {
    let page = sweep("x", &sizing(), 1, None);
    assert!(!page.contains("id=\"load-"));
    // one load is no curve
    let one = &load()[..1];
    assert!(!sweep("x", one, 1, None).contains("id=\"load-"));
}

// "every figure as SVG for papers": a picture alone names its lines, below the drawing, in
// colours that need no page.
#[test]
fn self_contained_pictures_have_their_legend() {
    let page = sweep("load", &load(), 3, None);
    let pictures = report::pictures(&page);
    let names: Vec<&str> = pictures.iter().map(|p| p.name.as_str()).collect();
    for id in ["load-latency-0", "load-latency-1", "load-accepted-0", "throughput-0", "memory-0"] {
        assert!(names.contains(&&*format!("{id}.svg")), "{id}: {names:?}");
    }
    let accepted = pictures.iter().find(|p| p.name == "load-accepted-0.svg").unwrap();
    let texts: Vec<(String, f64)> = elements(&format!("<!DOCTYPE html>{}", accepted.svg))
        .into_iter()
        .filter(|e| e.1 == "text" && e.2.contains("dy=\".35em\""))
        .map(|e| (e.3, attribute(&e.2, "y").unwrap().parse().unwrap()))
        .collect();
    let whole: f64 = part(&accepted.svg, "height=\"", "\"").parse().unwrap();
    for name in ["round-robin", "random", "all is accepted"] {
        let named = texts.iter().find(|(text, _)| text == name);
        let y = named.unwrap_or_else(|| panic!("{name}: {texts:?}")).1;
        assert!(y > 400.0 && y < whole, "{name} at {y} of {whole}");
    }
    assert_eq!(accepted.svg.matches("<svg ").count(), 1 + 3);
    assert!(pictures.iter().all(|picture| !picture.svg.contains("var(")));
    // a rule of as many classes as that of marks, and behind it
    let latency = &pictures[0].svg;
    let at = |rule: &str| latency.find(rule).unwrap_or_else(|| panic!("{rule}"));
    assert!(at(".mark.hollow{") > at(".c7 .mark,"));
}
