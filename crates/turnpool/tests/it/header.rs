//! The AS route header: layout, round trips, and the way back.

use proptest::prelude::*;
use turnpool::{
    Direction, Header, HeaderError, Pi, Point, PoolKind, RawHeader, Route, backward, forward, turn,
    turn_width,
};

// "64-bit route header, fields in this order, [...] PI 7, PCRC 1, FECN 1, TS 1, OO 1,
// credits-required 5, TC 3, perishable 1, header CRC 7, turn pointer 5, D 1, turn pool 31"
#[test]
fn fields_lie_in_the_order_of_the_spec() {
    type Set = fn(&mut RawHeader);
    let fields: [(&str, u32, Set); 12] = [
        ("PI", 7, |h| h.set_pi(u8::MAX)),
        ("PCRC", 1, |h| h.set_pcrc(true)),
        ("FECN", 1, |h| h.set_fecn(true)),
        ("TS", 1, |h| h.set_ts(true)),
        ("OO", 1, |h| h.set_oo(true)),
        ("credits required", 5, |h| h.set_credits_required(u8::MAX)),
        ("TC", 3, |h| h.set_tc(u8::MAX)),
        ("perishable", 1, |h| h.set_perishable(true)),
        ("header CRC", 7, |h| h.set_header_crc(u8::MAX)),
        ("turn pointer", 5, |h| h.set_turn_pointer(u8::MAX)),
        ("D", 1, |h| h.set_backward(true)),
        ("turn pool", 31, |h| h.set_turn_pool(u32::MAX)),
    ];
    let mut top = 64;
    for (name, bits, set) in fields {
        let mut raw = RawHeader(0);
        set(&mut raw);
        top -= bits;
        assert_eq!(raw.0, ((1 << bits) - 1) << top, "{name}");
    }
    assert_eq!(top, 0);
}

/// Ports of a switch, and the ports by which a packet comes and goes.
fn hop() -> impl Strategy<Value = (u32, u32, u32)> {
    (2u32..=64).prop_flat_map(|ports| {
        (Just(ports), 0..ports, 1..ports).prop_map(|(p, i, step)| (p, i, (i + step) % p))
    })
}

/// As many of the hops as an AS header holds the turns of.
fn that_fit(hops: &[(u32, u32, u32)]) -> (&[(u32, u32, u32)], Route) {
    let mut route = Route::EMPTY;
    for (n, &(ports, i, o)) in hops.iter().enumerate() {
        let width = turn_width(ports, false);
        if u32::from(route.bits()) + width > PoolKind::As31.bits() {
            return (&hops[..n], route);
        }
        route.push_back(turn(i, o, ports), width).unwrap();
    }
    (hops, route)
}

proptest! {
    #![proptest_config(crate::fixed::fixed(1000, 2005))]

    // "parse/emit with a round-trip test of every field" "Unknown PI values survive a round trip."
    #[test]
    fn every_field_survives_emit_and_parse(
        (pi, credits, tc, crc, pointer) in (0u8..128, 0u8..32, 0u8..8, 0u8..128, 0u8..32),
        (pcrc, fecn, ts, oo, perishable, back) in any::<(bool, bool, bool, bool, bool, bool)>(),
        pool in 0u32..1 << 31,
        before in any::<u64>(),
    ) {
        let direction = if back { Direction::Backward } else { Direction::Forward };
        let mut header = Header::parse(RawHeader(before)).unwrap();
        prop_assert_eq!(header.emit(), RawHeader(before));
        header.set_pi(Pi::from_number(pi)).unwrap();
        header.set_pcrc(pcrc);
        header.set_fecn(fecn);
        header.set_ts(ts);
        header.set_oo(oo);
        header.set_credits_required(credits).unwrap();
        header.set_tc(tc).unwrap();
        header.set_perishable(perishable);
        header.set_header_crc(crc).unwrap();
        header.set_turn_pointer(pointer).unwrap();
        header.set_direction(direction);
        header.set_turn_pool(pool).unwrap();
        let read = Header::parse(header.emit()).unwrap();
        let high = (read.pi().number(), read.credits_required(), read.tc());
        prop_assert_eq!(high, (pi, credits, tc));
        let low = (read.header_crc(), read.turn_pointer(), read.turn_pool());
        prop_assert_eq!(low, (crc, pointer, pool));
        prop_assert_eq!((read.pcrc(), read.fecn(), read.ts()), (pcrc, fecn, ts));
        let flags = (read.oo(), read.perishable(), read.direction());
        prop_assert_eq!(flags, (oo, perishable, direction));
    }

    // "Forward packets consume from the high end; the pointer falls by the width; 0 = arrived."
    #[test]
    fn header_steps_as_the_route_does(hops in prop::collection::vec(hop(), 0..12)) {
        let (hops, mut route) = that_fit(&hops);
        let mut header = Header::from_route(&route).unwrap();
        for &(ports, i, o) in hops {
            let width = turn_width(ports, false);
            prop_assert_eq!(header.is_arrived(), Some(false));
            prop_assert_eq!(header.route(), Some(route));
            prop_assert_eq!(header.next(width).ok(), route.next(width).ok());
            prop_assert_eq!(forward(i, header.take(width).unwrap(), ports), o);
            route.consume(width).unwrap();
        }
        prop_assert_eq!(header.is_arrived(), Some(true));
        prop_assert_eq!(header.route(), Some(Route::EMPTY));
    }

    // "the return route is the same pool with D flipped and the pointer run the other way"
    #[test]
    fn packet_turned_around_retraces_its_path(
        hops in prop::collection::vec(hop(), 0..12),
        turned_after in 0usize..12,
    ) {
        let (hops, route) = that_fit(&hops);
        let sent = Header::from_route(&route).unwrap();
        let mut header = sent;
        let crossed = &hops[..turned_after.min(hops.len())];
        for &(ports, i, o) in crossed {
            let taken = header.take(turn_width(ports, false)).unwrap();
            prop_assert_eq!(forward(i, taken, ports), o);
        }
        header.turn_around();
        prop_assert_eq!(header.turn_pool(), sent.turn_pool());
        prop_assert_eq!(header.is_arrived(), None);
        for &(ports, i, o) in crossed.iter().rev() {
            let taken = header.take(turn_width(ports, false)).unwrap();
            prop_assert_eq!(backward(o, taken, ports), i);
        }
        header.turn_around();
        prop_assert_eq!(header, sent);
    }

    // "at one port packets may come with different pointers, so align on the pointer before
    // comparing"
    #[test]
    fn headers_with_different_pointers_align(
        pool_a in 0u32..1 << 31,
        pool_b in 0u32..1 << 31,
        pointer in 0u8..=31,
        bits in 0u8..=31,
    ) {
        // Same turns below the pointer, other turns taken before.
        let mask = ((1u64 << pointer) - 1) as u32;
        let mixed = (pool_b & !mask) | (pool_a & mask);
        let header = |pool: u32| {
            let mut header = Header::parse(RawHeader(0)).unwrap();
            header.set_turn_pool(pool).unwrap();
            header.set_turn_pointer(pointer).unwrap();
            header
        };
        let (a, b) = (header(pool_a).route().unwrap(), header(mixed).route().unwrap());
        prop_assert_eq!(a, b);
        let point = Point::from_bits(a.turns(), bits);
        prop_assert_eq!(point.matches(&a), bits <= pointer);
        prop_assert_eq!(point.matches(&b), bits <= pointer);
    }
}

// "RECN packets have protocol interface PI-7"
#[test]
fn seven_is_recn_and_others_keep_their_number() {
    for number in 0..128 {
        let pi = Pi::from_number(number);
        assert_eq!(pi == Pi::Recn, number == 7);
        assert_eq!(pi.number(), number);
    }
    assert_eq!(Header::from_route(&Route::EMPTY).unwrap().emit().pi(), 7);
}

#[test]
fn value_wider_than_its_field_is_refused() {
    let mut header = Header::from_route(&Route::EMPTY).unwrap();
    let wide = |field, given, bits| Err(HeaderError::FieldTooWide { field, given, bits });
    assert_eq!(header.set_pi(Pi::Unknown(128)), wide("pi", 128, 7));
    assert_eq!(header.set_credits_required(32), wide("credits_required", 32, 5));
    assert_eq!(header.set_tc(8), wide("tc", 8, 3));
    assert_eq!(header.set_header_crc(128), wide("header_crc", 128, 7));
    assert_eq!(header.set_turn_pointer(32), wide("turn_pointer", 32, 5));
    assert_eq!(header.set_turn_pool(1 << 31), wide("turn_pool", 1 << 31, 31));
}

// "31 bits do not suffice for BMIN 2048 (11 switches x 3 = 33)"
#[test]
fn route_of_33_bits_needs_the_extended_pool() {
    let mut route = Route::EMPTY;
    for _ in 0..11 {
        route.push_back(6, turn_width(8, false)).unwrap();
    }
    assert_eq!(
        Header::from_route(&route),
        Err(HeaderError::RouteTooLong { bits_needed: 33, limit: 31 })
    );
    assert!(u32::from(route.bits()) <= PoolKind::Extended.bits());
}

#[test]
fn turn_outside_the_pool_is_refused() {
    let mut route = Route::EMPTY;
    route.push_back(1, 2).unwrap();
    let mut header = Header::from_route(&route).unwrap();
    let outside =
        |pointer, width, direction| Err(HeaderError::TurnOutsidePool { pointer, width, direction });
    assert_eq!(header.take(3), outside(2, 3, Direction::Forward));
    header.turn_around();
    assert_eq!(header.take(30), outside(2, 30, Direction::Backward));
}

#[test]
fn pool_names_read_back() {
    for kind in [PoolKind::As31, PoolKind::Extended] {
        assert_eq!(kind.to_string().parse(), Ok(kind));
    }
    let error = "as32".parse::<PoolKind>().unwrap_err();
    assert_eq!(error.to_string(), "no turn pool is called `as32`; legal: as31, extended");
}
