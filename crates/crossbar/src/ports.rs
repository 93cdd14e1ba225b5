//! Sets of ports, one bit for each, and random choices among them.

use crate::PORTS_MAX;
use units::PortId;
use units::draw::{Stream, below};

/// The ports of a set, lowest first.
#[inline]
pub(crate) fn ports(mask: u64) -> impl Iterator<Item = PortId> {
    units::bits::ones(mask).map(PortId::at)
}

/// The ports of a set from `pointer` on, cyclic.
#[inline]
pub(crate) fn ports_from(mask: u64, pointer: PortId) -> impl Iterator<Item = PortId> {
    units::bits::ones_from(mask, pointer.0.into()).map(PortId::at)
}

/// Single-resource round robin: the first port of a set at or after `pointer`, cyclic.
#[inline]
pub(crate) fn first_port(mask: u64, pointer: PortId) -> Option<PortId> {
    units::bits::first_from(mask, pointer.0.into(), |_| true).map(PortId::at)
}

#[inline]
pub(crate) fn has(mask: u64, port: PortId) -> bool {
    mask >> port.0 & 1 == 1
}

/// One of the first `limit` ports (1 or more), equally likely. A limit of 1 draws nothing.
#[inline]
pub(crate) fn port_below(stream: &mut Stream, limit: u8) -> PortId {
    PortId(index_below(stream, u32::from(limit)) as u8)
}

/// One of the ports of `mask`; `None` if there is none. A single port draws nothing.
#[inline]
pub(crate) fn pick(stream: &mut Stream, mask: u64) -> Option<PortId> {
    match mask.count_ones() {
        0 => None,
        set => Some(PortId::at(units::bits::nth_one(mask, index_below(stream, set)))),
    }
}

/// The ports of `mask` in random order, every order with the same probability (Fisher-Yates): the
/// array and how many of its entries count. A single port draws nothing.
#[inline]
pub(crate) fn shuffled(stream: &mut Stream, mask: u64) -> ([PortId; PORTS_MAX], usize) {
    let mut order = [PortId(0); PORTS_MAX];
    let mut len = 0;
    for port in ports(mask) {
        order[len] = port;
        len += 1;
    }
    for last in (1..len).rev() {
        order.swap(last, index_below(stream, last as u32 + 1) as usize);
    }
    (order, len)
}

/// A number below `limit`; nothing is drawn where there is no choice.
#[inline]
fn index_below(stream: &mut Stream, limit: u32) -> u32 {
    match limit {
        0 | 1 => 0,
        _ => below(stream, limit.into()) as u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::SeedableRng;

    // Each of the 6 orders of three ports is expected 10,000 times.
    #[test]
    fn orders_are_even() {
        let mut stream = Stream::seed_from_u64(2);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..60_000 {
            let (order, len) = shuffled(&mut stream, 0b1000_0101);
            *counts.entry(order[..len].to_vec()).or_insert(0_i64) += 1;
        }
        assert_eq!(counts.len(), 6);
        let even = counts.values().all(|count| (count - 10_000).abs() < 500);
        assert!(even, "{counts:?}");
    }

    #[test]
    fn a_single_choice_draws_nothing() {
        let mut drawn = Stream::seed_from_u64(3);
        assert_eq!(port_below(&mut drawn, 1), PortId(0));
        assert_eq!(pick(&mut drawn, 1 << 63), Some(PortId(63)));
        assert_eq!(pick(&mut drawn, 0), None);
        assert_eq!(shuffled(&mut drawn, 1 << 5).1, 1);
        assert_eq!(drawn, Stream::seed_from_u64(3));
    }
}
