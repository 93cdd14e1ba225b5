//! Does every request go within the waiting bound, in switches with their real timing? (spec:
//! switch.md, Waiting bound; decision 0016)

use observe::EventsHash;
use plan::AdmittanceArbiter;
use proptest::prelude::*;
use setaside_tests::prelude::*;
use setaside_tests::random::case;
use setaside_tests::standing::Standings;

/// Span of the waiting bound, and the longest time that a transfer holds its ports.
fn times(config: &FabricConfig, bound_packets: u32) -> (Span, Span) {
    let link = config.time_base.link_ticks(config.packet_bytes);
    let overhead = config.switch.crossbar_overhead_bytes;
    let crossbar =
        crossbar::crossbar_length_ticks(&config.time_base, config.packet_bytes, overhead);
    (link * u64::from(bound_packets), link.max(crossbar))
}

/// Runs a case under the eyes of the oracle, which expects a bound of `bound_packets`: the units,
/// and the fast engine has the same events.
fn watched(config: &FabricConfig, bound_packets: u32) -> Result<Standings, String> {
    let (bound, transfer) = times(config, bound_packets);
    let mut standings = Standings::new(bound, config.switch.saq_priority, transfer);
    let hash = EventsHash::until(Tick::MAX);
    let mut fabric = Fabric::new(config, Engine::Reference, hash).expect("a legal configuration");
    standings.run(&mut fabric, config.run.duration)?;
    let mut run = Run::new(config, Engine::Fast).expect("a legal configuration");
    run.step(config.run.duration).map_err(|e| e.to_string())?;
    let fast = run.finish(0.0).0.summary.events_hash;
    let units = format!("{:016x}", fabric.observer.combined());
    if fast == units { Ok(standings) } else { Err("the fast engine has other events".to_owned()) }
}

/// A group of its own for each pair of source and destination: two of full load where one would
/// leave gaps.
fn flows(pairs: &[(u32, u32)], bytes: &MessageBytes) -> WorkloadConfig {
    let mut groups = Vec::new();
    for (number, &(source, destination)) in pairs.iter().enumerate() {
        for half in ["a", "b"] {
            let name = format!("flow{number}{half}");
            groups.push(group(&name, Ratio::ONE, [source], &[destination]));
        }
    }
    WorkloadConfig { message_bytes: bytes.clone(), groups, ..WorkloadConfig::default() }
}

/// One switch of 4 ports, `oldest-first`, whose inputs and outputs fall free in a rhythm: 2 -> 3
/// never goes without a bound.
fn phase_locked(wait_bound_packets: Option<u32>) -> FabricConfig {
    let mut switch = switch_config(SchemeKind::VoqSw);
    switch.arbiter = ArbiterKind::OldestFirst;
    switch.crossbar_overhead_bytes = 6;
    switch.wait_bound_packets = wait_bound_packets;
    let pairs = [(0, 3), (1, 3), (2, 3), (2, 1)];
    let workload = flows(&pairs, &MessageBytes::Fixed(64));
    let network = network(&TopologyConfig::SingleSwitch { ports: 4 });
    fabric_config(network, switch, ratio(1, 1), &workload, 400_000, 1)
}

/// Bytes of each flow in the second half of a run.
fn delivered(config: &FabricConfig) -> Vec<((u32, u32), u64)> {
    delivered_after(config, Tick(config.run.duration.0 / 2), Engine::Fast)
}

/// Bytes of each flow after a warm-up.
fn delivered_after(config: &FabricConfig, warmup: Tick, engine: Engine) -> Vec<((u32, u32), u64)> {
    let mut config = config.clone();
    config.run.warmup = warmup;
    let mut run = Run::new(&config, engine).expect("a legal configuration");
    run.step(Tick::MAX).expect("no deadlock");
    let (record, ()) = run.finish(0.0);
    let flows = record.flows.iter();
    flows.map(|f| ((f.source, f.destination), f.bytes_measured)).collect()
}

// With a bound every flow has its share; without one a flow starves, and the oracle reports it.
#[test]
fn a_flow_that_the_rhythm_of_the_ports_keeps_out_needs_a_bound() {
    let bytes = delivered(&phase_locked(Some(32)));
    // Output 3 gives a third to each of its three flows: 200 us x 1 byte/ns / 3, less the control
    // packets.
    assert!(bytes.iter().all(|f| f.1 > 50_000), "{bytes:?}");
    let config = phase_locked(None);
    assert_eq!(delivered(&config).iter().filter(|f| f.1 == 0).count(), 1);
    let found = watched(&config, 32);
    assert!(found.is_err_and(|what| what.contains("the bound is")));
}

/// A switch whose input 0 alternates between output 1, that two of its queues request, and output
/// 3.
fn alternating(scheme: SchemeKind, pairs: &[(u32, u32)]) -> FabricConfig {
    let edges = "a,a_port,b,b_port,latency_ns,rate_bytes_per_ns\n\
                 s0,0,n0,0,10,1\ns0,1,s1,0,10,1\ns0,2,n3,0,10,1\ns0,3,n4,0,10,1\n\
                 s1,1,n1,0,10,1\ns1,2,n2,0,10,1\n";
    let edges = topology::EdgeList::parse(edges).expect("a legal list");
    let mut switch = switch_config(scheme);
    switch.wait_bound_packets = None;
    let workload = flows(pairs, &MessageBytes::Fixed(64));
    let network = network(&TopologyConfig::File { edges });
    fabric_config(network, switch, ratio(1, 1), &workload, 200_000, 1)
}

/// Flows 0 -> 1 and 0 -> 2 have the same share, on either engine.
fn assert_turns(scheme: SchemeKind, pairs: &[(u32, u32)]) {
    let config = alternating(scheme, pairs);
    for engine in [Engine::Fast, Engine::Reference] {
        let bytes = delivered_after(&config, Tick(config.run.duration.0 / 2), engine);
        let of = |pair| bytes.iter().find(|f| f.0 == pair).map_or(0, |f| f.1);
        let (first, second) = (of((0, 1)), of((0, 2)));
        assert!(first > 10_000 && second > 10_000, "{engine:?}: {bytes:?}");
        assert!(first.abs_diff(second) <= 1_000, "{engine:?}: {bytes:?}");
    }
}

/// "Of an input, round robin over its queues that request this output, a pointer per (input,
/// output)."
#[test]
fn grants_to_other_outputs_do_not_pass_a_queue_over() {
    assert_turns(SchemeKind::VoqNet, &[(0, 1), (0, 2), (0, 3), (4, 1), (4, 2)]);
}

/// Of the destinations of node 0, 1 and 2 share an injection queue, and 3 has one of its own: the
/// two fall free in turn.
#[test]
fn destinations_that_share_an_injection_queue_take_turns() {
    assert_turns(SchemeKind::VoqSw, &[(0, 1), (0, 2), (0, 3)]);
}

/// Bytes of large packets that come out of an output whose memory was full of small ones when the
/// first of them came: each packet that leaves makes room for a small one.
fn large_among_small(wait_bound_packets: Option<u32>) -> u64 {
    let mut switch = switch_config(SchemeKind::OneQueue);
    switch.port_memory_bytes = 8 * 64;
    switch.wait_bound_packets = wait_bound_packets;
    let pairs = [(0, 2), (1, 2), (3, 2), (4, 2)];
    let mut workload = flows(&pairs, &MessageBytes::Fixed(64));
    for large in &mut workload.groups[..2] {
        large.message_bytes = Some(MessageBytes::Fixed(128));
        large.start_ns = 20_000;
    }
    let network = network(&TopologyConfig::SingleSwitch { ports: 5 });
    let mut config = fabric_config(network, switch, ratio(2, 1), &workload, 200_000, 1);
    config.packet_bytes = 128;
    let bytes = delivered(&config);
    bytes.iter().find(|f| f.0 == (0, 2)).map_or(0, |f| f.1)
}

#[test]
fn a_large_packet_is_not_kept_out_by_small_ones_that_take_each_cell() {
    assert_eq!(large_among_small(None), 0, "else there is nothing to mend");
    // A quarter of 100 us x 1 byte/ns, less control packets.
    let large = large_among_small(Some(8));
    assert!((20_000..=30_000).contains(&large), "{large}");
}

// Many queues with room of their own are searched in another way as soon as packets have several
// sizes: a head that finds some room but too little claims it, and does not stand for the others of
// its input that go to the same output, as at the middle switch of a row.
#[test]
fn engines_agree_where_a_second_size_comes_late() {
    for seed in 0..20 {
        let mut draw = Draw::new(seed);
        let mut switch = switch_config(draw.one(&[SchemeKind::VoqNet, SchemeKind::Dbbm]));
        let nodes_per_switch = draw.range(2, 4) as u32;
        let nodes = 3 * nodes_per_switch;
        switch.dbbm_queues = draw.range(3, 8) as u32;
        let largest = draw.one(&[128, 192, 256]);
        switch.port_memory_bytes =
            nodes.max(switch.dbbm_queues) * draw.range(2, 3) as u32 * largest;
        switch.wait_bound_packets = Some(draw.range(1, 8) as u32);
        let mut node = || draw.range(0, u64::from(nodes) - 1) as u32;
        let pairs: Vec<_> =
            (0..2 * nodes).map(|_| (node(), node())).filter(|p| p.0 != p.1).collect();
        let mut workload = flows(&pairs, &MessageBytes::Fixed(largest));
        for small in workload.groups.iter_mut().step_by(2) {
            small.message_bytes = Some(MessageBytes::Fixed(64));
            small.start_ns = 3_000;
        }
        let mesh = TopologyConfig::Mesh { width: 3, height: 1, nodes_per_switch };
        let network = network(&mesh);
        let mut config = fabric_config(network, switch, ratio(3, 2), &workload, 30_000, seed);
        config.packet_bytes = largest;
        assert_eq!(difference(&config, Engine::Fast, Engine::Reference), None, "case {seed}");
    }
}

/// Standing flows under full load: a random matrix in a switch of 3 to 8 ports or in two, or a
/// permutation in a BMIN or a mesh. With it the ports of a switch.
fn standing_traffic(
    draw: &mut Draw,
    sizes: &MessageBytes,
) -> (TopologyConfig, u32, WorkloadConfig) {
    let mesh =
        |width, height, nodes_per_switch| TopologyConfig::Mesh { width, height, nodes_per_switch };
    let permutation = WorkloadConfig {
        load: Some(Ratio::ONE),
        pattern: draw.one(&[Pattern::BitReverse, Pattern::Transpose, Pattern::Tornado]),
        message_bytes: sizes.clone(),
        ..WorkloadConfig::default()
    };
    let ports = draw.range(3, 8) as u32;
    let (topology, ports, nodes) = match draw.range(0, 9) {
        0 => return (TopologyConfig::Bmin { nodes: 16 }, 8, permutation),
        1 => return (mesh(4, 2, 2), 6, permutation),
        2 | 3 => (mesh(2, 1, 3), 7, 6),
        _ => (TopologyConfig::SingleSwitch { ports }, ports, ports),
    };
    let pairs: std::collections::BTreeSet<(u32, u32)> = (0..draw.range(3, 3 * u64::from(ports)))
        .map(|_| {
            let source = draw.range(0, u64::from(nodes) - 1) as u32;
            let hop = draw.range(1, u64::from(nodes) - 1) as u32;
            (source, (source + hop) % nodes)
        })
        .collect();
    let pairs: Vec<_> = pairs.into_iter().collect();
    (topology, ports, flows(&pairs, sizes))
}

/// Small switches, driven as hard as they can be with a rhythm of their own: packets of one length
/// or several, control packets and overhead of all sizes.
fn rhythm(seed: u64) -> (FabricConfig, u32) {
    let mut draw = Draw::new(seed ^ 0x5a17);
    loop {
        let scheme = draw.one(&SCHEMES);
        let organisation = match scheme {
            SchemeKind::RecnDdIq => Organisation::Iq,
            SchemeKind::RecnBasic | SchemeKind::Recn | SchemeKind::RecnDd => Organisation::Cioq,
            _ => draw.one(&[Organisation::Cioq, Organisation::Cioq, Organisation::Iq]),
        };
        let mut config = case(draw.range(0, u64::MAX - 1), Some(scheme), 1_000);
        let bound = draw.one(&[1, 2, 4, 8, 16, 32]);
        let speedup = match organisation {
            Organisation::Cioq => draw.one(&[ratio(1, 1), ratio(1, 1), ratio(3, 2), ratio(4, 3)]),
            _ => ratio(1, 1),
        };
        let sizes = match draw.range(0, 3) {
            0 => MessageBytes::Uniform { min: 2, max: 128 },
            1 => MessageBytes::Weighted(vec![(64, 3), (16, 1), (128, 1)]),
            _ => MessageBytes::Fixed(64),
        };
        let (topology, _, workload) = standing_traffic(&mut draw, &sizes);
        let mut switch = config.switch.clone();
        switch.organisation = organisation;
        switch.arbiter = draw.one(&ARBITERS);
        switch.wait_bound_packets = Some(bound);
        switch.crossbar_overhead_bytes = draw.one(&[0, 0, 6, 14]);
        let network = network(&topology);
        let mut driven = fabric_config(network, switch, speedup, &workload, 15_000, seed);
        driven.link.wire = config.link.wire;
        driven.link.control_packet_bytes = config.link.control_packet_bytes;
        driven.link.named_control_bytes = config.link.named_control_bytes;
        driven.packet_bytes = draw.one(&[64, 64, 128]);
        driven.endnode.admittance_arbiter = AdmittanceArbiter::RoundRobin;
        config = driven;
        if Fabric::new(&config, Engine::Fast, ()).is_ok() {
            return (config, bound);
        }
    }
}

#[test]
fn every_request_with_room_goes_within_the_bound() {
    let property = fixed(400, 16);
    let mut runner = proptest::test_runner::TestRunner::new(property);
    let totals = std::cell::RefCell::new(([0; 2], [Span::ZERO; 2]));
    let result = runner.run(&any::<u64>(), |seed| {
        let (config, bound) = rhythm(seed);
        let seen = watched(&config, bound);
        let seen = seen.map_err(|what| TestCaseError::fail(format!("{what}\n{config:#?}")))?;
        let (overdue, beyond) = &mut *totals.borrow_mut();
        for class in 0..2 {
            overdue[class] += seen.overdue[class];
            beyond[class] = beyond[class].max(seen.longest_beyond[class]);
        }
        Ok(())
    });
    let (overdue, beyond) = totals.into_inner();
    if let Err(error) = result {
        panic!("{error}");
    }
    // The cases reach what they are for.
    assert!(overdue[0] > 10_000 && overdue[1] > 1_000, "{overdue:?}");
    assert!(beyond.iter().all(|b| !b.is_zero()), "{beyond:?}");
}

/// One switch of 5 ports, `recn-dd-iq` or another scheme with SAQs at speedup 1: 0 -> 1 and 2 -> 1
/// share an output that has a tree, and the other flows of their inputs go before them.
fn passed_by_normal_queues(scheme: SchemeKind, saqs: SaqPriority) -> FabricConfig {
    let mut switch = switch_config(scheme);
    (switch.wait_bound_packets, switch.saq_priority) = (Some(40), saqs);
    let pairs = [(0, 1), (1, 3), (2, 1), (2, 4), (3, 0)];
    let workload = flows(&pairs, &MessageBytes::Fixed(64));
    let network = network(&TopologyConfig::SingleSwitch { ports: 5 });
    fabric_config(network, switch, ratio(1, 1), &workload, 100_000, 1)
}

// "A reservation that another class may pass for ever starves third parties: it is worse than no
// bound: two of five flows get nothing, an output stays idle." `strict` may starve the flows in
// SAQs, whose inputs send other flows for ever, and no others; `bounded` starves none.
#[test]
fn an_overdue_saq_does_not_keep_an_output_idle() {
    for scheme in [SchemeKind::RecnDdIq, SchemeKind::RecnBasic] {
        let config = passed_by_normal_queues(scheme, SaqPriority::Bounded);
        let bytes = delivered(&config);
        // A head in a SAQ whose input always has others goes once in a bound of 40 packet times,
        // and a transfer: 50 us / 2.7 us. Of at most 4 bytes/ns nearly all are used.
        let total: u64 = bytes.iter().map(|f| f.1).sum();
        assert!(bytes.iter().all(|f| f.1 >= 18 * 64), "{scheme}: {bytes:?}");
        assert!(total > 150_000, "{scheme}: {bytes:?}");
        let strict = delivered(&passed_by_normal_queues(scheme, SaqPriority::Strict));
        let to_1: u64 = strict.iter().filter(|f| f.0.1 == 1).map(|f| f.1).sum();
        assert!(to_1 > 40_000, "{scheme}: output 1 is idle: {strict:?}");
    }
}

/// Flows that delivered nothing in the last three quarters of a run. A SAQ that is stopped stands
/// anew when it may go on, so that what is behind several of them may get little for a while.
fn starving(config: &FabricConfig) -> Vec<(u32, u32)> {
    let bytes = delivered_after(config, Tick(config.run.duration.0 / 4), Engine::Fast);
    bytes.iter().filter(|f| f.1 == 0).map(|f| f.0).collect()
}

// "bit-reverse leaves 5 of 56 flows at 0 bytes, transpose 8; with later thresholds 20 to 25": the
// 64-node BMIN at speedup 1 and full load.
#[test]
fn no_flow_of_a_permutation_starves_with_any_thresholds() {
    for pattern in [Pattern::BitReverse, Pattern::Transpose] {
        for packets in [10, 100] {
            let starved = |saqs| {
                let mut switch = switch_config(SchemeKind::Recn);
                switch.port_memory_bytes = 32_768;
                (switch.wait_bound_packets, switch.saq_priority) = (Some(64), saqs);
                switch.recn.detection_egress_packets = packets;
                switch.recn.detection_ingress_packets = packets;
                switch.recn.thresholds =
                    Thresholds::new(packets, packets / 2, Edge::Reached).expect("Xon below Xoff");
                let workload =
                    WorkloadConfig { load: Some(Ratio::ONE), pattern, ..WorkloadConfig::default() };
                let network = network(&TopologyConfig::Bmin { nodes: 64 });
                let config = fabric_config(network, switch, ratio(1, 1), &workload, 800_000, 1);
                starving(&config).len()
            };
            assert_eq!(starved(SaqPriority::Bounded), 0, "{pattern:?}");
            assert!(starved(SaqPriority::Strict) > 0, "else there is nothing to mend");
        }
    }
}

/// Standing flows of packets of one length: any scheme, any arbiter, the default bound.
fn standing_flows(seed: u64) -> FabricConfig {
    let mut draw = Draw::new(seed ^ 0x5aa9);
    let scheme = SCHEMES[(seed % SCHEMES.len() as u64) as usize];
    let mut switch = switch_config(scheme);
    switch.arbiter = draw.one(&ARBITERS);
    switch.port_memory_bytes = draw.one(&[4_096, 32_768]);
    switch.voq_net_memory = VoqNetMemory::Grow;
    let mut speedup = draw.one(&[ratio(1, 1), ratio(1, 1), ratio(3, 2)]);
    if scheme == SchemeKind::RecnDdIq {
        speedup = Ratio::ONE;
    }
    let (topology, ports, workload) = standing_traffic(&mut draw, &MessageBytes::Fixed(64));
    switch.wait_bound_packets = Some(8 * ports);
    let network = network(&topology);
    fabric_config(network, switch, speedup, &workload, 400_000, seed)
}

// "so the bound holds for every queue": no flow with standing demand goes without.
#[test]
fn nothing_starves_under_bounded() {
    let cases = 0..120;
    let found: Vec<String> = cases
        .filter_map(|seed| {
            let config = standing_flows(seed);
            let starving = starving(&config);
            (!starving.is_empty()).then(|| {
                format!(
                    "{seed}: {} {:?}: {starving:?}",
                    config.switch.scheme, config.switch.arbiter
                )
            })
        })
        .collect();
    assert!(found.is_empty(), "{found:#?}");
    // The cases reach what they are for: under `strict` some SAQs wait for ever.
    let strict = (0..60).filter(|&seed| {
        let mut config = standing_flows(seed);
        config.switch.saq_priority = SaqPriority::Strict;
        config.switch.scheme.version().is_some() && !starving(&config).is_empty()
    });
    assert!(strict.count() > 0);
}
