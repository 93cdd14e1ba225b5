//! Lists in a file of their own or in the scenario.

use crate::draft::Draft;
use crate::error::{Place, ScenarioError};
use crate::input::read_text;
use crate::plain::Plain;
use crate::settings::Settings;
use crate::source::Source;
use std::path::Path;

/// A list of the section: the key of its file, the key of its text, and its name.
pub(crate) struct List {
    pub(super) file: &'static str,
    pub(super) text: &'static str,
    name: &'static str,
    one: &'static str,
}

pub(super) const EDGES: List =
    List { file: "network.file", text: "network.edges", name: "edge list", one: "an edge list" };

pub(super) const LINKS: List = List {
    file: "network.global_links_file",
    text: "network.global_links",
    name: "list of global links",
    one: "a list of global links",
};

/// Lists in files become part of the scenario: its text is self-contained, its hash covers them.
pub(crate) fn read_lists(draft: &mut Draft, base_dir: Option<&Path>) {
    EDGES.read(draft, base_dir);
    LINKS.read(draft, base_dir);
}

impl List {
    /// The text of the file becomes the value of the key of the text.
    fn read(&self, draft: &mut Draft, base_dir: Option<&Path>) {
        let List { file, text, one, .. } = *self;
        let name = draft.word(file).to_owned();
        if name.is_empty() {
            return;
        }
        if draft.given(text) {
            let what = format!("both {file} and {text} are given");
            return draft.refuse(&[file], what, "legal: one of them");
        }
        let Some(base_dir) = base_dir else {
            let what = "an embedded scenario reads no files";
            return draft.refuse(&[file], what, format!("give the list as {text}"));
        };
        let path = base_dir.join(&name);
        match read_text(&path) {
            Ok(list) => {
                let list = list.replace("\r\n", "\n");
                let source = Source::new(&path.display().to_string(), &list);
                draft.rename(file, text, Plain::Word(list));
                draft.list_sources.insert(text, source);
            }
            Err(error) => {
                let what = format!("{}: {}", path.display(), error.message);
                let help = format!("legal: the path of {one}, relative to the scenario file");
                draft.refuse(&[file], what, help);
            }
        }
    }

    /// What is wrong in the list: in its file, or with its line at the key of the scenario.
    pub(super) fn error(
        &self,
        settings: &Settings,
        line: u32,
        column: u32,
        what: &str,
        help: &str,
    ) -> ScenarioError {
        let Some(source) = settings.list_sources.get(self.text) else {
            let what = format!("line {line} of the {}: {what}", self.name);
            return settings.error(&[self.text], what, help);
        };
        let start = source.line_start(line as usize);
        let text = source.text[start..].lines().next().unwrap_or("");
        let skip = column.saturating_sub(1) as usize;
        let offset = text.char_indices().nth(skip).map_or(text.len(), |(at, _)| at);
        let end = text[offset..].find(',').map_or(text.len(), |at| offset + at);
        let place = Place::file(source, start + offset..start + end);
        ScenarioError::new(&place, self.file, what, help)
    }
}
