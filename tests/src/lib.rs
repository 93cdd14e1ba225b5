//! What crosses crates: order, losslessness, theory, engines
