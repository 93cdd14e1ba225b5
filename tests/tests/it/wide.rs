//! Tori, virtual channels, tables, requests with replies: is everything delivered and put away, and
//! does every rule of theirs hold?

use crate::agree::{Suite, in_none};
use proptest::prelude::*;
use setaside_tests::compare::outcomes_differ;
use setaside_tests::prelude::*;
use setaside_tests::{invariants, wide};

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

/// Runs a case until everything is at home, with audits of all cells and credits, each virtual
/// channel on its own: by group the most requests that a source ever had outstanding, and how many
/// replies came.
fn put_away(config: &FabricConfig) -> Result<(BTreeMap<u8, i32>, usize), String> {
    let times = (config.run.duration + Span(1_000), Tick(4_000_000));
    let watch = invariants::put_away(config, Engine::Fast, times, Watch::default())?;
    // By source and group: what takes a place, and what frees one.
    let mut places: BTreeMap<(u32, u8), Vec<(Tick, i32)>> = BTreeMap::new();
    for asked in watch.offered.iter().filter(|o| !o.refused && o.kind == PacketKind::Data) {
        places.entry((asked.source, asked.group)).or_default().push((asked.born, 1));
    }
    let replies = watch.ejected.iter().filter(|p| p.last && p.kind == PacketKind::Reply);
    for reply in replies.clone() {
        places.entry((reply.destination, reply.group)).or_default().push((reply.at, -1));
    }
    let mut most: BTreeMap<u8, i32> = BTreeMap::new();
    for ((_, group), mut changes) in places {
        changes.sort_unstable();
        let (mut outstanding, most) = (0, most.entry(group).or_default());
        for (_, change) in changes {
            outstanding += change;
            *most = outstanding.max(*most);
        }
    }
    Ok((most, replies.count()))
}

/// Lossless, in order (checked at every ejection), cells and credits conserved at every audit, and
/// after traffic stops everything drains.
///
/// "outstanding requests a source" (switch.md, Request and reply): never more than the window. That
/// every request that arrives is answered, once: `oracle.rs`.
#[test]
fn everything_is_delivered_and_put_away_and_windows_hold() {
    let cases: Suite = ("wide", (3_000, 2005), |seed| wide::case(seed, 3_000).config);
    in_none(&[cases], |config, _| match put_away(config) {
        Ok((most, _)) => {
            let windows = wide::windows(config);
            let window = |group: u8| windows[usize::from(group)].unwrap_or(u32::MAX);
            let beyond = most.iter().find(|&(&group, &most)| most as u32 > window(group));
            beyond.map(|beyond| format!("group, outstanding: {beyond:?}"))
        }
        Err(what) => Some(what),
    });
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
        let (most, count) = put_away(config).expect("put away");
        replies += count;
        let mut groups = most.iter();
        full += u32::from(
            groups.any(|(&group, &most)| windows[usize::from(group)] == Some(most as u32)),
        );
    }
    assert!(tori > 60 && reply_vcs > 50 && delayed > 60, "{tori} tori, {reply_vcs}, {delayed}");
    assert!(replies > 5_000 && full > 60, "{replies} replies, {full} with a full window");
    assert!(tables.iter().all(|&count| count > 20), "{tables:?}");
}
