//! Which network catches which mutant.

use super::traffic::{FORK, FOUR, THREE, TWO};
use super::{AT_INGRESS, Case, NESTED};
use crate::protocol_model::mutants::Mutant;
use crate::protocol_model::properties::Rule;
use plan::SchemeKind::{Recn, RecnBasic, RecnDd, RecnDdIq};

/// In which network, which mutant, caught by which property.
pub fn caught() -> impl Iterator<Item = (&'static Case, Mutant, Rule)> {
    CAUGHT
        .iter()
        .flat_map(|(case, mutants)| mutants.iter().map(move |&(mutant, rule)| (case, mutant, rule)))
}

/// A mutant and the property that catches it.
type Caught = (Mutant, Rule);

const CAUGHT: &[(Case, &[Caught])] = &[
    (
        Case::new(RecnBasic, FORK, 1),
        &[(Mutant::MarkerOmitted, Rule::Order), (Mutant::RefusalForgotten, Rule::Tokens)],
    ),
    (
        Case::new(RecnBasic, FORK, 2),
        &[
            (Mutant::FreedNotReady, Rule::Markers),
            (Mutant::TimerForgotten, Rule::PutAway),
            (Mutant::TokenLost, Rule::PutAway),
            (Mutant::TokenTwice, Rule::Protocol),
            (Mutant::XonLost, Rule::Delivered),
            (Mutant::XoffBehindNotificationOmitted, Rule::Xoff),
        ],
    ),
    (
        Case::new(Recn, TWO, 1),
        &[(Mutant::SwapOmitted, Rule::Order), (Mutant::RefusalForgotten, Rule::Protocol)],
    ),
    (
        Case::new(Recn, TWO, 2),
        &[
            (Mutant::FreedNotLeaf, Rule::Tokens),
            (Mutant::FreedBlocked, Rule::Protocol),
            (Mutant::TokenLost, Rule::Tokens),
            (Mutant::TokenTwice, Rule::Tokens),
            (Mutant::InternalTokenLost, Rule::PutAway),
            (Mutant::AdoptionForgotten, Rule::PutAway),
            (Mutant::XonLost, Rule::Delivered),
            (Mutant::InternalXonLost, Rule::Xoff),
        ],
    ),
    (Case::new(Recn, TWO, 2).injection_saqs(0), &[(Mutant::NackForgotten, Rule::Tokens)]),
    (
        Case::new(RecnDd, THREE, 2),
        &[
            (Mutant::MarkerOmitted, Rule::Order),
            (Mutant::SwapOmitted, Rule::Delivered),
            (Mutant::FreedNotReady, Rule::Markers),
            (Mutant::TimerForgotten, Rule::PutAway),
            (Mutant::XonLost, Rule::Delivered),
            (Mutant::InternalXonLost, Rule::Delivered),
        ],
    ),
    (
        Case::new(RecnDd, FOUR, 2).thresholds(AT_INGRESS).injection_saqs(0).capacity(2),
        &[(Mutant::NestedMarkerOmitted, Rule::Order)],
    ),
    (NESTED, &[(Mutant::NestedMarkerOmitted, Rule::Order)]),
    (
        Case::new(RecnDdIq, TWO, 2),
        &[
            (Mutant::FreedNotReady, Rule::Markers),
            (Mutant::FreedBlocked, Rule::Protocol),
            (Mutant::TimerForgotten, Rule::PutAway),
            (Mutant::XonLost, Rule::Delivered),
            (Mutant::InternalXonLost, Rule::Delivered),
            (Mutant::ColdHeadGoes, Rule::Order),
        ],
    ),
    (
        Case::new(RecnDdIq, THREE, 2),
        &[(Mutant::MarkerOmitted, Rule::Order), (Mutant::NestedMarkerOmitted, Rule::Order)],
    ),
    (Case::new(RecnDdIq, THREE, 2).iq_egress_lines(), &[(Mutant::LineKept, Rule::Xoff)]),
];
