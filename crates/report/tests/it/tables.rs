//! The tables of a sweep and the notes beside them.
use crate::common::{
    Shape, counts, elements, part, shape, shows, sizing, sweep, table_after, write_sweep,
};
use std::fs;

#[test]
fn failed_run_is_listed_with_its_error() {
    let error = "failed with exit code 3: deadlock at 12 us: &lt;port 3&gt; &amp; others";
    let listed = format!("<li>02-run: {error}</li>");
    let page = sweep("x", &sizing(), 1, Some(2));
    shows(&page, &[&listed, "10 points, 10 runs: 9 finished, 1 failed"]);
}

#[test]
fn answers_are_beside_the_target() {
    let page = sweep("x", &sizing(), 1, None);
    shows(
        &page,
        &[
            "Enough: victims at least 98 % of the best: &lt;made up&gt;.",
            "<li>one seed: &lt;made up&gt;</li>",
            "The throughput of victims (flows to no hot destination) in window during",
        ],
    );
    let table = table_after(&page, "aria-label=\"Answers\"");
    // of those with 1 to 16 SAQs the first that is enough, then five schemes without SAQs
    assert_eq!(table.matches("<tr").count(), 1 + 1 + 5);
    let row = |name: &str| {
        let row = table.split("<tr").find(|row| row.contains(&format!("<span>{name}</span></th>")));
        row.unwrap_or_else(|| panic!("{name} in {table}"))
    };
    assert!(row("recn").starts_with(" class=\"yes\"") && row("recn").contains(">8</td>"));
    shows(row("voq-net"), &["<td>no SAQs</td>", ">100.0</td>"]);
    assert!(!row("1q").contains("class=\"yes\"") && row("1q").contains("<td>\u{2212}"));
}

// "One meaning of ± everywhere", stated where there is any.
#[test]
fn intervals_are_below_their_means() {
    let page = sweep("x", &sizing(), 3, None);
    let results = table_after(&page, "<h2>All points</h2>");
    assert!(results.matches("<small>\u{b1}").count() > 20, "{results}");
    assert!(!results.contains(".."), "no ranges");
    shows(&page, &["\u{b1}: half of the 95 % interval over the replicas"]);
    assert!(!sweep("x", &sizing(), 1, None).contains('\u{b1}'));
}

#[test]
fn bounds_starved_flows_and_unsteady_points_are_marked() {
    let page = sweep("x", &sizing(), 1, None);
    let results = table_after(&page, "<h2>All points</h2>");
    // p99 and mean; then one starved, one unsteady
    counts(results, &[("&gt;=", 2), ("<td class=\"bad\"", 1), (">*</span>", 1)]);
    shows(
        results,
        &[
            ">&gt;= 1\u{202f}800\u{202f}000<small>6.5 % undelivered</small></td>",
            // columns that are asked for
            "class=\"more\" title=\"switch_control_bits\"",
            // short names, keys beside them
            "title=\"switch.scheme = recn, recn.saqs = 4\">",
            "<span>recn \u{b7} 4 SAQs</span></th>",
        ],
    );
    let note = "<p class=\"note bad\">*: second half of the measured time differs";
    shows(&page, &[note, ".points .more { display: none; }"]);
}

#[test]
fn the_best_of_a_column_is_marked_and_what_is_the_same_is_shown_once() {
    let same = |shape| Shape { bits: 10, ..shape };
    let page = sweep("x", &sizing().into_iter().map(same).collect::<Vec<_>>(), 1, None);
    let results = table_after(&page, "<h2>All points</h2>");
    let row = |name: &str| results.split("<tr>").find(|r| r.contains(name)).unwrap();
    let best = |name: &str| row(name).matches("class=\"best\" style=\"--w:").count();
    assert!(best(">voq-net<") >= 4 && best(">recn \u{b7} 1 SAQ<") == 0);
    shows(&page, &["The same at all points: ", " control / port 10 bit"]);
    assert!(!results.contains("title=\"port_control_bits\""));
}

// "a point of one replica [must not be printed] as whole"
#[test]
fn point_whose_replicas_are_not_all_there_is_marked() {
    let page = sweep("x", &sizing(), 3, Some(4));
    counts(&page, &[("<small class=\"bad\">2 of 3 replicas</small>", 1)]);
    assert!(!sweep("x", &sizing(), 3, None).contains("replicas</small>"));
}

// One damaged run does not cost the page of the others.
#[test]
fn unreadable_run_is_listed_and_the_others_are_drawn() {
    let tmp = tempfile::tempdir().unwrap();
    write_sweep(tmp.path(), "x", &sizing(), 1, None);
    fs::write(tmp.path().join("runs/03-run/series.csv"), "t_ns,delivered_bytes_per_ns\n0,many\n")
        .unwrap();
    fs::remove_file(tmp.path().join("runs/05-run/series.csv")).unwrap();
    let page = report::render(tmp.path()).unwrap();
    elements(&page);
    shows(&page, &["10 points, 10 runs: 8 finished, 2 unreadable"]);
    for run in ["03-run", "05-run"] {
        let line = page.lines().find(|l| l.starts_with(&format!("<li>{run}: unreadable: ")));
        assert!(line.is_some_and(|l| l.contains("series.csv")), "{run}");
    }
    counts(part(&page, "id=\"throughput\"", "</figure>"), &[("aria-pressed=\"true\"", 8)]);
}

#[test]
fn what_is_not_a_store_is_a_typed_error() {
    let tmp = tempfile::tempdir().unwrap();
    assert!(matches!(report::render(tmp.path()), Err(report::ReportError::NotAStore { .. })));
    let store =
        r#"{"format":2,"name":"","scenario":"","axes":[],"columns":[],"points":[],"runs":[]}"#;
    fs::write(tmp.path().join("results.json"), store).unwrap();
    assert!(report::render(tmp.path()).unwrap_err().to_string().contains("format 2 is not known"));
}

#[test]
fn long_tables_are_closed_until_asked_for() {
    let point = |n: u32| shape(&n.to_string(), &[("link.wire_ns", &n.to_string())], 0.5, 0, 10);
    let of = |count: u32| sweep("x", &(0..count).map(point).collect::<Vec<_>>(), 1, None);
    assert!(of(61).contains("<summary>61 points</summary>"));
    assert!(!of(60).contains("points</summary>"));
}
