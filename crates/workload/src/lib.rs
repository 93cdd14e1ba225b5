//! Traffic: who sends what to whom, when
