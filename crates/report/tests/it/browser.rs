//! The page of a sweep in headless Chromium, where it is installed: it renders, shows its values,
//! lets its lines be chosen, fits its windows and paper, and the console has no errors.
use crate::common::chromium::visit;
use crate::common::{SMALL, View, calm, load, many, paper, recording, sizing, sweep};
use serde_json::json;

#[test]
fn page_fits_every_window_and_has_no_errors() {
    let script = "const { scrollWidth } = document.documentElement;
        return [scrollWidth, innerWidth, document.querySelectorAll('figure svg polyline').length]";
    let sizing = sweep("sizing", &sizing(), 3, None);
    let (many, recorded) = (sweep("many", &many(), 1, None), recording(SMALL, &[]));
    for (page, width, dark) in [
        (&sizing, 390, false),
        (&sizing, 1024, false),
        (&sizing, 1400, false),
        (&sizing, 390, true),
        (&sizing, 1400, true),
        (&many, 390, false),
        (&recorded, 390, false),
    ] {
        let view = if dark { View::Dark(width) } else { View::Light(width) };
        let Some(seen) = calm(page, script, view) else {
            return;
        };
        let [wide, inner, lines] = [0, 1, 2].map(|n| seen[n].as_u64().unwrap());
        assert_eq!(inner, u64::from(width));
        assert!(wide <= inner, "{wide} in {view:?}");
        assert!(lines > 10, "{lines}");
    }
}

#[test]
fn an_error_of_the_page_is_seen() {
    let page = sweep("x", &sizing(), 1, None);
    let page = page.replace("</main>", "</main><script>undefinedHere()</script>");
    if let Some((_, errors)) = visit(&page, "return 1", View::Light(1024)) {
        assert_eq!(errors.len(), 1, "{errors:?}");
    }
}

#[test]
fn dark_is_dark() {
    let script = "return getComputedStyle(document.body).backgroundColor";
    let page = sweep("x", &sizing(), 1, None);
    for (view, colour) in
        [(View::Dark(1024), "rgb(15, 20, 25)"), (View::Light(1024), "rgb(255, 255, 255)")]
    {
        if let Some(seen) = calm(&page, script, view) {
            assert_eq!(seen, colour);
        }
    }
}

#[test]
fn arrow_keys_move_along_lines_and_from_line_to_line() {
    let page = sweep("load", &load(), 3, None);
    let Some(seen) = calm(&page, "return arrows()", View::Light(1024)) else {
        return;
    };
    let shown: Vec<&str> = (1..7).map(|n| seen[n].as_str().unwrap()).collect();
    assert_eq!(seen[0], true, "takes the focus");
    let at = |shown: &str, line: &str, load: &str| {
        let line = format!("{line}: Mean message latency ");
        let load = format!(" \u{b5}s (logarithmic), Offered load {load} of link rate");
        shown.starts_with(&line) && shown.ends_with(&load)
    };
    assert!(at(shown[0], "round-robin", "0.1"), "{shown:?}");
    assert!(shown[0].contains(" to "), "the spread: {shown:?}");
    assert!(at(shown[1], "round-robin", "0.2"), "{shown:?}");
    assert!(at(shown[2], "random", "0.2"), "{shown:?}");
    assert!(at(shown[3], "random", "1"), "{shown:?}");
    assert!(shown[3].contains("latency at least "), "{shown:?}");
    assert!(at(shown[4], "random", "0.1"), "{shown:?}");
    assert_eq!(shown[5], "");
}

#[test]
fn pointer_shows_the_nearest_value() {
    let page = sweep("sizing", &sizing(), 1, None);
    let Some(seen) = calm(&page, "return pointer()", View::Light(390)) else {
        return;
    };
    let shown = seen[0].as_str().unwrap();
    assert!(shown.starts_with("1q: Victims, of voq-net 36."), "{shown}");
    assert!(shown.ends_with(" %, Control 5130 bits a port"));
    assert_eq!(seen[1], "");
    assert_eq!(seen[2], true, "inside of the window");
    let apart = seen[3].as_f64().unwrap();
    assert!((0.0..30.0).contains(&apart), "{apart} from the mark");
}

#[test]
fn lines_are_chosen_by_their_values() {
    let page = sweep("many", &many(), 1, None);
    let Some(seen) = calm(&page, "return chooses()", View::Light(1024)) else {
        return;
    };
    let shown = seen[5].as_str().unwrap().to_string();
    let begin = "load 0: Delivered ";
    assert!(shown.starts_with(begin) && shown.ends_with(" \u{b5}s"), "{shown}");
    let next = seen[8].as_str().unwrap().to_string();
    assert!(!next.is_empty() && !next.starts_with("load 0:"), "what is hidden is not told: {next}");
    let drawn = |n: u32| format!("{n} of 27 lines are drawn.");
    let expected =
        json!([8, drawn(8), 9, 9, drawn(9), shown, 8, 9, next, 27, 27, drawn(27), 0, 0, "", 8]);
    assert_eq!(seen, expected);
}

/// What the script draws is what was drawn before it.
#[test]
fn lines_are_drawn_alike_with_and_without_scripts() {
    let page = sweep("sizing", &sizing(), 3, None);
    let Some(seen) = calm(&page, "return drawnAlike()", View::Light(1024)) else {
        return;
    };
    assert_eq!(seen[0], 10);
    assert_eq!(seen[1], json!([true, true, true, true]));
    for apart in seen[2].as_array().unwrap() {
        assert!(apart.as_f64().is_some_and(|a| a < 0.3), "{:?}", seen);
    }
}

#[test]
fn without_scripts_the_first_lines_are_drawn() {
    let page = sweep("many", &many(), 1, None);
    let (before, rest) = page.rsplit_once("<script>").unwrap();
    let page = format!("{before}{}", rest.split_once("</script>").unwrap().1);
    let script = "return [drawn('throughput'), text('throughput', '.count'),
        getComputedStyle(of('throughput', '.choice')).display]";
    let Some(seen) = calm(&page, script, View::Light(1024)) else {
        return;
    };
    assert_eq!(seen, json!([8, "8 of 27 lines are drawn.", "none"]));
}

/// Every cell lies inside of the paper, and no number or word is broken.
#[test]
fn no_column_is_cut_on_paper() {
    let pages = [(sweep("sizing", &sizing(), 3, None), 150), (recording(SMALL, &[]), 3)];
    for (page, least) in pages {
        let script = format!("{}{}", paper::RULES, paper::CELLS);
        let Some(seen) = calm(&page, &script, View::Light(paper::WIDTH)) else {
            return;
        };
        assert!(seen[0].as_u64().unwrap() > least);
        assert_eq!(seen[1], json!([]), "cut");
        assert_eq!(seen[2], json!([]), "broken");
    }
}
