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

/// Made of what `study` pins as the layout of its store: the two agree.
#[test]
fn outline_of_the_pinned_sweep() {
    insta::assert_snapshot!(outline(&pinned()));
}
