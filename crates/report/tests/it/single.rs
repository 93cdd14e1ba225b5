//! The page of a single run.
use crate::common::{elements, page_of, table_after};

#[test]
fn single_run_states_what_to_know_before_its_figures() {
    let page = page_of(&[
        ("manifest.json", r#"{ "name": "x", "seed": 1 }"#),
        (
            "summary.json",
            r#"{ "flows_starved": 3, "delivered_bytes_per_ns": 9, "ideal_bytes_per_ns": 12,
                 "latency_ns": { "p50": 4.5, "p99": 464.25, "lower_bounds": ["p99"] },
                 "windows": { "during": {} }, "victims": { "delivered_bytes_per_ns": 1.25 },
                 "steady": { "first_half_bytes_per_ns": 0.78, "second_half_bytes_per_ns": 0.725,
                             "noise_bytes_per_ns": 0.02, "differs": true } }"#,
        ),
        ("series.csv", "t_ns,delivered_bytes_per_ns\n0,1.5\n"),
        (
            "windows.csv",
            "window,start_ns,end_ns,flows,group,delivered_bytes_per_ns,note\n\
             measured,0,50,all,,2,\nmeasured,0,50,victims,,1.25,\n",
        ),
    ]);
    elements(&page);
    assert!(page.contains("3 flows starved: standing demand"));
    for row in [
        "title=\"latency_ns.p50\">latency: p50, ns</th><td>4.5</td>",
        "title=\"latency_ns.p99\">latency: p99, ns</th><td>&gt;= 464.25</td>",
        "title=\"of_ideal\">of ideal</th><td>0.75</td>",
    ] {
        assert!(page.contains(row), "{row}");
    }
    assert!(!page.contains("lower_bounds"));
    assert!(page.contains("(0.780 then 0.725 bytes/ns, noise 0.020)"));
    assert!(table_after(&page, "<h2>Flows and windows</h2>").contains(
        "<th scope=\"row\" class=\"l\">victims</th><td class=\"l\">measured</td><td>1.25</td>"
    ));
    assert!(!page.contains("victims.delivered"), "not twice");
}

#[test]
fn every_set_of_flows_of_a_run_has_a_line_with_every_window() {
    let page = page_of(&[
        ("manifest.json", r#"{ "name": "x", "seed": 1 }"#),
        ("summary.json", "{}"),
        ("series.csv", "t_ns,delivered_bytes_per_ns\n0,1.5\n"),
        (
            "windows.csv",
            "window,start_ns,end_ns,flows,group,delivered_bytes_per_ns,latency_p99_ns,\
             latency_p99_is_lower_bound,latency_undelivered,note\n\
             measured,0,50,all,,2,1800000,true,0.065,\nmeasured,0,50,group,hot,1.25,9,false,0,\n\
             during,20,50,all,,3,9,false,0,cut: <made up>\nduring,20,50,group,hot,1,9,false,0,\n",
        ),
    ]);
    let table = table_after(&page, "<h2>Flows and windows</h2>");
    assert_eq!(table.matches("<tr").count(), 1 + 2 * 2);
    for text in [
        ">Delivered<",
        ">Message p99<",
        ">group hot</th><td class=\"l\">measured</td>",
        ">group hot</th><td class=\"l\">during</td>",
    ] {
        assert!(table.contains(text), "{text}");
    }
    assert!(table.contains("&gt;= 1\u{202f}800\u{202f}000<small>6.5 % undelivered</small>"));
    assert!(page.contains("during: 20 to 50 ns; cut: &lt;made up&gt;. Latencies"));
}

#[test]
fn single_run_has_its_summary_and_a_line_a_group() {
    let page = page_of(&[
        ("manifest.json", r#"{ "name": "case-2", "seed": 18446744073709551615, "hash": "00ab" }"#),
        (
            "windows.csv",
            "window,start_ns,end_ns,flows,group,note\nmeasured,0,30000,all,,\n\
             before,0,20000,all,,\nduring,0,0,all,,there is no tree\n",
        ),
        (
            "summary.json",
            r#"{ "packets_delivered": 123456, "relative_throughput": null,
                 "latency_ns": { "p99": 33.25 }, "events_hash": "00ff" }"#,
        ),
        (
            "series.csv",
            "t_ns,delivered_bytes_per_ns,saqs_ingress,saqs_egress,saqs_ingress_max_port,\
             saqs_egress_max_port,hot_bytes_per_ns\n0,1.5,0,0,0,0,0.5\n\
             10000,2,3,1,1,1,0.5\n20000,2,3,1,1,1,0.25\n",
        ),
    ]);
    elements(&page);
    for text in [
        "18446744073709551615",
        "123\u{202f}456",
        "latency: p99, ns</th><td>33.2",
        "<span>group hot</span>",
        "id=\"saqs\"",
        "before 0\u{2013}20 \u{b5}s. Window during: there is no tree.",
    ] {
        assert!(page.contains(text), "{text}");
    }
}

// A run of one bin has a width too: that of the run.
#[test]
fn run_of_one_bin_has_a_time_axis() {
    let page = page_of(&[
        (
            "manifest.json",
            r#"{ "name": "short", "seed": 1, "series_bin_ns": 10000, "duration_ns": 4000 }"#,
        ),
        ("summary.json", "{}"),
        ("series.csv", "t_ns,delivered_bytes_per_ns\n0,1.5\n"),
    ]);
    assert!(page.contains("Time, ns"));
    assert!(page.contains(">4000</text>"), "{page}");
}
