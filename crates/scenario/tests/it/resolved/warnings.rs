//! What is legal and warned of.

use super::with;

/// "`workload.hot.load=0` silently takes those nodes out of the random sources", "hot traffic that
/// starts after the end of the run passes silently": both are legal, points of a sweep and
/// shortened runs have them, and both are said.
#[test]
fn a_group_that_sends_nothing_is_warned_of() {
    let warnings = |texts: &[&str]| {
        let hot = ["workload.hot.sources=16", "workload.hot.destinations=32"];
        with(&[&hot, texts].concat()).warnings()
    };
    let [load] = &warnings(&["workload.hot.load=0"])[..] else { panic!("one warning") };
    assert!(load.starts_with("workload.hot.load = 0: "), "{load}");
    assert!(load.contains("kept out of the random sources"), "{load}");
    for (start, warned) in [(99_998, false), (100_000, true), (800_000, true)] {
        let found = warnings(&[&format!("workload.hot.start_ns={start}")]);
        assert_eq!(found.len(), usize::from(warned), "{found:?}");
        assert!(!warned || found[0].contains("the run ends at 100000 ns"), "{found:?}");
    }
    // Source j starts at 20,000 + 10,000 j: 8 of 16 before the end.
    let stepped = warnings(&["workload.hot.start_ns=20000", "workload.hot.step_ns=10000"]);
    assert_eq!(stepped.len(), 1);
    assert!(stepped[0].contains("before 8 of the 16 sources"), "{stepped:?}");
    assert_eq!(warnings(&["workload.hot.load=0.5"]), [""; 0]);
}

// Hot spots that move do so for some time: that a shortened run has only the first is said.
#[test]
fn destinations_that_are_never_hot_are_warned_of() {
    let warnings = |texts: &[&str]| {
        let moving =
            ["workload.moving.destinations=[32, 33, 34, 35]", "workload.moving.dwell_ns=20000"];
        with(&[&moving, texts].concat()).warnings()
    };
    assert_eq!(warnings(&[]), [""; 0]);
    // The last two start at 100,000 and 120,000 ns.
    let late = warnings(&["workload.moving.start_ns=60000"]);
    let what = "workload.moving.period_ns = 20000: the run ends at 100000 ns, before 2 of the 4";
    assert!(late.len() == 1 && late[0].starts_with(what), "{late:?}");
    for (set, what) in [
        ("workload.moving.load=0", "workload.moving.load = 0: "),
        ("workload.moving.start_ns=100000", "workload.moving.start_ns = 100000: "),
    ] {
        let found = warnings(&[set]);
        assert!(found.len() == 1 && found[0].starts_with(what), "{found:?}");
        assert!(found[0].contains("group `moving`"), "{found:?}");
    }
}

// The key is of the versions with tokens; where nothing reads it, that is said, not refused.
#[test]
fn root_xoff_is_warned_of_where_nothing_reads_it() {
    let warnings = |scheme: &str, organisation: &str, root_xoff: &str| {
        let keys = [
            format!("switch.scheme={scheme}"),
            format!("switch.organisation={organisation}"),
            format!("recn.root_xoff_packets={root_xoff}"),
            // Nothing else to warn of.
            "recn.saqs=1".to_string(),
        ];
        with(&keys.each_ref().map(String::as_str)).warnings()
    };
    for (scheme, organisation) in [("recn-dd", "cioq"), ("recn-dd-iq", "iq")] {
        let expected = format!(
            "recn.root_xoff_packets has no effect with `{scheme}`: only `recn-basic` and `recn` read it"
        );
        assert_eq!(warnings(scheme, organisation, "8"), [expected]);
        assert_eq!(warnings(scheme, organisation, "off"), [""; 0]);
    }
    for scheme in ["recn-basic", "recn"] {
        assert_eq!(warnings(scheme, "cioq", "8"), [""; 0]);
    }
}

// "`strict`: normal queues first, always": it changes nothing where there are no SAQs, and where no
// head is ever overdue.
#[test]
fn strict_priority_is_warned_of_where_it_changes_nothing() {
    let warnings = |keys: [&str; 2]| {
        let strict = "switch.saq_priority=strict";
        with(&[keys[0], keys[1], strict]).warnings().join("")
    };
    let of = |why| format!("switch.saq_priority = \"strict\" has no effect: {why}");
    assert_eq!(warnings(["switch.scheme=voq-sw", "recn.saqs=1"]), of("`voq-sw` has no SAQs"));
    assert_eq!(
        warnings(["switch.scheme=recn", "switch.wait_bound_packets=none"]),
        of("without a waiting bound no head is ever overdue")
    );
    assert_eq!(warnings(["switch.scheme=recn", "recn.saqs=1"]), "");
}

// A response without marks, a curve that a memory never reaches, and a rate that is longer than the
// run are points of a sweep too.
#[test]
fn ecn_that_does_nothing_is_warned_of() {
    let warnings = |response: &str, texts: &[&str]| {
        let ecn = [format!("ecn.response={response}"), "ecn.marking=red".to_string()];
        let all: Vec<&str> = ecn.iter().map(String::as_str).chain(texts.iter().copied()).collect();
        with(&all).warnings()
    };
    for response in ["lipd", "dcqcn"] {
        assert_eq!(warnings(response, &[]), [""; 0], "{response}");
        let [none] = &warnings(response, &["ecn.marking=none"])[..] else { panic!("one warning") };
        assert!(none.contains("no packet is marked, so no rate falls"), "{none}");
    }
    let memory = ["switch.port_memory_bytes=16384", "ecn.red_kmax_bytes=40000"];
    for (kmin, warned) in [("16383", false), ("16384", true)] {
        let kmin = format!("ecn.red_kmin_bytes={kmin}");
        let found = warnings("lipd", &[&memory[..], &[kmin.as_str()]].concat());
        assert_eq!(found.len(), usize::from(warned), "{found:?}");
    }
    // Packets of 64 bytes, 1 byte/ns, a run of 100,000 ns: 1,562 packet times.
    for (ratio, warned) in [("1562", false), ("1563", true)] {
        let found = warnings("lipd", &[&format!("ecn.rate_ratio={ratio}")]);
        assert_eq!(found.len(), usize::from(warned), "{found:?}");
    }
}
