//! The page of a single run.
use crate::common::{elements, shows, table_after};

/// The page of a run with these files in the place of the plainest.
fn page_of(files: &[(&str, &str)]) -> String {
    let tmp = tempfile::tempdir().unwrap();
    let plain = [
        ("manifest.json", r#"{ "name": "x", "seed": 1 }"#),
        ("summary.json", "{}"),
        ("series.csv", "t_ns,delivered_bytes_per_ns\n0,1.5\n"),
    ];
    for (name, text) in plain.iter().chain(files) {
        std::fs::write(tmp.path().join(name), text).unwrap();
    }
    let page = report::render(tmp.path()).unwrap();
    elements(&page);
    page
}

// What to know comes before the figures; lower bounds, parts and the share of ideal are marked.
#[test]
fn single_run_has_its_summary_and_warnings() {
    let page = page_of(&[
        ("manifest.json", r#"{ "name": "case-2", "seed": 18446744073709551615, "hash": "00ab" }"#),
        (
            "summary.json",
            r#"{ "flows_starved": 3, "delivered_bytes_per_ns": 9, "ideal_bytes_per_ns": 12,
                 "packets_delivered": 123456, "relative_throughput": null, "events_hash": "00ff",
                 "latency_ns": { "p50": 4.5, "p99": 464.25, "lower_bounds": ["p99"] },
                 "windows": { "during": {} }, "victims": { "delivered_bytes_per_ns": 1.25 },
                 "steady": { "first_half_bytes_per_ns": 0.78, "second_half_bytes_per_ns": 0.725,
                             "noise_bytes_per_ns": 0.02, "differs": true } }"#,
        ),
    ]);
    shows(
        &page,
        &[
            "18446744073709551615",
            "3 flows starved: standing demand",
            "(0.780 then 0.725 bytes/ns, noise 0.020)",
            "123\u{202f}456",
            "title=\"latency_ns.p50\">latency: p50, ns</th><td>4.5</td>",
            "title=\"latency_ns.p99\">latency: p99, ns</th><td>&gt;= 464.25</td>",
            "title=\"of_ideal\">of ideal</th><td>0.75</td>",
        ],
    );
    assert!(!page.contains("lower_bounds"));
    assert!(!page.contains("victims.delivered"), "not twice");
}

#[test]
fn every_set_of_flows_of_a_run_has_a_line_with_every_window() {
    let page = page_of(&[
        (
            "windows.csv",
            "window,start_ns,end_ns,flows,group,delivered_bytes_per_ns,latency_p99_ns,\
             latency_p99_is_lower_bound,latency_undelivered,note\n\
             measured,0,30000,all,,2,1800000,true,0.065,\nmeasured,0,30000,victims,,1.25,,,,\n\
             measured,0,30000,group,hot,1.25,9,false,0,\n\
             before,0,20000,all,,3,9,false,0,cut: <made up>\n\
             before,0,20000,group,hot,1,9,false,0,\nduring,0,0,all,,,,,,there is no tree\n",
        ),
        (
            "series.csv",
            "t_ns,delivered_bytes_per_ns,saqs_ingress,saqs_egress,saqs_ingress_max_port,\
             saqs_egress_max_port,hot_bytes_per_ns\n0,1.5,0,0,0,0,0.5\n\
             10000,2,3,1,1,1,0.5\n20000,2,3,1,1,1,0.25\n",
        ),
    ]);
    let table = table_after(&page, "<h2>Flows and windows</h2>");
    assert_eq!(table.matches("<tr").count(), 1 + 6);
    shows(
        table,
        &[
            ">Delivered<",
            ">Message p99<",
            ">victims</th><td class=\"l\">measured</td><td>1.25</td>",
            ">group hot</th><td class=\"l\">measured</td>",
            ">group hot</th><td class=\"l\">before</td>",
            "&gt;= 1\u{202f}800\u{202f}000<small>6.5 % undelivered</small>",
        ],
    );
    let (cut, none) = ("cut: &lt;made up&gt;", "during: empty; there is no tree. Latencies");
    let note = format!("before: 0 to 20\u{202f}000 ns; {cut}. {none}");
    shows(&page, &[&note, "<span>group hot</span>", "id=\"saqs\""]);
    let windows = format!("Window before: {cut}. Window during: there is no tree.");
    shows(&page, &["before 0\u{2013}20 \u{b5}s.", &windows]);
}

// A run of one bin has a width too: that of the run.
#[test]
fn run_of_one_bin_has_a_time_axis() {
    let manifest = r#"{ "name": "short", "seed": 1, "series_bin_ns": 10000, "duration_ns": 4000 }"#;
    shows(&page_of(&[("manifest.json", manifest)]), &["Time, ns", ">4000</text>"]);
}
