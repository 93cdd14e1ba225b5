//! Destination patterns.

use units::Span;
use workload::{Arrivals, FnScale, Pattern, Placement, Shape, WorkloadConfig, WorkloadError};

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
    let legal = |pattern: Pattern, nodes| match pattern.check("workload.pattern", nodes) {
        Ok(()) => Shape::Any,
        Err(WorkloadError::Shape { legal, nodes: given, .. }) if given == nodes => legal,
        Err(other) => panic!("{other}"),
    };
    assert_eq!(legal(Pattern::BitReverse, 48), Shape::PowerOfTwo);
    assert_eq!(legal(Pattern::Shuffle, 100), Shape::PowerOfTwo);
    assert_eq!(legal(Pattern::Transpose, 32), Shape::Square);
    assert_eq!(legal(Pattern::Tornado, 7), Shape::Any);
    let error = Pattern::BitReverse.check("workload.pattern", 48).unwrap_err();
    assert_eq!(error.key(), "workload.pattern");
    assert_eq!(
        error.to_string(),
        "workload.pattern: `bit-reverse` given for 48 nodes; \
         legal: a number of nodes that is a power of two"
    );
}

// Names read as they are printed; a wrong one lists the legal ones.
#[test]
fn names_round_trip() {
    for pattern in Pattern::ALL {
        assert_eq!(pattern.to_string().parse(), Ok(*pattern));
    }
    for placement in Placement::ALL {
        assert_eq!(placement.name().parse(), Ok(*placement));
    }
    for arrivals in Arrivals::ALL {
        assert_eq!(arrivals.name().parse(), Ok(*arrivals));
    }
    let error = "bitreverse".parse::<Pattern>().unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("unknown pattern `bitreverse`; legal: uniform, bit-reverse, "),
        "{error}"
    );
}

fn destinations(config: &WorkloadConfig, nodes: u32, node: u32, count: usize) -> Vec<u32> {
    let mut workload =
        config.build(nodes, &FnScale(Span, |bytes: u32| Span(bytes.into())), 3).unwrap();
    let generator = workload.generators.iter_mut().find(|(source, _)| *source == node);
    generator
        .map_or(Vec::new(), |(_, g)| g.take(count).map(|message| message.destination).collect())
}

// "Random destinations: uniform, not self" (scenarios.md), unless `workload.self`.
#[test]
fn uniform_reaches_all_but_itself() {
    for self_traffic in [false, true] {
        let config = WorkloadConfig {
            load: Some(units::Ratio::ONE),
            self_traffic,
            ..WorkloadConfig::default()
        };
        for node in [0, 3, 7] {
            let mut counts = [0_i64; 8];
            destinations(&config, 8, node, 56_000)
                .into_iter()
                .for_each(|d| counts[d as usize] += 1);
            let mean = if self_traffic { 7_000 } else { 8_000 };
            for (destination, &count) in counts.iter().enumerate() {
                if destination as u32 == node && !self_traffic {
                    assert_eq!(count, 0);
                } else {
                    assert!((count - mean).pow(2) <= 36 * mean, "{counts:?}");
                }
            }
        }
    }
}

// A list of destinations narrows `uniform` to them.
#[test]
fn uniform_over_a_list_stays_in_it() {
    let config = WorkloadConfig {
        load: Some(units::Ratio::ONE),
        destinations: vec![2, 5, 6],
        ..WorkloadConfig::default()
    };
    let seen = |node| {
        let mut seen = destinations(&config, 8, node, 1000);
        seen.sort_unstable();
        seen.dedup();
        seen
    };
    assert_eq!(seen(0), [2, 5, 6]);
    assert_eq!(seen(5), [2, 6]);
}

// A fixed point of a permutation sends nothing, or to itself with `workload.self`.
#[test]
fn fixed_points_are_silent() {
    let mut config = WorkloadConfig {
        load: Some(units::Ratio::ONE),
        pattern: Pattern::BitReverse,
        ..WorkloadConfig::default()
    };
    let workload = config.build(8, &FnScale(Span, |bytes: u32| Span(bytes.into())), 3).unwrap();
    assert_eq!(workload.summaries[0].silent, [0, 2, 5, 7]);
    assert_eq!(workload.generators.iter().map(|g| g.0).collect::<Vec<_>>(), [1, 3, 4, 6]);
    config.self_traffic = true;
    assert_eq!(destinations(&config, 8, 5, 2), [5, 5]);
}

/// Every destination that a node of 12, in blocks of 4, ever sends to.
fn in_blocks(pattern: Pattern, self_traffic: bool, node: u32) -> Vec<u32> {
    let config = WorkloadConfig {
        load: Some(units::Ratio::ONE),
        pattern,
        block_nodes: Some(4),
        self_traffic,
        ..WorkloadConfig::default()
    };
    let mut seen = destinations(&config, 12, node, 1000);
    seen.sort_unstable();
    seen.dedup();
    seen
}

// "Traffic inside super nodes only", and each super node to the next one.
#[test]
fn blocks_are_super_nodes() {
    assert_eq!(in_blocks(Pattern::OwnSuperNode, false, 5), [4, 6, 7]);
    assert_eq!(in_blocks(Pattern::OwnSuperNode, true, 5), [4, 5, 6, 7]);
    assert_eq!(in_blocks(Pattern::OwnSuperNode, false, 8), [9, 10, 11]);
    assert_eq!(in_blocks(Pattern::NextSuperNode, false, 5), [8, 9, 10, 11]);
    assert_eq!(in_blocks(Pattern::NextSuperNode, false, 11), [0, 1, 2, 3]);
}

// All nodes of a block alike (six standard deviations).
#[test]
fn blocks_are_met_evenly() {
    let config = WorkloadConfig {
        load: Some(units::Ratio::ONE),
        pattern: Pattern::NextSuperNode,
        block_nodes: Some(4),
        ..WorkloadConfig::default()
    };
    let mut counts = [0_i64; 4];
    for destination in destinations(&config, 12, 2, 32_000) {
        counts[destination as usize - 4] += 1;
    }
    assert!(counts.iter().all(|c| (c - 8_000).pow(2) <= 36 * 8_000), "{counts:?}");
}

// A block of one node has no other node; nodes in no block, or in a part of one, are refused.
#[test]
fn blocks_that_are_none() {
    let build = |pattern, block_nodes, destinations: &[u32]| {
        let config = WorkloadConfig {
            load: Some(units::Ratio::ONE),
            pattern,
            block_nodes,
            destinations: destinations.to_vec(),
            ..WorkloadConfig::default()
        };
        config.build(12, &FnScale(Span, |bytes: u32| Span(bytes.into())), 3)
    };
    let alone = build(Pattern::OwnSuperNode, Some(1), &[]).unwrap();
    assert_eq!(alone.summaries[0].silent.len(), 12);
    for block_nodes in [None, Some(0), Some(5)] {
        let error = build(Pattern::NextSuperNode, block_nodes, &[]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "workload.pattern: `next-super-node` given; legal: in a network of super nodes"
        );
    }
    let error = build(Pattern::OwnSuperNode, Some(4), &[1]).unwrap_err();
    assert_eq!(error.key(), "workload.destinations");
}
