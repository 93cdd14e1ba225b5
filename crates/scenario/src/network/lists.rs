//! Lists that stand in a file of their own or in the scenario: where in them an error is.

use crate::error::{Problem, ScenarioError};
use crate::settings::Settings;
use crate::source::{Origin, Source};
use std::sync::Arc;

/// A list of the section: the key of its file, the key of its text, and its name.
pub(super) struct List {
    pub(super) file: &'static str,
    pub(super) text: &'static str,
    pub(super) name: &'static str,
}

pub(super) const EDGES: List =
    List { file: "network.file", text: "network.edges", name: "edge list" };

pub(super) const LINKS: List = List {
    file: "network.global_links_file",
    text: "network.global_links",
    name: "list of global links",
};

/// A problem in a list: in its file, or, where it stands in the scenario, at the key with the line
/// named.
pub(super) struct InList {
    problem: Problem,
    origin: Origin,
}

impl InList {
    pub(super) fn help(self, help: &str) -> ScenarioError {
        self.problem.help(help).at(&self.origin)
    }
}

pub(super) fn in_list(
    settings: &Settings,
    list: &List,
    source: Option<&Arc<Source>>,
    line: u32,
    column: u32,
    what: &str,
) -> InList {
    let Some(source) = source else {
        return InList {
            problem: Problem::new(format!("line {line} of the {}: {what}", list.name))
                .key(list.text),
            origin: settings.origin(list.text),
        };
    };
    let start = source.line_start(line as usize);
    let text = source.text[start..].lines().next().unwrap_or("");
    let skip = column.saturating_sub(1) as usize;
    let offset = text.char_indices().nth(skip).map_or(text.len(), |(at, _)| at);
    let end = text[offset..].find(',').map_or(text.len(), |at| offset + at);
    InList {
        problem: Problem::new(what).key(list.file),
        origin: Origin::File {
            source: Arc::clone(source),
            start: start + offset,
            end: start + end,
        },
    }
}
