//! Whatever a file holds, reading it ends in a scenario or in printable errors, never in a panic.

use proptest::prelude::*;
use scenario::{Scenario, Set, Study};

const SCENARIO: &str = include_str!("../../../../scenarios/garcia-trees-2005/case-2.toml");
const FAULTS: &str = include_str!("../../../../scenarios/lai-rsi/br-faults.toml");
const STUDY: &str = include_str!("../../../../scenarios/studies/saq-sizing.toml");

/// Pieces that a file may get by accident, apart by blanks.
const PIECES: &str = "0 -1 1e400 nan inf \" ' [ ] [[ ]] { } = . , # \n \r \t \\ \"3/2\" true \
    99999999999999999999999 9223372036854775807 0x7fffffffffffffff [] {} \u{0} \u{feff} é \
    1979-05-27 workload.hot workload.moving group faults.event \"dragonfly\" \"from-file\" \
    \"lar\" recn \"file\" \"mesh\" 4294967295 0.1 1_6 from=1 from=0,to=1e9";

/// What is done to a text, where, and with how much or which piece.
type Edit = (usize, usize, usize);
const KINDS: usize = 5;

fn edit(text: &mut Vec<char>, (kind, at, what): Edit) {
    let pieces: Vec<&str> = PIECES.split(' ').collect();
    let piece = pieces[what % pieces.len()];
    let (at, other) = (at % text.len(), what % text.len());
    let part = |most: usize| at..(at + what % most).min(text.len());
    match kind {
        0 => drop(text.splice(at..at, piece.chars())),
        1 => drop(text.drain(part(40))),
        2 => text.swap(at, other),
        3 => {
            let again = text[part(60)].to_vec();
            text.splice(at..at, again);
        }
        // Another value for one key: deeper than what the parser of TOML refuses.
        _ => {
            let whole: String = text.iter().collect();
            let mut lines: Vec<String> = whole.lines().map(str::to_owned).collect();
            let keys = lines.iter_mut().filter(|line| line.contains(" = ")).collect::<Vec<_>>();
            let number = at % keys.len().max(1);
            if let Some(line) = keys.into_iter().nth(number) {
                let (key, _) = line.split_once(" = ").unwrap();
                *line = format!("{key} = {piece}");
            }
            *text = lines.join("\n").chars().collect();
        }
    }
}

fn apply(text: &str, edits: &[Edit]) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for what in edits {
        if text.len() > 1 {
            edit(&mut text, *what);
        }
    }
    text.into_iter().collect()
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    prop::collection::vec((0..KINDS, 0usize..4000, 0usize..4000), 1..6)
}

fn cases(cases: u32) -> ProptestConfig {
    let rng_seed = proptest::test_runner::RngSeed::Fixed(2005);
    ProptestConfig { cases, failure_persistence: None, rng_seed, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(1500))]

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
    #![proptest_config(cases(150))]

    #[test]
    fn study_never_panics(edits in edits()) {
        let resolve = |_: &str| Some(SCENARIO.to_owned());
        if let Err(errors) = Study::parse(&apply(STUDY, &edits), "mutated", &resolve, &[]) {
            prop_assert!(errors.to_string().contains("error: "));
        }
    }
}
