//! Tori, virtual channels, tables, requests with replies: is everything delivered and put away, and
//! does every rule of theirs hold?

use crate::agree::{Suite, in_none};
use fabric::Engine;
use observe::PacketKind;
use plan::{FabricConfig, RoutingKind};
use proptest::prelude::*;
use setaside_tests::compare::{difference, outcome, outcomes_differ};
use setaside_tests::invariants;
use setaside_tests::property::fixed;
use setaside_tests::watch::Watch;
use setaside_tests::wide;
use std::collections::BTreeMap;
use units::{Span, Tick};

/// The oldest overdue head awaits credit; a younger one of another VC behind the same output, which
/// has some, must not make it forgotten.
#[test]
fn credit_wakes_an_overdue_head_beside_another_vc() {
    let mut config = wide::case(6_018_027_440_424_182_931, 2_000).config;
    config.run.duration = Tick(6_000);
    let differ = difference(&config, Engine::Fast, Engine::Reference);
    assert!(differ.is_none(), "{}", differ.unwrap_or_default());
}

proptest! {
    #![proptest_config(fixed(250, 2005))]

    /// "Filled from the topology's own rule it holds exactly the source routes: the same bytes come
    /// out" (switch.md, Tables).
    #[test]
    fn tables_lead_where_turns_lead(seed: u64) {
        let mut case = wide::case(seed, 1_500);
        prop_assume!(case.has_tables());
        case.config.run.duration = Tick(5_000);
        let (turns, tables) = (&case.config, case.with_tables());
        prop_assert!(tables.routing == RoutingKind::Table);
        let differ = outcomes_differ(outcome(turns, Engine::Fast), outcome(&tables, Engine::Fast));
        prop_assert!(differ.is_none(), "seed {seed}, {}", differ.unwrap_or_default());
    }
}

/// What was asked and answered, by group.
#[derive(Debug, Default)]
struct Answers {
    /// The most requests that a source ever had outstanding.
    most: BTreeMap<u8, i32>,
    /// Requests that were delivered.
    requests: BTreeMap<u8, u64>,
    /// Replies that were offered, and those that were delivered.
    offered: BTreeMap<u8, u64>,
    replies: BTreeMap<u8, u64>,
}

fn answers(watch: &Watch) -> Answers {
    let mut seen = Answers::default();
    // By source and group: what frees a place, and what takes one, in order of time.
    let mut places: BTreeMap<(u32, u8), Vec<(Tick, i32)>> = BTreeMap::new();
    for offered in watch.offered.iter().filter(|offered| !offered.refused) {
        match offered.kind {
            PacketKind::Reply => *seen.offered.entry(offered.group).or_default() += 1,
            PacketKind::Data => {
                let source = (offered.source, offered.group);
                places.entry(source).or_default().push((offered.born, 1));
            }
            PacketKind::Ack | PacketKind::Cnp => {}
        }
    }
    for packet in watch.ejected.iter().filter(|packet| packet.last) {
        match packet.kind {
            PacketKind::Data => *seen.requests.entry(packet.group).or_default() += 1,
            PacketKind::Reply => {
                *seen.replies.entry(packet.group).or_default() += 1;
                let source = (packet.destination, packet.group);
                places.entry(source).or_default().push((packet.at, -1));
            }
            PacketKind::Ack | PacketKind::Cnp => {}
        }
    }
    for ((_, group), mut changes) in places {
        changes.sort_unstable();
        let outstanding = changes.iter().scan(0, |sum, change| {
            *sum += change.1;
            Some(*sum)
        });
        let most = seen.most.entry(group).or_default();
        *most = outstanding.max().unwrap_or(0).max(*most);
    }
    seen
}

/// Runs a case until everything is at home, with audits of all cells and credits, each virtual
/// channel on its own.
fn put_away(config: &FabricConfig) -> Result<Answers, String> {
    let until = config.run.duration + Span(1_000);
    let times = (until, Tick(4_000_000));
    Ok(answers(&invariants::put_away(config, Engine::Fast, times, Watch::default())?))
}

/// Lossless, in order (checked at every ejection), cells and credits conserved at every audit, and
/// after traffic stops everything drains.
///
/// "outstanding requests a source" (switch.md, Request and reply): never more than the window;
/// every request that arrives is answered, once.
#[test]
fn everything_is_delivered_and_answered_and_put_away() {
    let cases: Suite = ("wide", (3_000, 2005), |seed| wide::case(seed, 3_000).config);
    in_none(&[cases], |config, _| match put_away(config) {
        Ok(seen) => not_answered(config, &seen),
        Err(what) => Some(what),
    });
}

fn not_answered(config: &FabricConfig, seen: &Answers) -> Option<String> {
    let groups = config.workload.summaries.iter().zip(wide::windows(config)).enumerate();
    let wrong = groups.filter(|(group, (summary, window))| {
        let group = *group as u8;
        let requests = seen.requests.get(&group).filter(|_| summary.replies.is_some());
        let most = seen.most.get(&group).copied().unwrap_or(0);
        let answers = [seen.offered.get(&group), seen.replies.get(&group)];
        answers != [requests; 2] || window.is_some_and(|window| most > window as i32)
    });
    let wrong: Vec<usize> = wrong.map(|(group, _)| group).collect();
    (!wrong.is_empty()).then(|| format!("groups {wrong:?}: {seen:?}"))
}

/// The cases are worth something only if they reach what they are for.
#[test]
fn random_cases_reach_what_they_are_for() {
    let (mut tori, mut full, mut replies, mut reply_vcs, mut delayed) = (0, 0, 0, 0, 0);
    let mut tables = [0; 4];
    for seed in 0..300 {
        let case = wide::case(seed, 3_000);
        let config = &case.config;
        // Packets change their virtual channel.
        let datelines = config.network.vcs_used() > 1;
        tori += u32::from(case.is_torus() && datelines);
        tables[usize::from(config.switch.vcs) - 1] += u32::from(case.has_tables());
        reply_vcs += u32::from(config.switch.reply_vcs);
        delayed += u32::from(config.endnode.generator == plan::GeneratorRule::Delayed);
        let windows = wide::windows(config);
        let seen = put_away(config).expect("put away");
        replies += seen.replies.values().sum::<u64>();
        let is_full =
            |(group, most): (&u8, &i32)| windows[usize::from(*group)] == Some(*most as u32);
        full += u32::from(seen.most.iter().any(is_full));
    }
    assert!(tori > 60 && reply_vcs > 50 && delayed > 60, "{tori} tori, {reply_vcs}, {delayed}");
    assert!(replies > 5_000 && full > 60, "{replies} replies, {full} with a full window");
    assert!(tables.iter().all(|&count| count > 20), "{tables:?}");
}
