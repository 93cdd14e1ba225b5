//! The published numbers of santos-ecn-2002, as bands around what targets.md prints, on the shipped
//! scenarios at full length.

use observe::{Summary, WindowResult};
use setaside_tests::prelude::*;
use setaside_tests::shipped::load;

fn config(name: &str, sets: &[(&str, &str)]) -> FabricConfig {
    load(&format!("santos-ecn-2002/{name}"), sets).build().expect("legal")
}

fn run(name: &str) -> Summary {
    record(&config(name, &[])).summary
}

fn window<'a>(summary: &'a Summary, name: &str) -> &'a WindowResult {
    &summary.windows[name]
}

/// Bytes/ns of a group, which is of link rate.
fn rate(window: &WindowResult, group: &str) -> f64 {
    window.groups[group].delivered_bytes_per_ns.expect("a rate")
}

fn link(window: &WindowResult, name: &str) -> f64 {
    window.links[name].expect("a utilisation")
}

fn remote_over_local(window: &WindowResult) -> f64 {
    rate(window, "remote") / rate(window, "local")
}

fn near(found: f64, wanted: f64, by: f64) {
    assert!((found - wanted).abs() <= by, "{found} instead of {wanted}");
}

/// "ECN, no control: victim 4 % of the inter-switch link, which is 32.5 % utilised"; closed form:
/// remote 4/14 of the root, victim 1/7 of that, inter-switch 16/49. Links carry credits too, 6
/// bytes of 2074: 0.3 % of the root link, and again of the link between the switches.
#[test]
fn without_control_the_tree_takes_the_victim_as_published() {
    let summary = run("none.toml");
    let with_victim = window(&summary, "with-victim");
    near(link(with_victim, "inter-switch"), 0.325, 0.005);
    near(rate(with_victim, "victim"), 0.04, 0.002);
    let alone = window(&summary, "alone");
    for (found, closed) in [
        (link(alone, "root"), 1.0),
        (rate(alone, "remote"), 4.0 / 14.0),
        (rate(alone, "local"), 10.0 / 14.0),
        (remote_over_local(alone), 0.4),
        (link(with_victim, "inter-switch"), 16.0 / 49.0),
        (rate(with_victim, "victim"), 4.0 / 14.0 / 7.0),
    ] {
        near(found, closed, 0.006 * closed);
    }
}

/// "naive: local flows 90 % of the root link; victim high; flows of one kind about equal". The root
/// link itself is full to within credits.
#[test]
fn naive_marking_leaves_the_root_link_to_local_flows() {
    let summary = run("naive.toml");
    for name in ["alone", "with-victim"] {
        let window = window(&summary, name);
        near(rate(window, "local"), 0.90, 0.02);
    }
    assert!(rate(window(&summary, "with-victim"), "victim") > 0.7);
    let ecn = summary.ecn.expect("counted");
    assert_eq!(ecn.groups_marked["local"], 0, "their memories are never full");
    assert!(ecn.groups_marked["remote"] > 0);
}

/// "input-triggered: no spreading, fairer than naive": the order by marking. And of the memory that
/// is full nearly all slots wait at an event.
#[test]
fn the_order_of_fairness_is_that_of_the_paper() {
    let [none, naive, input, both] =
        ["none.toml", "naive.toml", "input-triggered.toml", "input-output-triggered.toml"].map(run);
    let victim = |summary: &Summary| rate(window(summary, "with-victim"), "victim");
    assert!(victim(&none) < 0.05);
    for controlled in [&naive, &input, &both] {
        assert!(victim(controlled) > 0.5, "{}", victim(controlled));
        assert!(link(window(controlled, "with-victim"), "inter-switch") > 0.8);
    }
    let fair = |summary: &Summary| remote_over_local(window(summary, "alone"));
    let [naive_is, input_is, both_is] = [&naive, &input, &both].map(fair);
    assert!(naive_is < input_is, "{naive_is} {input_is}");
    assert!(input_is < both_is, "{input_is} {both_is}");
    let ecn = input.ecn.expect("counted");
    let waiting = ecn.events_waiting as f64 / ecn.events as f64;
    assert!((3.0..=4.0).contains(&waiting), "{waiting} of 4 slots");
}

/// Parking lot: every switch gives its own source and the chain behind it half each, whether it
/// takes the oldest packet or turns, since both memories are always full. With a window of 1 a
/// source has its next packet only when the last one has arrived.
#[test]
fn a_parking_lot_halves_at_every_switch() {
    for arbiter in ["oldest-first", "round-robin"] {
        let record = record(&config("parking-lot.toml", &[("switch.arbiter", arbiter)]));
        let bytes = |source: u32| {
            let mut flows = record.flows.iter();
            flows.find(|flow| flow.source == source).expect("a flow").bytes_measured as f64
        };
        let all: f64 = (0..5).map(bytes).sum();
        for (source, share) in
            [1.0 / 16.0, 1.0 / 16.0, 1.0 / 8.0, 1.0 / 4.0, 1.0 / 2.0].into_iter().enumerate()
        {
            near(bytes(source as u32) / all, share, 0.001);
        }
        assert!(record.summary.delivered_bytes_per_ns > Some(0.99));
    }
}

/// "Idle sources cost nothing (a rate of 1/512 is a wake-up, not a poll)": what is looked at is in
/// the measure of packets that start, not of the 50 million ticks.
#[test]
fn idle_sources_cost_nothing() {
    for name in ["none.toml", "naive.toml", "input-triggered.toml"] {
        let config = config(name, &[]);
        let mut fabric = Fabric::new(&config, Engine::Fast, ()).expect("legal");
        let mut run = Run::new(&config, Engine::Fast).expect("legal");
        let duration = config.run.duration;
        fabric.run_until(duration).expect("no deadlock");
        run.advance(duration).expect("no deadlock");
        let served = fabric.ticks_served().expect("by the fast engine");
        let per_hop = served as f64 / run.packet_hops() as f64;
        println!("{name}: {served} of {} ticks, {per_hop:.1} a packet-hop", duration.0);
        assert!(per_hop < 12.0, "{name}: {per_hop} ticks a packet-hop");
        assert!(served * 20 < duration.0, "{name}: {served} of {}", duration.0);
    }
}
