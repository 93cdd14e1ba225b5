//! Searches: which points to run next, from what the runs so far say.
//!
//! Main decision: a search has no state. It is a function of the table of all runs so far: it asks
//! for points ([`Ask`]), or for more replicas of points that it has, until it asks for nothing. So
//! a search that was killed goes on where it was, and its answer does not depend on how often that
//! happened. The cost: the table is judged anew in each round, which takes milliseconds.
//!
//! [`LoadSearch`]: up to which load all that is offered arrives. [`SizeSearch`]: the least of a
//! resource that meets a target on all workloads.

mod edge;
mod looked;
mod pareto;
mod saturate;
mod saturate_text;
mod size;
mod size_answer;
mod size_text;
#[cfg(test)]
mod tests;
mod verdict;

pub use saturate::{Load, LoadAnswer, LoadSearch, LoadSetting};
pub use size::SizeSearch;
pub use size_answer::{Frontier, Method, Need, SizeAnswer, SizedDesign};
pub use verdict::{Confidence, Verdict};

/// A key and its value.
type Label = (String, String);

/// A point that is to have so many replicas.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ask {
    /// Its axes.
    pub labels: Vec<Label>,
    /// From replica 0 on, those that it has included.
    pub replicas: u32,
}
