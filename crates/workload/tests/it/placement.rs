//! Placement of hot sources.

use super::common::is_near;
use proptest::prelude::*;
use workload::Placement;

fn taken(nodes: u32, list: &[u32]) -> Vec<bool> {
    (0..nodes).map(|node| list.contains(&node)).collect()
}

fn place(placement: Placement, nodes: u32, count: u32, list: &[u32]) -> Vec<u32> {
    placement.place(count, &mut taken(nodes, list), 1, "hot").unwrap()
}

// "source j of H among N nodes is node floor((j + 1/2) N / H)" (scenarios.md): BMIN 64, 25 %,
// destination 32.
#[test]
fn spread_of_16_among_64() {
    let expected = [2, 6, 10, 14, 18, 22, 26, 30, 34, 38, 42, 46, 50, 54, 58, 62];
    assert_eq!(place(Placement::Spread, 64, 16, &[32]), expected);
}

// "one that is a hot destination moves to the next node that is neither": mesh config 5, case
// 3, destination 10.
#[test]
fn spread_moves_off_the_destination() {
    assert_eq!(place(Placement::Spread, 16, 4, &[10]), [2, 6, 11, 14]);
    assert_eq!(place(Placement::Spread, 16, 2, &[10]), [4, 12]);
}

// "... nor chosen already": the move goes on past chosen nodes, and round the end.
#[test]
fn spread_moves_past_chosen_nodes() {
    assert_eq!(place(Placement::Spread, 4, 3, &[3]), [0, 1, 2]);
    assert_eq!(place(Placement::Spread, 8, 6, &[2, 3]), [0, 1, 4, 5, 6, 7]);
}

// N H odd: the half is cut off, not rounded.
#[test]
fn spread_rounds_down() {
    assert_eq!(place(Placement::Spread, 10, 3, &[]), [1, 5, 8]);
    assert_eq!(place(Placement::Spread, 7, 2, &[]), [1, 5]);
}

// Block: the first free nodes.
#[test]
fn block_takes_the_first_free_nodes() {
    assert_eq!(place(Placement::Block, 16, 4, &[1]), [0, 2, 3, 4]);
}

// Random is seeded: pinned, another group or seed gives another set.
#[test]
fn random_follows_seed_and_group() {
    let with =
        |seed, group: &str| Placement::Random.place(4, &mut taken(64, &[32]), seed, group).unwrap();
    assert_eq!(with(1, "hot"), with(1, "hot"));
    assert_ne!(with(1, "hot"), with(2, "hot"));
    assert_ne!(with(1, "hot"), with(1, "other"));
    assert_eq!(with(1, "hot"), [28, 52, 53, 63]);
}

// Random: every node is chosen alike.
#[test]
fn random_is_even() {
    let mut counts = [0_i64; 10];
    for seed in 0..9000 {
        for node in Placement::Random.place(3, &mut taken(10, &[4]), seed, "hot").unwrap() {
            counts[node as usize] += 1;
        }
    }
    assert_eq!(counts[4], 0);
    let mut others = counts.iter().enumerate().filter(|(node, _)| *node != 4);
    assert!(others.all(|(_, &count)| is_near(count, 3000)), "{counts:?}");
}

proptest! {
    #![proptest_config(crate::fixed::fixed(500, 2005))]

    // Every placement: so many distinct free nodes, ascending, marked as taken; or none if
    // there is no room.
    #[test]
    fn placed_nodes_are_distinct_and_free(
        flags in prop::collection::vec(any::<bool>(), 1..80), count in 0_u32..80,
        which in 0_usize..3, seed in any::<u64>(),
    ) {
        let mut after = flags.clone();
        let free = flags.iter().filter(|&&taken| !taken).count();
        match Placement::ALL[which].place(count, &mut after, seed, "hot") {
            None => {
                prop_assert!(free < count as usize);
                prop_assert_eq!(after, flags);
            }
            Some(sources) => {
                prop_assert_eq!(sources.len(), count as usize);
                prop_assert!(sources.is_sorted_by(|a, b| a < b));
                for node in 0..flags.len() {
                    let chosen = sources.contains(&(node as u32));
                    prop_assert!(!(chosen && flags[node]));
                    prop_assert_eq!(after[node], flags[node] || chosen);
                }
            }
        }
    }
}
