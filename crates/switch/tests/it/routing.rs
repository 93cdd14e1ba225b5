//! What routing units read: tables, and the switch behind an output.

use crate::common::{cases, params, route};
use plan::RouteTable;
use proptest::prelude::*;
use std::num::NonZeroU8;
use std::sync::Arc;
use switch::{LookAhead, Mu, NextSwitch};
use turnpool::turn;
use units::PortId;

fn behind(in_port: u8, table: Option<RouteTable>) -> NextSwitch {
    NextSwitch {
        in_port: PortId(in_port),
        ports: 8,
        width: 3,
        look_ahead: table.map_or(LookAhead::Turns, |table| LookAhead::Table(Arc::new(table))),
        mu: Mu::new(1, params(|_| {}).vcs),
    }
}

proptest! {
    #![proptest_config(cases(200))]

    // "destination -> candidate output ports": both forms of a table agree.
    #[test]
    fn a_table_of_single_candidates_equals_one_of_sets(
        outputs in prop::collection::vec(prop::option::of(0..64_u8), 1..20),
    ) {
        let above = |output: &Option<u8>| output.and_then(|o| NonZeroU8::new(o + 1));
        let single = RouteTable::Single(outputs.iter().map(above).collect());
        let set = |output: &Option<u8>| output.map_or(0, |o| 1 << o);
        let several = RouteTable::Several(outputs.iter().map(set).collect());
        for destination in 0..outputs.len() as u32 {
            let candidates = single.candidates(destination);
            prop_assert_eq!(candidates, several.candidates(destination));
        }
    }
}

// "look-ahead = the port it will request in the next switch"
#[test]
fn look_ahead_reads_the_turn_behind_those_skipped() {
    let next = behind(6, None);
    for output in 0..8 {
        let turns = route(&[7, turn(6, output, 8)], 3);
        assert_eq!(next.output(&turns, 3, &0), Ok(PortId(output as u8)));
    }
}

// The table of the next switch is that of the ingress port that the packet will come to. Where no
// output leads on from there, queue and class of output 0 do: it is removed there.
#[test]
fn look_ahead_reads_the_table_of_the_next_port() {
    let next = behind(6, Some(RouteTable::Several([0, 0b1100].into())));
    assert_eq!(next.output(&route(&[], 3), 3, &1), Ok(PortId(2)));
    assert_eq!(next.output(&route(&[], 3), 3, &0), Ok(PortId(0)));
}
