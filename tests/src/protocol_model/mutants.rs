//! Rules broken on purpose: each must be caught, else the exploration shows nothing.

macro_rules! mutants {
    ($($mutant:ident = $what:literal,)+) => {
        /// A rule that is broken.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Mutant {
            $(#[doc = $what] $mutant),+
        }

        /// All, each in one line.
        pub const MUTANTS: &[(Mutant, &str)] = &[$((Mutant::$mutant, $what)),+];
    };
}

mutants! {
    MarkerOmitted = "no marker where the host is a normal queue",
    NestedMarkerOmitted = "no marker where the host is the SAQ of a less specific point",
    SwapOmitted = "the detection queue stays what it is as its root is found",
    FreedNotReady = "a SAQ is freed without the R bit",
    FreedNotLeaf = "a SAQ is freed that is not a leaf",
    FreedBlocked = "a SAQ is freed although it is blocked",
    TimerForgotten = "the end of the SAQ timer is not looked at",
    TokenLost = "a token over a link is not sent",
    TokenTwice = "a token over a link is sent twice",
    InternalTokenLost = "a token inside a switch is not sent",
    NackForgotten = "a refusal over a link is not answered",
    RefusalForgotten = "a refusal inside a switch is taken for a child",
    AdoptionForgotten = "an adopted root owes no token",
    XonLost = "Xon over a link is not sent",
    InternalXonLost = "Xon inside a switch is not sent",
    XoffBehindNotificationOmitted = "a notification is not followed by the Xoff in force",
    ColdHeadGoes = "the head of the cold queue goes although it matches a line",
    LineKept = "Xon leaves the line without a queue at its output",
}
