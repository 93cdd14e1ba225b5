//! What each register sends, and when.

use flow_control::{LinkLoop, PauseError, PauseRegister, PauseRule, PauseState, PauseWord};
use units::{Span, Tick};

fn rule() -> PauseRule {
    PauseRule::new(10, 4).unwrap()
}

/// A word may wait 30 ticks, and takes 2.
fn link() -> LinkLoop {
    LinkLoop { our_packet_bytes: 30, ..super::link() }
}

// "When what is stored of the VC rises to `pfc.xoff_bytes`, PAUSE goes upstream for that VC; when
// it falls to `pfc.xon_bytes` or below, RESUME."
#[test]
fn words_are_wanted_at_the_thresholds() {
    let mut register = PauseRegister::default();
    let mut words = Vec::new();
    let up = (0..=12).map(|stored| (true, stored));
    let down = (0..12).rev().map(|stored| (false, stored));
    for (tick, (rises, stored)) in (0..).zip(up.chain(down)) {
        if rises {
            register.rise(stored, &rule());
        } else {
            register.fall(stored, &rule());
        }
        if let Some(word) = register.waiting(&rule(), Tick(tick)) {
            register.send(word, Tick(tick));
            words.push((word, stored));
        }
    }
    assert_eq!(words, [(PauseWord::Pause, 10), (PauseWord::Resume, 4)]);
}

// A word that waits for the link is taken back, not followed by another.
#[test]
fn one_word_waits_at_the_most() {
    let mut register = PauseRegister::default();
    register.rise(10, &rule());
    assert_eq!(register.waiting(&rule(), Tick(0)), Some(PauseWord::Pause));
    register.fall(4, &rule());
    assert_eq!(register.waiting(&rule(), Tick(0)), None);
    register.rise(11, &rule());
    register.send(PauseWord::Pause, Tick(5));
    register.fall(0, &rule());
    assert_eq!(register.waiting(&rule(), Tick(9)), Some(PauseWord::Resume));
    register.rise(10, &rule());
    assert_eq!(register.waiting(&rule(), Tick(9)), None, "PAUSE was sent");
}

// "Unlike an InfiniBand or RECN pause there is no timer by default; `pfc.quanta_ns` (0 = none)
// makes a PAUSE run out, so it is repeated."
#[test]
fn a_pause_with_quanta_is_repeated_before_it_runs_out() {
    let rule = rule().with_quanta(Span(100), &link()).unwrap();
    let mut register = PauseRegister::default();
    register.rise(10, &rule);
    assert_eq!(register.due(&rule), None, "nothing sent yet");
    register.send(PauseWord::Pause, Tick(7));
    assert_eq!(register.due(&rule), Some(Tick(77)));
    assert_eq!(register.waiting(&rule, Tick(76)), None);
    assert_eq!(register.waiting(&rule, Tick(77)), Some(PauseWord::Pause));
    register.send(PauseWord::Pause, Tick(90));
    assert_eq!(register.due(&rule), Some(Tick(160)));
    register.fall(4, &rule);
    assert_eq!(register.due(&rule), None);
    assert_eq!(register.waiting(&rule, Tick(90)), Some(PauseWord::Resume));
    // 0: none.
    let rule = rule.with_quanta(Span::ZERO, &link()).unwrap();
    register.rise(10, &rule);
    assert_eq!(rule.quanta(), None);
    assert_eq!((register.due(&rule), register.waiting(&rule, Tick(1 << 60))), (None, None));
}

// "After a PAUSE no new packet of that VC starts"
#[test]
fn the_sender_is_paused_until_the_next_word_or_for_the_quanta() {
    let mut state = PauseState::default();
    assert!(!state.is_paused(Tick::ZERO));
    state.hear(PauseWord::Pause, &rule(), Tick(3));
    assert!(state.is_paused(Tick(4)) && state.is_paused(Tick(1 << 60)));
    assert_eq!(state.due(Tick(4)), None);
    state.hear(PauseWord::Resume, &rule(), Tick(9));
    assert!(!state.is_paused(Tick(10)));
    let quanta = rule().with_quanta(Span(100), &link()).unwrap();
    state.hear(PauseWord::Pause, &quanta, Tick(20));
    assert_eq!(state.due(Tick(21)), Some(Tick(120)));
    assert!(state.is_paused(Tick(119)) && !state.is_paused(Tick(120)));
    assert_eq!(state.due(Tick(120)), None);
}

#[test]
fn senseless_parameters_are_refused() {
    assert_eq!(PauseRule::new(0, 0), Err(PauseError::XoffZero));
    let error = PauseRule::new(4, 5).unwrap_err();
    assert_eq!(error, PauseError::XonAboveXoff { xoff: 4, xon: 5 });
    assert_eq!(error.to_string(), "xon of 5 bytes is above xoff; legal: 0 to 4");
    assert!(PauseRule::new(4, 4).is_ok());
    let (quanta, least) = (Span(31), Span(32));
    let error = rule().with_quanta(quanta, &link()).unwrap_err();
    assert_eq!(error, PauseError::QuantaShort { quanta, least });
    assert!(rule().with_quanta(least, &link()).is_ok());
}
