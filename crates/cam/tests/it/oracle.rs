//! The CAM against a linear scan over lists of turns.

use cam::{Allocation, Cam, CamError, LINES_MAX};
use proptest::prelude::*;
use turnpool::{Point, Route};
use units::LineId;

/// A turn and its width: switches of one network may differ in ports.
type Turn = (u32, u32);

#[derive(Clone, Debug)]
struct Line {
    turns: Vec<Turn>,
    /// Ready, blocked, leaf.
    flags: (bool, bool, bool),
    service_level: u8,
}

/// What the CAM should hold: a list of turns per line, scanned from the first to the last.
struct Oracle(Vec<Option<Line>>);

impl Oracle {
    fn valid(&self) -> impl Iterator<Item = (LineId, &Line)> {
        let lines = self.0.iter().enumerate();
        lines.filter_map(|(i, line)| Some((LineId::at(i), line.as_ref()?)))
    }

    fn longest(&self, turns: &[Turn], at_most: usize) -> Option<LineId> {
        self.valid()
            .filter(|(_, line)| line.turns.len() <= at_most && turns.starts_with(&line.turns))
            .max_by_key(|(_, line)| line.turns.len())
            .map(|(i, _)| i)
    }

    fn find(&self, turns: &[Turn]) -> Option<LineId> {
        self.valid().find(|(_, line)| line.turns == turns).map(|(i, _)| i)
    }

    fn allocate(&mut self, turns: &[Turn]) -> Allocation {
        if let Some(line) = self.find(turns) {
            return Allocation::Present(line);
        }
        let Some(i) = self.0.iter().position(Option::is_none) else {
            return Allocation::Full;
        };
        self.0[i] =
            Some(Line { turns: turns.to_vec(), flags: (false, false, true), service_level: 0 });
        Allocation::Allocated(LineId::at(i))
    }
}

#[derive(Clone, Debug)]
enum Op {
    Allocate(Vec<Turn>),
    Free(LineId),
    Set(LineId, (bool, bool, bool), u8),
    Lookup(Vec<Turn>),
}

/// Widths by hop, as along one path: a turn's width follows from the switch that it is taken in.
type Widths = [u32; 6];

const SHORT: Widths = [2, 1, 2, 3, 1, 2];

/// Points end before, at and after bits 32 and 64.
const LONG: Widths = [30, 2, 1, 30, 1, 32];

/// Few values per turn, so that prefixes and equal points are common.
fn turns(widths: Widths, most: usize) -> impl Strategy<Value = Vec<Turn>> {
    prop::collection::vec(0u32..2, 0..=most)
        .prop_map(move |values| values.into_iter().zip(widths).collect())
}

fn op(widths: Widths) -> impl Strategy<Value = Op> {
    // Mostly lines that a small CAM has too, and some that it has not.
    let line = prop_oneof![6 => 0..8_u8, 1 => 0..LINES_MAX as u8].prop_map(LineId);
    prop_oneof![
        4 => turns(widths, 5).prop_map(Op::Allocate),
        2 => line.clone().prop_map(Op::Free),
        4 => (line, any::<(bool, bool, bool)>(), any::<u8>())
            .prop_map(|(line, flags, level)| Op::Set(line, flags, level)),
        4 => turns(widths, 6).prop_map(Op::Lookup),
    ]
}

fn point(turns: &[Turn]) -> Point {
    let step = |point: Point, &(turn, width): &Turn| point.prepend(turn, width).unwrap();
    turns.iter().rev().fold(Point::EMPTY, step)
}

fn route(turns: &[Turn]) -> Route {
    let mut route = Route::EMPTY;
    for &(turn, width) in turns {
        route.push_back(turn, width).unwrap();
    }
    route
}

fn check(cam: &Cam, oracle: &Oracle) {
    let expected: Vec<_> = oracle.valid().map(|(i, line)| (i, point(&line.turns))).collect();
    assert_eq!(cam.iter().collect::<Vec<_>>(), expected);
    assert_eq!(cam.in_use() as usize, expected.len());
    assert_eq!(cam.is_full(), oracle.0.iter().all(Option::is_some));
    let mask = |pick: fn(&Line) -> bool| {
        oracle.valid().filter(|(_, line)| pick(line)).map(|(i, _)| 1u64 << i.0).sum::<u64>()
    };
    assert_eq!(cam.valid(), mask(|_| true));
    assert_eq!(cam.ready_lines(), mask(|line| line.flags.0));
    assert_eq!(cam.blocked_lines(), mask(|line| line.flags.1));
    assert_eq!(cam.leaf_lines(), mask(|line| line.flags.2));
    for (i, line) in oracle.valid() {
        assert_eq!((cam.ready(i), cam.blocked(i), cam.leaf(i)), line.flags);
        assert_eq!(cam.service_level(i), line.service_level);
        assert_eq!(cam.point(i), point(&line.turns));
    }
}

fn apply(cam: &mut Cam, oracle: &mut Oracle, op: &Op) {
    match *op {
        Op::Allocate(ref turns) => {
            let given = point(turns);
            let longest = turns.len().checked_sub(1).and_then(|most| oracle.longest(turns, most));
            assert_eq!(cam.longest_prefix(&given), longest);
            assert_eq!(cam.find(&given), oracle.find(turns));
            assert_eq!(cam.allocate(given), oracle.allocate(turns));
        }
        Op::Free(line) => {
            let freed = oracle.0.get_mut(line.index()).and_then(Option::take);
            let lines = cam.lines();
            let expected = freed.map(|l| point(&l.turns)).ok_or(CamError { line, lines });
            assert_eq!(cam.free(line), expected);
        }
        // Flags of a line that is not valid are nobody's: such an operation is left out.
        Op::Set(line, flags, level) => {
            if let Some(Some(known)) = oracle.0.get_mut(line.index()) {
                (known.flags, known.service_level) = (flags, level);
                cam.set_flags(line, flags);
                cam.set_service_level(line, level);
            }
        }
        Op::Lookup(ref turns) => {
            assert_eq!(cam.lookup(&route(turns)), oracle.longest(turns, turns.len()));
        }
    }
}

proptest! {
    #![proptest_config(crate::fixed::fixed(400, 2005))]

    // "A packet matches T (k turns) if at least k turns of its route remain and the next k equal T.
    // Packets take the longest match. Xoff, Xon, tokens and NACKs match T exactly."
    #[test]
    fn cam_equals_a_scan_over_lists_of_turns(
        lines in prop_oneof![0usize..=8, Just(LINES_MAX)],
        ops in prop_oneof![
            prop::collection::vec(op(SHORT), 0..200),
            prop::collection::vec(op(LONG), 0..200),
        ],
    ) {
        let mut cam = Cam::new(lines);
        let mut oracle = Oracle(vec![None; lines]);
        for op in &ops {
            apply(&mut cam, &mut oracle, op);
            check(&cam, &oracle);
        }
    }
}

// The limit of lines is fixed; each of the 64 can be used.
#[test]
fn full_cam_uses_every_line_in_order() {
    let mut cam = Cam::new(LINES_MAX);
    for turn in 0..LINES_MAX as u32 {
        assert_eq!(
            cam.allocate(Point::from_turn(turn, 7)),
            Allocation::Allocated(LineId(turn as u8))
        );
    }
    assert!(cam.is_full());
    assert_eq!(cam.allocate(Point::from_turn(100, 7)), Allocation::Full);
    assert_eq!(cam.free(LineId(63)), Ok(Point::from_turn(63, 7)));
    assert_eq!(cam.allocate(Point::from_turn(100, 7)), Allocation::Allocated(LineId(63)));
}

#[test]
#[should_panic(expected = "CAM line 0 of 4 is not valid")]
fn stale_line_number_is_caught() {
    Cam::new(4).set_flags(LineId(0), (true, false, true));
}

#[test]
#[should_panic(expected = "at most 64 are legal")]
fn more_lines_than_a_word_has_bits_are_refused() {
    Cam::new(LINES_MAX + 1);
}
