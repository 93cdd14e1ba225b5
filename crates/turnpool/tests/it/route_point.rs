//! Routes and points against plain lists of turns.

use proptest::prelude::*;
use turnpool::{Point, Route, RouteEnded, RouteTooLong};

type Turn = (u32, u32);

fn turn_up_to(width_max: u32) -> impl Strategy<Value = Turn> {
    (1..=width_max, any::<u32>())
        .prop_map(|(width, value)| (value & (u32::MAX >> (32 - width)), width))
}

fn route(turns: &[Turn]) -> Route {
    let mut route = Route::EMPTY;
    for &(turn, width) in turns {
        route.push_back(turn, width).unwrap();
    }
    route
}

fn point(turns: &[Turn]) -> Point {
    let step = |point: Point, &(turn, width): &Turn| point.prepend(turn, width).unwrap();
    turns.iter().rev().fold(Point::EMPTY, step)
}

fn bits(turns: &[Turn]) -> u32 {
    turns.iter().map(|&(_, width)| width).sum()
}

/// The widths along a path and two lists of turns over them: few values, so that prefixes are
/// common.
fn two_lists() -> impl Strategy<Value = (Vec<Turn>, Vec<Turn>)> {
    let hop = (1u32..=4, 0u32..2, 0u32..2);
    (prop::collection::vec(hop, 0..8), 0usize..8, 0usize..8).prop_map(|(hops, a, b)| {
        let list = |n: usize, pick: fn(&(u32, u32, u32)) -> Turn| -> Vec<Turn> {
            hops.iter().take(n).map(pick).collect()
        };
        (list(a, |&(w, x, _)| (x, w)), list(b, |&(w, x, y)| (x & y, w)))
    })
}

proptest! {
    #![proptest_config(crate::fixed::fixed(2000, 2005))]

    // "a turn pool holding all turns of the route and a turn pointer to the next one"
    #[test]
    fn route_equals_a_list_of_turns(turns in prop::collection::vec(turn_up_to(32), 0..40)) {
        let mut route = Route::EMPTY;
        let mut kept = Vec::new();
        for &(turn, width) in &turns {
            let bits_needed = bits(&kept) + width;
            if bits_needed <= 128 {
                prop_assert_eq!(route.push_back(turn, width), Ok(()));
                kept.push((turn, width));
            } else {
                let before = route;
                let error = RouteTooLong { bits_needed };
                prop_assert_eq!(route.push_back(turn, width), Err(error));
                prop_assert_eq!(route, before);
            }
        }
        for (taken, &(turn, width)) in kept.iter().enumerate() {
            prop_assert!(!route.is_arrived());
            prop_assert_eq!(u32::from(route.bits()), bits(&kept[taken..]));
            prop_assert_eq!(route.next(width), Ok(turn));
            prop_assert_eq!(route.later(0, width), Ok(turn));
            if let Some(&(second, then)) = kept.get(taken + 1) {
                prop_assert_eq!(route.later(width, then), Ok(second));
            }
            prop_assert_eq!(route.consume(width), Ok(()));
        }
        prop_assert_eq!(route, Route::EMPTY);
        prop_assert!(route.is_arrived());
    }

    #[test]
    fn prefixes_are_those_of_the_lists((a, b) in two_lists()) {
        prop_assert_eq!(point(&a).is_prefix_of(&point(&b)), b.starts_with(&a));
        prop_assert_eq!(point(&a) == point(&b), a == b);
    }

    // "a packet matches when its next k turns equal the k stored turns"; "at one port packets may
    // come with different pointers, so align on the pointer before comparing"
    #[test]
    fn point_matches_as_its_list_begins_what_remains(
        (stored, remaining) in two_lists(),
        taken in prop::collection::vec(turn_up_to(4), 0..20),
    ) {
        let mut longer = route(&[taken.clone(), remaining.clone()].concat());
        for &(_, width) in &taken {
            longer.consume(width).unwrap();
        }
        prop_assert_eq!(longer, route(&remaining));
        prop_assert_eq!(point(&stored).matches(&longer), remaining.starts_with(&stored));
    }

    // "egress port o to ingress port i of the same switch: prepend turn(i, o)"
    #[test]
    fn prepend_puts_one_turn_in_front(
        turns in prop::collection::vec(turn_up_to(32), 0..4),
        first in turn_up_to(32),
    ) {
        let (turn, width) = first;
        let behind = point(&turns);
        let bits_needed = bits(&turns) + width;
        match behind.prepend(turn, width) {
            Ok(whole) => {
                prop_assert_eq!(whole, point(&[&[first][..], &turns].concat()));
                prop_assert_eq!(whole.first(width), turn);
                prop_assert_eq!(whole.without_first(width), Some(behind));
                prop_assert_eq!(u32::from(whole.bits()), bits_needed);
                prop_assert_eq!(whole.mask().leading_ones(), bits_needed);
                prop_assert_eq!(whole.mask().count_ones(), bits_needed);
                prop_assert_eq!(whole.turns() & !whole.mask(), 0);
                prop_assert!(whole.matches(&route(&[&[first][..], &turns].concat())));
            }
            Err(error) => {
                prop_assert!(bits_needed > 128);
                prop_assert_eq!(error, RouteTooLong { bits_needed });
            }
        }
    }
}

// 128 bits are legal: a point and a route as long as the extended pool.
#[test]
fn whole_pool_is_used() {
    let turns = [(u32::MAX, 32), (1, 32), (2, 32), (3, 32)];
    let (mut route, point) = (route(&turns), point(&turns));
    assert_eq!((route.bits(), point.bits()), (128, 128));
    assert_eq!(point.mask(), u128::MAX);
    assert!(point.matches(&route));
    assert_eq!(route.push_back(0, 1), Err(RouteTooLong { bits_needed: 129 }));
    assert_eq!(point.prepend(0, 1), Err(RouteTooLong { bits_needed: 129 }));
    assert_eq!(point.without_first(32).unwrap().first(32), 1);
}

#[test]
fn texts_show_bits_and_length() {
    let turns = [(5, 3), (0, 3)];
    assert_eq!(route(&turns).to_string(), "1010_00 (6 bits)");
    assert_eq!(format!("{:?}", point(&turns)), "Point(1010_00 (6 bits))");
    assert_eq!(Point::EMPTY.to_string(), "- (0 bits)");
}

#[test]
#[should_panic(expected = "turn 8 in 3 bits")]
fn turn_wider_than_its_field_is_caught() {
    let mut route = Route::EMPTY;
    let _ = route.push_back(8, 3);
}

#[test]
fn turn_beyond_the_end_is_an_error_and_takes_nothing() {
    let ended = |skip, width, bits| RouteEnded { skip, width, bits };
    let mut short = route(&[(1, 2)]);
    assert_eq!(short.next(3), Err(ended(0, 3, 2)));
    assert_eq!(short.later(2, 1), Err(ended(2, 1, 2)));
    assert_eq!(short.consume(3), Err(ended(0, 3, 2)));
    assert_eq!(short, route(&[(1, 2)]));
    assert_eq!(
        ended(2, 1, 2).to_string(),
        "the route ends: a turn in bits 2..3 of the 2 that remain"
    );
    assert_eq!(Route::EMPTY.next(1), Err(ended(0, 1, 0)));
}

#[test]
fn later_turns_may_lie_in_both_halves() {
    let long = route(&[(7, 30), (9, 32), (5, 3), (6, 3)]);
    assert_eq!(long.later(62, 3), Ok(5));
    assert_eq!(long.later(65, 3), Ok(6));
    assert_eq!(long.later(68, 1), Err(RouteEnded { skip: 68, width: 1, bits: 68 }));
}
