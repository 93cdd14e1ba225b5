//! What was made of the groups.

use crate::closed::Closed;
use units::{Ratio, Span};

/// What was made of a group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupSummary {
    /// Its sources, source j at j.
    pub sources: Vec<u32>,
    /// Sources that would send to themselves alone, such as fixed points of a permutation;
    /// without `workload.self` they send nothing.
    pub silent: Vec<u32>,
    /// The share asked for, where it is no whole number of nodes and was rounded down.
    pub share_rounded: Option<Ratio>,
    /// What its messages ask for, if they are requests.
    pub replies: Option<Replies>,
}

/// The replies that a group asks for: when the last tail of a request is ejected, its destination
/// generates one to its source (switch.md, request and reply).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replies {
    /// Length of a reply, bytes.
    pub bytes: u32,
    /// From the ejection of the request to the generation of the reply.
    pub delay: Span,
    /// Closed loop, if it is one; the generators know it.
    pub closed: Option<Closed>,
}
