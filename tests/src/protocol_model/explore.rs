//! One exploration, breadth first.

use super::action::Action;
use super::model::ProtocolModel;
use super::properties::Rule;
use stateright::{Checker, HasDiscoveries, Model};
use std::collections::BTreeMap;

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explored {
    /// Different states; all there are, if no rule is broken.
    pub states: usize,
    /// Commits that lead to them.
    pub commits: usize,
    /// The longest of the shortest ways to a state, counted in states.
    pub depth: usize,
    /// Rules that do not hold, each with the shortest way to a state that shows it.
    pub broken: BTreeMap<Rule, Vec<Action>>,
}

/// Explores all states, or up to the violation of a rule: of `until` if that is given, else of any.
/// On one thread, so that it is always the same.
pub fn explore(model: ProtocolModel, until: Option<Rule>) -> Explored {
    let finish = until
        .map_or(HasDiscoveries::AnyFailures, |rule| HasDiscoveries::AnyOf([rule.name()].into()));
    let builder = model.checker().threads(1).finish_when(finish);
    let checker = builder.spawn_bfs().join();
    let way = |rule: Rule| Some((rule, checker.discovery(rule.name())?.into_actions()));
    Explored {
        states: checker.unique_state_count(),
        commits: checker.state_count(),
        depth: checker.max_depth(),
        broken: Rule::ALL.into_iter().filter_map(way).collect(),
    }
}
