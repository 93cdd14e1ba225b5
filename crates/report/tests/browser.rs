//! The page of a sweep in headless Chromium, where it is installed.
mod common;

use common::chromium::{View, visit};
use common::{sizing, write_sweep};

fn page() -> String {
    let tmp = tempfile::tempdir().unwrap();
    write_sweep(tmp.path(), "sizing", &sizing(), 3, None);
    report::render(tmp.path()).unwrap()
}

#[test]
fn page_renders_without_errors() {
    let script = "return document.querySelectorAll('figure svg polyline').length";
    let Some(seen) = visit(&page(), script, View::light(1024)) else {
        return;
    };
    assert_eq!(seen.errors, [""; 0]);
    assert!(seen.result.as_u64().unwrap() > 10, "{seen:?}");
    let script = "return [innerWidth, matchMedia('(prefers-color-scheme: dark)').matches]";
    let seen = visit(&page(), script, View::dark(390)).unwrap();
    assert_eq!(seen.result, serde_json::json!([390, true]));
}

#[test]
fn an_error_of_the_page_is_seen() {
    let page = page().replace("</main>", "</main><script>undefinedHere()</script>");
    let Some(seen) = visit(&page, "return 1", View::light(1024)) else {
        return;
    };
    assert_eq!(seen.errors.len(), 1, "{seen:?}");
}
