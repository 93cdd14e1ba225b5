//! Random runs: fabric, scheme, traffic, and when and what is measured.

use crate::prelude::*;
use crate::random::case as random_case;
use crate::wide;
use plan::WindowConfig;

/// Mixed into the seed, so that the draws here have nothing to do with those of the fabric.
const SALT: u64 = 0x0ac1_e500_0000_0001;
/// Traffic of a long case ends here, ns: SAQs are freed and set aside again within the 2 us that
/// count as early, and later.
const LONG_NS: u64 = 12_000;
/// And of a very long one: there are several parts of 20 us in its windows, and thousands of
/// messages.
const VERY_LONG_NS: u64 = 80_000;

/// A random run. Every third has a scheme of the RECN family and is long; some of these are very
/// long.
pub fn case(seed: u64) -> FabricConfig {
    let mut draw = Draw::new(seed ^ SALT);
    let (scheme, ns) = if seed.is_multiple_of(3) {
        let long = draw.one(&[LONG_NS, LONG_NS, LONG_NS, LONG_NS, VERY_LONG_NS]);
        (Some(draw.one(&RECN)), long)
    } else {
        (None, draw.one(&[1_000, 2_500]))
    };
    loop {
        let number = draw.range(0, u64::MAX - 1);
        // Among those of any scheme some are wide: virtual channels, requests with replies.
        let mut config = if scheme.is_none() && seed.is_multiple_of(2) {
            wide::case(number, ns).config
        } else {
            random_case(number, scheme, ns)
        };
        let ticks = config.time_base.ns_to_ticks_ceil(ns).0;
        measure(&mut draw, &mut config, ticks);
        if Run::new(&config, Engine::Fast).is_ok() {
            return config;
        }
    }
}

/// When and what is measured; traffic ends at tick `traffic`.
fn measure(draw: &mut Draw, config: &mut FabricConfig, traffic: u64) {
    let duration = draw.range(traffic / 2, traffic + traffic / 2).max(16);
    let run = &mut config.run;
    run.duration = Tick(duration);
    run.warmup = Tick(match draw.range(0, 9) {
        0..=2 => 0,
        // Nothing is measured.
        3 if draw.chance(20) => duration,
        _ => draw.range(0, duration * 3 / 4),
    });
    run.series_bin = Span(draw.one(&[duration, duration + 1, 313, 4_999, duration.div_ceil(3)]));
    run.drain = Span(draw.one(&[0, 0, 1, 400, traffic, 10 * traffic]));
    config.windows = windows(draw, duration);
    let nodes = config.network.nodes() as u64;
    let hot = draw.range(0, 2);
    let mut hot: Vec<u32> = (0..hot).map(|_| draw.range(0, nodes - 1) as u32).collect();
    hot.sort_unstable();
    hot.dedup();
    config.hot_destinations = hot;
    config.named_links = links(draw, config);
}

/// Up to four windows in order of time; some adjacent, some empty.
fn windows(draw: &mut Draw, duration: u64) -> Vec<WindowConfig> {
    let mut windows: Vec<WindowConfig> = Vec::new();
    let mut from = 0;
    for name in ["d", "a", "c", "b"].iter().take(draw.range(0, 4) as usize) {
        let start = if draw.chance(40) { from } else { draw.range(from, duration) };
        let end = if draw.chance(10) { start } else { draw.range(start, duration) };
        windows.push(WindowConfig {
            name: (*name).to_string(),
            start: Tick(start),
            end: Tick(end),
            note: (end == start).then(|| "nothing happens".to_string()),
        });
        from = end;
    }
    windows
}

/// Sets of links by name; a link may be in several.
fn links(draw: &mut Draw, config: &FabricConfig) -> Vec<(String, Vec<(u32, u8)>)> {
    let graph = config.network.graph();
    let mut all = Vec::new();
    for switch in 0..graph.switches() as u32 {
        let ports = (0..graph.ports(switch) as u8).map(|port| (switch, port));
        all.extend(ports.filter(|&(s, p)| graph.peer(s, p) != Endpoint::None));
    }
    let mut named = Vec::new();
    for name in ["some", "others"] {
        let links: Vec<(u32, u8)> = all.iter().copied().filter(|_| draw.chance(30)).collect();
        if !links.is_empty() {
            named.push((name.to_string(), links));
        }
    }
    named
}
