//! Destination patterns.

use super::common::{build, full, is_near, messages};
use workload::{Pattern, WorkloadConfig};

fn map(pattern: Pattern, nodes: u32) -> Vec<u32> {
    (0..nodes).map(|source| pattern.permuted(nodes, source).unwrap()).collect()
}

fn permutations() -> impl Iterator<Item = Pattern> {
    Pattern::ALL.iter().copied().filter(|pattern| pattern.permuted(4, 0).is_some())
}

// A permutation reaches every node once, for every number of nodes that it takes.
#[test]
fn permutations_are_bijections() {
    for pattern in permutations() {
        let mut tried = 0;
        for nodes in
            (1..=300).chain([1024, 2048, 4096]).filter(|&nodes| pattern.check("k", nodes).is_ok())
        {
            let mut reached = map(pattern, nodes);
            reached.sort_unstable();
            assert!(reached.into_iter().eq(0..nodes), "{pattern} of {nodes}");
            tried += 1;
        }
        assert!(tried >= 9, "{pattern}: {tried}");
    }
}

// The maps themselves, small enough to read.
#[test]
fn permutations_of_few_nodes() {
    assert_eq!(map(Pattern::BitReverse, 8), [0, 4, 2, 6, 1, 5, 3, 7]);
    assert_eq!(map(Pattern::BitComplement, 8), [7, 6, 5, 4, 3, 2, 1, 0]);
    assert_eq!(map(Pattern::Shuffle, 8), [0, 2, 4, 6, 1, 3, 5, 7]);
    assert_eq!(map(Pattern::Transpose, 9), [0, 3, 6, 1, 4, 7, 2, 5, 8]);
    assert_eq!(map(Pattern::Tornado, 8), [3, 4, 5, 6, 7, 0, 1, 2]);
    assert_eq!(map(Pattern::Tornado, 5), [2, 3, 4, 0, 1]);
}

// Twice reversed, inverted or transposed is where one began.
#[test]
fn involutions_return() {
    for pattern in [Pattern::BitReverse, Pattern::BitComplement, Pattern::Transpose] {
        let there = map(pattern, 1024);
        assert!((0..1024).all(|n| there[there[n as usize] as usize] == n), "{pattern}");
    }
}

// "power-of-two or square requirement -> typed error with given/legal".
#[test]
fn wrong_node_count_is_refused() {
    let [power, square] = ["that is a power of two", "that is a square"];
    for (pattern, nodes, legal) in [
        (Pattern::BitReverse, 48, power),
        (Pattern::Shuffle, 100, power),
        (Pattern::BitComplement, 12, power),
        (Pattern::Transpose, 32, square),
    ] {
        let error = pattern.check("workload.pattern", nodes).unwrap_err();
        let text = format!(
            "workload.pattern: `{pattern}` given for {nodes} nodes; \
             legal: a number of nodes {legal}"
        );
        assert_eq!((error.key(), error.to_string()), ("workload.pattern", text));
    }
    assert_eq!(Pattern::Tornado.check("workload.pattern", 7), Ok(()));
}

fn destinations(config: &WorkloadConfig, nodes: u32, node: u32, count: usize) -> Vec<u32> {
    let workload = build(config, nodes).unwrap();
    messages(&workload, node, 0, count).iter().map(|message| message.destination).collect()
}

/// Every destination that a node of 12, in blocks of 4, ever sends to.
fn seen(config: WorkloadConfig, node: u32) -> Vec<u32> {
    let config = WorkloadConfig { block_nodes: Some(4), ..config };
    let mut seen = destinations(&config, 12, node, 1000);
    seen.sort_unstable();
    seen.dedup();
    seen
}

// "Random destinations: uniform, not self" (scenarios.md), unless `workload.self`.
#[test]
fn uniform_reaches_all_but_itself() {
    for self_traffic in [false, true] {
        let config = WorkloadConfig { self_traffic, ..full() };
        for node in [0, 3, 7] {
            let mut counts = [0_i64; 8];
            for destination in destinations(&config, 8, node, 56_000) {
                counts[destination as usize] += 1;
            }
            let mean = if self_traffic { 7_000 } else { 8_000 };
            for (destination, &count) in counts.iter().enumerate() {
                if destination as u32 == node && !self_traffic {
                    assert_eq!(count, 0);
                } else {
                    assert!(is_near(count, mean), "{counts:?}");
                }
            }
        }
    }
}

// A list of destinations narrows `uniform` to them.
#[test]
fn uniform_over_a_list_stays_in_it() {
    let config = WorkloadConfig { destinations: vec![2, 5, 6], ..full() };
    assert_eq!(seen(config.clone(), 0), [2, 5, 6]);
    assert_eq!(seen(config, 5), [2, 6]);
}

// A fixed point of a permutation sends nothing, or to itself with `workload.self`.
#[test]
fn fixed_points_are_silent() {
    let mut config = WorkloadConfig { pattern: Pattern::BitReverse, ..full() };
    let workload = build(&config, 8).unwrap();
    assert_eq!(workload.summaries[0].silent, [0, 2, 5, 7]);
    assert_eq!(workload.generators.iter().map(|g| g.0).collect::<Vec<_>>(), [1, 3, 4, 6]);
    config.self_traffic = true;
    assert_eq!(destinations(&config, 8, 5, 2), [5, 5]);
}

// "Traffic inside super nodes only", and each super node to the next one, all nodes of it alike.
#[test]
fn blocks_are_super_nodes() {
    let of = |pattern| WorkloadConfig { pattern, block_nodes: Some(4), ..full() };
    let (own, next) = (of(Pattern::OwnSuperNode), of(Pattern::NextSuperNode));
    assert_eq!(seen(own.clone(), 5), [4, 6, 7]);
    assert_eq!(seen(own.clone(), 8), [9, 10, 11]);
    assert_eq!(seen(WorkloadConfig { self_traffic: true, ..own }, 5), [4, 5, 6, 7]);
    assert_eq!(seen(next.clone(), 5), [8, 9, 10, 11]);
    assert_eq!(seen(next.clone(), 11), [0, 1, 2, 3]);
    let mut counts = [0; 4];
    for destination in destinations(&next, 12, 2, 32_000) {
        counts[destination as usize - 4] += 1;
    }
    assert!(counts.iter().all(|&count| is_near(count, 8_000)), "{counts:?}");
}

// A block of one node has no other node; nodes in no block, or in a part of one, are refused.
#[test]
fn blocks_that_are_none() {
    let of = |pattern, block_nodes| WorkloadConfig { pattern, block_nodes, ..full() };
    let alone = build(&of(Pattern::OwnSuperNode, Some(1)), 12).unwrap();
    assert_eq!(alone.summaries[0].silent.len(), 12);
    for block_nodes in [None, Some(0), Some(5)] {
        let error = build(&of(Pattern::NextSuperNode, block_nodes), 12).unwrap_err();
        assert_eq!(
            error.to_string(),
            "workload.pattern: `next-super-node` given; legal: in a network of super nodes"
        );
    }
    let listed = WorkloadConfig { destinations: vec![1], ..of(Pattern::OwnSuperNode, Some(4)) };
    assert_eq!(build(&listed, 12).unwrap_err().key(), "workload.destinations");
}
