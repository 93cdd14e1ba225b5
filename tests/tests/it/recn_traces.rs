//! The rules of RECN in a fabric: small scenarios and all that their ports do, event by event. What
//! one port decides is tested beside it, in `crates/recn/tests`; every order of events:
//! `model_checking.rs`.

use observe::Trace;
use plan::SchemeKind;
use setaside_tests::base::{fabric_config, network, ratio, switch_config};
use setaside_tests::erased::seen_drained;
use setaside_tests::metamorphic::{record, scenario};
use topology::TopologyConfig;
use units::Ratio;
use workload::{GroupConfig, Pattern, Sources, WorkloadConfig};

/// Network, who sends to node 2 at the full rate, up to when.
type Traffic = (&'static str, &'static [u32], u64);

/// One packet through a switch of four ports.
const ONE_PACKET: Traffic = ("topology = \"single-switch\"\nnodes = 4", &[0], 64);
const TWO_SOURCES: Traffic = ("topology = \"single-switch\"\nnodes = 4", &[0, 1], 1_500);
const TWO_SWITCHES: Traffic =
    ("topology = \"mesh\"\nwidth = 2\nheight = 1\nnodes_per_switch = 2", &[0, 1, 3], 1_200);

/// Name of the snapshot, traffic, and thresholds of detection at egress and ingress, propagation,
/// Xoff, Xon (513 packets are more than a port holds), and what else is set.
type Case = (&'static str, Traffic, [u32; 5], &'static [&'static str]);

const CASES: [Case; 10] = [
    // "It has no host and is ready at once [...] It counts as congested: notify upstream at once";
    // "A SAQ made by ingress detection and not adopted is a root: freed by the same rule, with no
    // token to send."
    ("swap", ONE_PACKET, [513, 1, 10, 10, 5], &[]),
    ("next-tick", ONE_PACKET, [513, 1, 10, 10, 5], &["recn.saq_timer_ns=0"]),
    // "A notification sent while `xoff_sent` is set is followed by Xoff in the same control queue."
    ("swap-at-Xoff", ONE_PACKET, [513, 1, 1, 1, 0], &[]),
    // "egress occupancy > `detection_egress`", "notify the ingress port that sent it".
    ("egress-root", TWO_SOURCES, [3, 513, 10, 10, 5], &[]),
    // "ingress detection queue >= `detection_ingress`"; "the full queue becomes the SAQ".
    ("ingress-root", TWO_SOURCES, [513, 4, 10, 10, 5], &["switch.speedup=1"]),
    // Where Xoff is met earlier than propagation it waits for the notification.
    ("early-Xoff", TWO_SOURCES, [0, 513, 3, 3, 1], &["switch.port_memory_bytes=1024"]),
    // "Then a token goes downstream to the notifier; when no child is left there, that SAQ is a leaf
    // again; so on to the root."
    ("tree", TWO_SWITCHES, [5, 513, 3, 6, 3], &["switch.port_memory_bytes=2048"]),
    ("basic", TWO_SWITCHES, [2, 513, 1, 3, 1], &["switch.scheme=recn-basic"]),
    // "the only inter-switch message is Xoff/Xon"
    ("dd", TWO_SWITCHES, [2, 3, 1, 3, 1], &["switch.scheme=recn-dd"]),
    ("dd-iq", TWO_SWITCHES, [2, 3, 1, 3, 1], DD_IQ),
];

const DD_IQ: &[&str] = &[
    "switch.scheme=recn-dd-iq",
    "switch.organisation=iq",
    "switch.speedup=1",
    "recn.iq_egress_lines=true",
];

/// What is about packets alone.
const OF_PACKETS: [&str; 6] =
    [" stored ", " departed ", " ejected ", "Hop", "CreditSent", "Offered"];

fn events((_, traffic, thresholds, sets): &Case) -> String {
    let (network, sources, end_ns) = traffic;
    let [egress, ingress, propagation, xoff, xon] = thresholds;
    let text = format!(
        "[network]\n{network}\n[switch]\nscheme = \"recn\"\nspeedup = 2\n\
         [recn]\nsaqs = 8\ndetection_egress_packets = {egress}\n\
         detection_ingress_packets = {ingress}\npropagation_packets = {propagation}\n\
         xoff_packets = {xoff}\nxon_packets = {xon}\n\
         [[workload.group]]\nname = \"all\"\nsources = {sources:?}\ndestinations = [2]\nload = 1\n\
         end_ns = {end_ns}\n[run]\nduration_ns = 100_000\n"
    );
    let config = scenario(&text, sets).build().expect("legal");
    let text = seen_drained(&config, Trace::default()).text();
    let is_short = *end_ns < 100;
    let protocol = text.lines().filter(|line| {
        is_short && !line.contains("CreditSent") || !OF_PACKETS.iter().any(|of| line.contains(of))
    });
    protocol.map(|line| format!("{line}\n")).collect()
}

#[test]
fn ports_do_as_the_rules_say() {
    for case in &CASES {
        insta::assert_snapshot!(case.0, events(case));
    }
}

/// Delivered in bins of 10 us, bytes/ns, on a BMIN of 64 nodes: trees case 2, shortened. 48 nodes
/// send to random ones at full rate, 16 to node 32 from 20 us to 120 us.
fn delivered_around_a_tree(scheme: SchemeKind) -> Vec<f64> {
    let hot = GroupConfig {
        pattern: Pattern::Hot,
        destinations: vec![32],
        sources: Sources::Share(ratio(1, 4)),
        start_ns: 20_000,
        end_ns: Some(120_000),
        ..GroupConfig::default()
    };
    let workload =
        WorkloadConfig { load: Some(Ratio::ONE), hot: Some(hot), ..WorkloadConfig::default() };
    let bmin = network(&TopologyConfig::Bmin { nodes: 64 }, false);
    let config = fabric_config(bmin, switch_config(scheme), ratio(3, 2), &workload, 120_000, 1);
    record(&config).series.iter().map(|bin| bin.delivered_bytes_per_ns).collect()
}

/// "trees, case 2, s = 1.5: [...] `recn` shows no degradation"; "without any mechanism, hot spot:
/// throughput falls by about 70 %" (targets.md). The whole tree counts for `recn`. `1q` takes some
/// 60 us to collapse (it loses 31 % over the whole 100 us), so it is judged by the last 20 us.
#[test]
fn a_congestion_tree_does_not_hurt_recn() {
    let schemes = [SchemeKind::VoqNet, SchemeKind::Recn, SchemeKind::OneQueue];
    let [ideal, recn, one_queue] = schemes.map(delivered_around_a_tree);
    let mean = |bins: &[f64]| bins.iter().sum::<f64>() / bins.len() as f64;
    assert_eq!(ideal.len(), 12);
    let kept = mean(&recn[2..]) / mean(&ideal[2..]);
    assert!(kept >= 0.97, "recn keeps {kept} of voq-net");
    let kept = mean(&one_queue[10..]) / mean(&ideal[10..]);
    assert!(kept < 2.0 / 3.0, "1q keeps {kept} of voq-net when the tree has grown");
}
