//! The AS route header: layout, round trips, and the way back.

use proptest::prelude::*;
use turnpool::{Field, Header, Point, PoolKind, Route, backward, forward, turn, turn_width};

// "64-bit route header, fields in this order, [...] PI 7, PCRC 1, FECN 1, TS 1, OO 1,
// credits-required 5, TC 3, perishable 1, header CRC 7, turn pointer 5, D 1, turn pool 31"
const ORDER: [(Field, u32); 12] = [
    (Field::PI, 7),
    (Field::PCRC, 1),
    (Field::FECN, 1),
    (Field::TS, 1),
    (Field::OO, 1),
    (Field::CREDITS_REQUIRED, 5),
    (Field::TC, 3),
    (Field::PERISHABLE, 1),
    (Field::HEADER_CRC, 7),
    (Field::TURN_POINTER, 5),
    (Field::D, 1),
    (Field::TURN_POOL, 31),
];

#[test]
fn fields_lie_in_the_order_of_the_spec_and_hold_what_fits() {
    let mut top = 64;
    for (field, bits) in ORDER {
        let (mut header, most) = (Header::default(), (1 << bits) - 1);
        header.set(field, most).unwrap();
        top -= bits;
        assert_eq!(header.0, u64::from(most) << top, "{field:?}");
        assert!(header.set(field, most + 1).is_err());
        assert_eq!(header.get(field), most);
    }
    assert_eq!(top, 0);
    let error = Header::default().set(Field::TC, 8).unwrap_err();
    assert_eq!(error.to_string(), "tc = 8; the field has 3 bits");
}

/// Ports of a switch, and the ports by which a packet enters and leaves.
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
    fn every_field_survives_whatever_the_others_are(before: u64, values: [u32; 12]) {
        let mut header = Header(before);
        let values = values.iter().zip(ORDER).map(|(value, (field, bits))| {
            let value = value & ((1 << bits) - 1);
            header.set(field, value).unwrap();
            value
        });
        let values: Vec<u32> = values.collect();
        prop_assert_eq!(ORDER.map(|(field, _)| header.get(field)).to_vec(), values);
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
        prop_assert_eq!((header.is_arrived(), header.route()), (None, None));
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
        let header = |pool: u32| Header(u64::from(pointer) << 32 | u64::from(pool));
        let (a, b) = (header(pool_a).route().unwrap(), header(mixed).route().unwrap());
        prop_assert_eq!(a, b);
        let point = match u32::from(bits) {
            0 => Point::EMPTY,
            bits => Point::from_turn((a.turns() >> (128 - bits)) as u32, bits),
        };
        prop_assert_eq!(point.matches(&a), bits <= pointer);
        prop_assert_eq!(point.matches(&b), bits <= pointer);
    }
}

// "31 bits do not suffice for BMIN 2048 (11 switches x 3 = 33)"
#[test]
fn route_of_33_bits_needs_the_extended_pool() {
    let mut route = Route::EMPTY;
    for _ in 0..11 {
        route.push_back(6, turn_width(8, false)).unwrap();
    }
    let error = Header::from_route(&route).unwrap_err();
    assert_eq!(error.to_string(), "the turns need 33 bits; the pool of an AS header holds 31");
    assert!(u32::from(route.bits()) <= PoolKind::Extended.bits());
}

#[test]
fn turn_outside_the_pool_is_refused() {
    let mut route = Route::EMPTY;
    route.push_back(1, 2).unwrap();
    let mut header = Header::from_route(&route).unwrap();
    let outside = |header: Header, width, direction| {
        let text = format!("a turn of {width} bits at turn pointer 2, going {direction}, leaves");
        header.next(width).unwrap_err().to_string().starts_with(&text)
    };
    assert!(outside(header, 3, "Forward"));
    header.turn_around();
    assert!(outside(header, 30, "Backward"));
}
