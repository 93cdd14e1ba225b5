//! The tests of this crate in one binary, a module a suite: `cargo test --test it SUITE`.

mod hash;
mod parts;
mod statistics;

use observe::{Offered, PacketView, StatsConfig};
use units::{Ratio, Span, Tick, TimeBase, WireId};

/// Four nodes, a random group and one that asks for replies; a tick is a ns.
fn config(warmup: u64, duration: u64) -> StatsConfig {
    StatsConfig {
        nodes: 4,
        first_node_port: WireId(0),
        groups: vec!["random".to_owned(), "clients".to_owned()],
        replies: vec![false, true],
        warmup: Tick(warmup),
        duration: Tick(duration),
        windows: Vec::new(),
        hot_destinations: Vec::new(),
        series_bin: Span(100),
        time_base: TimeBase::new(1, Ratio::ONE, Ratio::ONE).unwrap(),
        pauses: false,
        measured_links: Vec::new(),
    }
}

/// A message of one packet.
fn offered(packet: &PacketView, is_refused: bool) -> Offered {
    Offered {
        source: packet.source,
        destination: packet.destination,
        bytes: packet.bytes,
        packets: 1,
        group: packet.group,
        kind: packet.kind,
        born: packet.born,
        asked: packet.asked,
        refused: is_refused,
    }
}
