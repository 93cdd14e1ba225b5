//! Whatever stands in a file, reading it ends in a scenario or in errors that can be printed, never
//! in a panic.

use proptest::prelude::*;
use scenario::{Scenario, Set, Study};

const SCENARIO: &str = include_str!("../../../../scenarios/garcia-trees-2005/case-2.toml");
const FAULTS: &str = include_str!("../../../../scenarios/lai-rsi/br-faults.toml");
const STUDY: &str = include_str!("../../../../scenarios/studies/saq-sizing.toml");

/// Pieces that a file may get by accident.
const PIECES: &[&str] = &[
    "0",
    "-1",
    "1e400",
    "nan",
    "inf",
    "\"",
    "'",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "=",
    ".",
    ",",
    "#",
    "\n",
    "\r",
    "\t",
    "\\",
    "\"3/2\"",
    "true",
    "99999999999999999999999",
    "9223372036854775807",
    "0x7fffffffffffffff",
    "[]",
    "{}",
    "\u{0}",
    "\u{feff}",
    "é",
    "1979-05-27",
    "workload.hot",
    "workload.moving",
    "group",
    "faults.event",
    "\"dragonfly\"",
    "\"from-file\"",
    "\"lar\"",
    "recn",
    "\"file\"",
    "\"mesh\"",
    "4294967295",
    "0.1",
    "1_6",
    "from = 1",
    "from = 0, to = 1e9",
];

#[derive(Debug, Clone)]
enum Edit {
    Insert(usize, usize),
    Remove(usize, usize),
    Swap(usize, usize),
    Repeat(usize, usize),
    Value(usize, usize),
}

fn edit() -> impl Strategy<Value = Edit> {
    let at = 0usize..4000;
    prop_oneof![
        (at.clone(), 0..PIECES.len()).prop_map(|(at, piece)| Edit::Insert(at, piece)),
        (at.clone(), 1usize..40).prop_map(|(at, length)| Edit::Remove(at, length)),
        (at.clone(), at.clone()).prop_map(|(a, b)| Edit::Swap(a, b)),
        (at.clone(), 1usize..60).prop_map(|(at, length)| Edit::Repeat(at, length)),
        (at, 0..PIECES.len()).prop_map(|(line, piece)| Edit::Value(line, piece)),
    ]
}

fn apply(text: &str, edits: &[Edit]) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for edit in edits {
        let length = text.len();
        if length < 2 {
            break;
        }
        match *edit {
            Edit::Insert(at, piece) => {
                let at = at % length;
                text.splice(at..at, PIECES[piece].chars());
            }
            Edit::Remove(at, count) => {
                let at = at % length;
                text.drain(at..(at + count).min(length));
            }
            Edit::Swap(a, b) => text.swap(a % length, b % length),
            Edit::Repeat(at, count) => {
                let at = at % length;
                let piece: Vec<char> = text[at..(at + count).min(length)].to_vec();
                text.splice(at..at, piece);
            }
            Edit::Value(line, piece) => {
                // Another value for one key: deeper than what the parser of TOML refuses.
                let whole: String = text.iter().collect();
                let keys = whole.lines().filter(|line| line.contains(" = ")).count().max(1);
                let mut at = 0;
                let lines: Vec<String> = whole
                    .lines()
                    .map(|text| match text.split_once(" = ") {
                        Some((key, _)) => {
                            at += 1;
                            if at == 1 + line % keys {
                                format!("{key} = {}", PIECES[piece])
                            } else {
                                text.to_owned()
                            }
                        }
                        None => text.to_owned(),
                    })
                    .collect();
                text = lines.join("\n").chars().collect();
            }
        }
    }
    text.into_iter().collect()
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    prop::collection::vec(edit(), 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(2005), ..ProptestConfig::default() })]

    #[test]
    fn scenario_never_panics(edits in edits(), faults in proptest::bool::ANY) {
        let text = if faults { FAULTS } else { SCENARIO };
        match Scenario::parse(&apply(text, &edits), "mutated", None, &[]) {
            Ok(scenario) => {
                let text = scenario.resolved_toml();
                let again = Scenario::parse(&text, "resolved", None, &[]);
                prop_assert_eq!(again.map(|again| again.resolved_toml()).map_err(|errors| errors.to_string()), Ok(text));
            }
            Err(errors) => {
                prop_assert!(errors.len() > 0);
                prop_assert!(errors.to_string().contains("error: "));
            }
        }
    }

    #[test]
    fn sets_never_panic(key in "[a-z_.0-9]{0,20}|(network|switch|recn|routing|faults|workload\\.(hot|moving)|run)\\.[a-z_]{1,14}", value in "\\PC{0,20}") {
        let set = Set::new(&key, &value);
        if let Err(errors) = Scenario::parse(SCENARIO, "base", None, &[set]) {
            prop_assert!(errors.to_string().contains("error: "));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(2005), ..ProptestConfig::default() })]

    #[test]
    fn study_never_panics(edits in edits()) {
        let resolve = |_: &str| Some(SCENARIO.to_owned());
        if let Err(errors) = Study::parse(&apply(STUDY, &edits), "mutated", &resolve, &[]) {
            prop_assert!(errors.to_string().contains("error: "));
        }
    }
}
