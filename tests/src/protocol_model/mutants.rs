//! Rules broken on purpose: each must be caught, else the exploration shows nothing.

/// A rule that is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mutant {
    /// No marker where the host is a normal queue.
    MarkerOmitted,
    /// No marker where the host is the SAQ of a less specific point.
    NestedMarkerOmitted,
    /// The detection queue stays what it is as its root is found.
    SwapOmitted,
    /// A SAQ is freed without the R bit.
    FreedNotReady,
    /// A SAQ is freed that is not a leaf.
    FreedNotLeaf,
    /// A SAQ is freed although it is blocked.
    FreedBlocked,
    /// The end of the SAQ timer is not looked at.
    TimerForgotten,
    /// A token over a link is not sent.
    TokenLost,
    /// A token over a link is sent twice.
    TokenTwice,
    /// A token inside a switch is not sent.
    InternalTokenLost,
    /// A refusal over a link is not answered.
    NackForgotten,
    /// A refusal inside a switch is taken for a child.
    RefusalForgotten,
    /// An adopted root owes no token.
    AdoptionForgotten,
    /// Xon over a link is not sent.
    XonLost,
    /// Xon inside a switch is not sent.
    InternalXonLost,
    /// A notification is not followed by the Xoff in force.
    XoffBehindNotificationOmitted,
    /// The head of the cold queue goes although it matches a line.
    ColdHeadGoes,
    /// Xon leaves the line without a queue at its output.
    LineKept,
}

/// All, each in one line.
pub const MUTANTS: [(Mutant, &str); 18] = [
    (Mutant::MarkerOmitted, "no marker where the host is a normal queue"),
    (Mutant::NestedMarkerOmitted, "no marker where the host is the SAQ of a less specific point"),
    (Mutant::SwapOmitted, "the detection queue stays what it is as its root is found"),
    (Mutant::FreedNotReady, "a SAQ is freed without the R bit"),
    (Mutant::FreedNotLeaf, "a SAQ is freed that is not a leaf"),
    (Mutant::FreedBlocked, "a SAQ is freed although it is blocked"),
    (Mutant::TimerForgotten, "the end of the SAQ timer is not looked at"),
    (Mutant::TokenLost, "a token over a link is not sent"),
    (Mutant::TokenTwice, "a token over a link is sent twice"),
    (Mutant::InternalTokenLost, "a token inside a switch is not sent"),
    (Mutant::NackForgotten, "a refusal over a link is not answered"),
    (Mutant::RefusalForgotten, "a refusal inside a switch is taken for a child"),
    (Mutant::AdoptionForgotten, "an adopted root owes no token"),
    (Mutant::XonLost, "Xon over a link is not sent"),
    (Mutant::InternalXonLost, "Xon inside a switch is not sent"),
    (Mutant::XoffBehindNotificationOmitted, "a notification is not followed by the Xoff in force"),
    (Mutant::ColdHeadGoes, "the head of the cold queue goes although it matches a line"),
    (Mutant::LineKept, "Xon leaves the line without a queue at its output"),
];
