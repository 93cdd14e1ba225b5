//! The page of a recorded run.
use crate::common::{
    SMALL, Size, View, calm, elements, paper, recording, shows, sizing, sweep, write_recording,
};
use serde_json::{Value, json};

#[test]
fn page_shows_what_was_recorded() {
    let page = recording(SMALL, &[]);
    let all = elements(&page);
    let headings: Vec<&str> = all.iter().filter(|e| e.1 == "h2").map(|e| e.3.as_str()).collect();
    let expected = [
        "Summary",
        "Congestion trees",
        "Ports over time",
        "SAQs and CAM lines over time",
        "Throughput over time",
        "Latency distribution",
    ];
    assert_eq!(headings, expected);
    shows(&page, &["RECN, enhanced, 8 SAQs a port", "0.5 of link rate, uniform", "edge list"]);
    // without a script the moment with the most SAQs is seen
    let shown =
        |class: &str| all.iter().filter(|e| e.2.contains(&format!("class=\"{class} on"))).count();
    shows(&page, &["roots 2, ports with SAQs 10, SAQs 10, ports at Xoff 5"]);
    // samples of the legends: 2 of what marks mean, 2 roots
    assert_eq!((shown("port"), shown("root")), (10 + 4, 2 + 1));
}

#[test]
fn a_recording_may_lack_files() {
    for (without, has_trees, has_ports) in [
        (&["topology.json"][..], false, true),
        (&["ports.csv", "latency.csv"], true, false),
        (&["trees.json", "topology.json", "ports.csv", "cam.csv", "latency.csv"], false, false),
    ] {
        let page = recording(SMALL, without);
        elements(&page);
        assert_eq!(page.contains("<h2>Congestion trees</h2>"), has_trees, "{without:?}");
        assert_eq!(page.contains("<h2>Ports over time</h2>"), has_ports, "{without:?}");
        assert_eq!(page.contains(".scene"), has_trees || has_ports, "{without:?}");
    }
}

#[test]
fn a_damaged_file_is_named() {
    for (name, text) in
        [("trees.json", "{"), ("ports.csv", "t_ns,port\n0,x\n"), ("cam.csv", "row\nbin\n")]
    {
        let tmp = tempfile::tempdir().unwrap();
        write_recording(tmp.path(), SMALL);
        std::fs::write(tmp.path().join(name), text).unwrap();
        let error = report::render(tmp.path()).unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
    }
}

// "Large recordings are thinned for the page: at most 5 MB."
#[test]
fn a_large_recording_gives_a_page_of_at_most_5_mb() {
    let large = Size { switches: 128, ports: 8, bins: 400, trees: 3_000, branches: 60 };
    let tmp = tempfile::tempdir().unwrap();
    write_recording(tmp.path(), large);
    let size = |name: &str| std::fs::metadata(tmp.path().join(name)).unwrap().len();
    assert!(size("ports.csv") > 50_000_000 && size("trees.json") > 10_000_000);
    let page = report::render(tmp.path()).unwrap();
    assert!(page.len() > 500_000, "something is drawn: {}", page.len());
    assert!(page.len() <= 5_000_000, "{} bytes", page.len());
    assert!(page.contains("a column is 3 bins of 3 \u{b5}s, a row at most 8 ports"));
    assert!(page.contains("smaller ones are left out, trees.json has all"));
}

#[test]
fn pictures_are_self_contained() {
    let pages = [recording(SMALL, &[]), sweep("x", &sizing(), 3, None)];
    let pictures = pages.map(|page| report::pictures(&page)).concat();
    let names: Vec<&str> = pictures.iter().map(|p| p.name.as_str()).collect();
    for name in [
        "trees-0.svg",
        "ports-0.svg",
        "ports-1.svg",
        "cam-0.svg",
        "throughput-0.svg",
        "latency-1.svg",
        "sizing-0.svg",
        "saqs-3.svg",
    ] {
        assert!(names.contains(&name), "{name} of {names:?}");
    }
    for picture in &pictures {
        let svg = &picture.svg;
        assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\""));
        assert!(!svg.contains("var(--"), "{}: a variable", picture.name);
        elements(&format!("<!DOCTYPE html>{svg}"));
    }
    let trees = pictures.iter().find(|p| p.name == "trees-0.svg").unwrap();
    assert!(trees.svg.contains(".port.c0 path") && trees.svg.contains("stroke:#"));
}

fn open(script: &str, view: View) -> Option<Value> {
    calm(&recording(SMALL, &[]), script, view)
}

#[test]
fn slider_moves_the_trees() {
    let Some(seen) = open("return slide()", View::Light(1024)) else {
        return;
    };
    let text = |t: &str, roots, ports, saqs, xoff| {
        format!(
            "At {t} \u{b5}s: roots {roots}, ports with SAQs {ports}, SAQs {saqs}, \
             ports at Xoff {xoff}"
        )
    };
    let expected = json!([
        [text("6.04", 2, 10, 10, 5), 10, 2],
        [text("0", 0, 0, 0, 0), 0, 0],
        [text("12", 0, 0, 0, 0), 0, 0],
        [text("3", 1, 1, 1, 0), 1, 1],
        [text("3.01", 1, 2, 2, 0), 2, 1],
        [text("3.04", 1, 5, 5, 0), 5, 1],
        [text("3.5", 1, 5, 5, 5), 5, 1],
    ]);
    assert_eq!(seen, expected);
}

#[test]
fn values_are_shown_by_pointer_and_by_keyboard() {
    let Some(seen) = open("return values()", View::Dark(390)) else {
        return;
    };
    let shown = |n: usize| seen[n].as_str().unwrap();
    for (n, span) in
        ["0, 0 to 1 \u{b5}s: utilised ", ", 1 to 2 \u{b5}s: utilised "].iter().enumerate()
    {
        shows(shown(n), &[span]);
        let words: Vec<&str> = shown(n).split(' ').collect();
        let shares = words.windows(2).filter(|w| w[1].starts_with('%'));
        assert_eq!(shares.map(|w| w[0].parse::<u32>().unwrap()).sum::<u32>(), 100);
    }
    shows(shown(2), &["SAQ", "for root switch"]);
}

/// On paper every panel is open, a picture a sheet, and afterwards all is as it was.
#[test]
fn every_panel_is_on_paper() {
    let script = format!("{}return panels()", paper::RULES);
    let Some(seen) = open(&script, View::Light(paper::WIDTH)) else {
        return;
    };
    let highest = seen[4].as_f64().unwrap();
    assert!(highest < f64::from(paper::HEIGHT), "{highest}");
    assert_eq!(seen, json!([1, 2, 2, true, highest, 1]));
}

/// What is too small to be read is not drawn: at least 7 pixels on a phone.
#[test]
fn numbers_are_large_enough_to_be_read() {
    for (width, numbers) in [(390, 0), (1024, 6)] {
        let Some(seen) = open("return textSizes()", View::Light(width)) else {
            return;
        };
        let least = seen[0].as_f64().unwrap();
        assert!(least >= 7.0, "{least} at {width}");
        assert_eq!(seen[1], json!(numbers), "numbers of switches at {width}");
    }
}
