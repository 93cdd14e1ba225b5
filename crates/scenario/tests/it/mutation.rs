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

/// Which of [`KINDS`] is done to a text, where, and with how much or which piece.
type Edit = (usize, usize, usize);

const KINDS: [fn(&mut Vec<char>, usize, usize); 5] =
    [insert, remove, |text, a, b| swap(text, a, b), repeat, value];

fn piece(number: usize) -> &'static str {
    let pieces: Vec<&str> = PIECES.split(' ').collect();
    pieces[number % pieces.len()]
}

fn insert(text: &mut Vec<char>, at: usize, number: usize) {
    text.splice(at..at, piece(number).chars());
}

fn remove(text: &mut Vec<char>, at: usize, count: usize) {
    text.drain(at..(at + count % 40).min(text.len()));
}

fn swap(text: &mut [char], a: usize, b: usize) {
    let b = b % text.len();
    text.swap(a, b);
}

fn repeat(text: &mut Vec<char>, at: usize, count: usize) {
    let piece: Vec<char> = text[at..(at + count % 60).min(text.len())].to_vec();
    text.splice(at..at, piece);
}

/// Another value for one key: deeper than what the parser of TOML refuses.
fn value(text: &mut Vec<char>, line: usize, number: usize) {
    let whole: String = text.iter().collect();
    let mut lines: Vec<String> = whole.lines().map(str::to_owned).collect();
    let mut keys: Vec<&mut String> = lines.iter_mut().filter(|line| line.contains(" = ")).collect();
    let line = line % keys.len().max(1);
    if let Some(line) = keys.get_mut(line) {
        let (key, _) = line.split_once(" = ").unwrap();
        **line = format!("{key} = {}", piece(number));
    }
    *text = lines.join("\n").chars().collect();
}

fn apply(text: &str, edits: &[Edit]) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for (kind, at, what) in edits {
        if text.len() < 2 {
            break;
        }
        let at = at % text.len();
        KINDS[*kind](&mut text, at, *what);
    }
    text.into_iter().collect()
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    prop::collection::vec((0..KINDS.len(), 0usize..4000, 0usize..4000), 1..6)
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
