//! Placement of hot sources.

use super::common::is_near;
use proptest::prelude::*;
use workload::Placement;

fn taken(nodes: u32, list: &[u32]) -> Vec<bool> {
    (0..nodes).map(|node| list.contains(&node)).collect()
}

// "source j of H among N nodes is node floor((j + 1/2) N / H)" (scenarios.md); "one that is a hot
// destination moves to the next node that is neither", "nor chosen already", round the end.
#[test]
fn spread_and_block_take_these_nodes() {
    let of_64 = [2, 6, 10, 14, 18, 22, 26, 30, 34, 38, 42, 46, 50, 54, 58, 62];
    let cases: &[(Placement, u32, &[u32], &[u32])] = &[
        // BMIN 64, 25 %, destination 32; mesh config 5, case 3, destination 10.
        (Placement::Spread, 64, &[32], &of_64),
        (Placement::Spread, 16, &[10], &[2, 6, 11, 14]),
        (Placement::Spread, 16, &[10], &[4, 12]),
        (Placement::Spread, 4, &[3], &[0, 1, 2]),
        (Placement::Spread, 8, &[2, 3], &[0, 1, 4, 5, 6, 7]),
        (Placement::Spread, 10, &[], &[1, 5, 8]),
        (Placement::Spread, 7, &[], &[1, 5]),
        (Placement::Block, 16, &[1], &[0, 2, 3, 4]),
    ];
    for (placement, nodes, list, expected) in cases {
        let count = expected.len() as u32;
        let placed = placement.place(count, &mut taken(*nodes, list), 1, "hot");
        assert_eq!(placed.as_deref(), Some(*expected), "{placement} of {nodes}");
    }
}

// Random is seeded: pinned, another group or seed gives another set.
#[test]
fn random_follows_seed_and_group() {
    let with =
        |seed, group: &str| Placement::Random.place(4, &mut taken(64, &[32]), seed, group).unwrap();
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

    // So many distinct free nodes, ascending, marked as taken; or none if there is no room.
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
