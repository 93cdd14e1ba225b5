//! `cargo xtask reproduce`: a paper's experiments with one command, measured beside published, in
//! `docs/reproduction.md`.

mod chart;
mod ecn_recn;
mod pfc;
mod priya;
mod rsi;
mod runs;
mod santos;
mod tree_picture;
mod tree_shapes;
mod work;

use crate::page::{self, root};
use scenario::{Set, Study};
use setaside::{Exit, Failure, SweepArgs, build_info, jobs_of, run_jobs};
use study::Table;

/// A work that can be repeated: its key, and what writes its section.
type Work = (&'static str, Section);

/// Writes a section.
#[derive(Clone, Copy)]
enum Section {
    /// Runs all that it needs.
    Fresh(fn() -> Result<String, Failure>),
    /// If asked to, takes runs that are stored.
    Resumable(fn(resume: bool) -> Result<String, Failure>),
    /// As its file says; always goes on where it was stopped.
    Data,
}
use Section::{Data, Fresh, Resumable};

/// How much of a work is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wants {
    /// All; of a work that goes on where it was stopped what is not stored.
    Whole,
    /// As much as shows that it runs; no page is written.
    Quick,
    /// Nothing: what is stored is put on the page, which says how much that is.
    Stored,
}

/// One line a work; the section is written by its file.
const WORKS: &[Work] = &[
    ("garcia-mesh-2005", Data),
    ("garcia-trees-2005", Data),
    ("garcia-trees-2005-shapes", Fresh(tree_shapes::section)),
    ("priya-recn-iq-2017", Fresh(priya::section)),
    ("lai-rsi", Resumable(rsi::section)),
    ("santos-ecn-2002", Resumable(santos::section)),
    ("pfc", Fresh(pfc::section)),
    ("ecn-beside-recn", Resumable(ecn_recn::section)),
];

/// Begins a line about a measured value that misses what it must reach: the page says it where a
/// reader looks, and the command fails.
const MISSED: &str = "**Missed:** ";

/// Set over a scenario with SAQs: normal queues go before them, always, as published.
const STRICT: (&str, &str) = ("switch.saq_priority", "strict");

const PAGE: &str = "docs/reproduction.md";

const HEAD: &str = "# Reproduction\n\nWritten by `cargo xtask reproduce`; measured values stand beside published ones as they come out. \
    Nothing is tuned to them.\nEngine fast. Rates are in bytes/ns.\n";

/// Writes the section of one work, leaving the others as they are, or the sections of all. With
/// `resume` a work that can takes the runs that an earlier command of this version has stored. A
/// quick version and one of stored runs are of works that are data alone.
pub(crate) fn reproduce(work: Option<&str>, resume: bool, wants: Wants) -> Result<(), Failure> {
    let names: Vec<&str> = WORKS.iter().map(|w| w.0).collect();
    if let Some(work) = work
        && !names.contains(&work)
    {
        return Err(Failure::new(
            Exit::Usage,
            format!("error: unknown work `{work}`; legal: {}", names.join(", ")),
        ));
    }
    let is_data = |section: &Section| matches!(section, Data);
    let named = WORKS.iter().find(|w| work == Some(w.0));
    if wants != Wants::Whole && named.is_some_and(|(_, section)| !is_data(section)) {
        let data = WORKS.iter().filter(|(_, section)| is_data(section));
        let legal: Vec<&str> = data.map(|w| w.0).collect();
        return Err(Failure::new(
            Exit::Usage,
            format!(
                "error: this work has no --quick and no --stored; legal: {}",
                legal.join(", ")
            ),
        ));
    }
    for (name, section) in WORKS {
        let is_left = wants != Wants::Whole && !is_data(section);
        if !is_left && work.is_none_or(|work| work == *name) {
            let section = match section {
                Fresh(section) => section()?,
                Resumable(section) => section(resume)?,
                Data => work::section(name, wants)?,
            };
            if wants == Wants::Quick {
                println!("{section}\nquick: {PAGE} is left as it is");
                continue;
            }
            let measured = headed(&section, name, &build_info().version);
            // Read and written for each work: one that fails later costs nothing that is measured.
            let page = match std::fs::read_to_string(root().join(PAGE)) {
                Ok(page) => page,
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => String::new(),
                Err(e) => return Err(page::io(PAGE)(e)),
            };
            page::write(PAGE, &put(&page, &names, name, &measured))?;
            if measured.contains(MISSED) {
                return Err(Failure::new(
                    Exit::Failure,
                    format!(
                        "error: {name}: a measured value misses what it must reach; see {PAGE}"
                    ),
                ));
            }
        }
    }
    Ok(())
}

/// A section below its heading, by which [`put`] finds it again, and the command and the version
/// that wrote it.
fn headed(section: &str, name: &str, version: &str) -> String {
    format!("## {name}\n\n`cargo xtask reproduce {name}`, version {version}.\n\n{section}")
}

/// The page with one section put in the place of the one with its heading `## name`; `order` is
/// that of the sections. Sections of other names stay, at the end.
fn put(page: &str, order: &[&str], name: &str, section: &str) -> String {
    let mut sections: Vec<(String, String)> = Vec::new();
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            sections.push((heading.trim().to_string(), String::new()));
        }
        // what is above the first section is written anew
        if let Some((_, text)) = sections.last_mut() {
            text.push_str(line);
            text.push('\n');
        }
    }
    match sections.iter_mut().find(|(heading, _)| heading == name) {
        Some((_, text)) => *text = section.to_string(),
        None => sections.push((name.to_string(), section.to_string())),
    }
    sections.sort_by_key(|(heading, _)| {
        order
            .iter()
            .position(|name| name == heading)
            .unwrap_or(order.len())
    });
    let mut out = HEAD.to_string();
    for (_, text) in sections {
        out.push('\n');
        out.push_str(text.trim_end());
        out.push('\n');
    }
    out
}

/// Runs a shipped study with sets over it, into `runs/reproduce/NAME`, and returns its table.
pub(crate) fn run_study(file: &str, name: &str, sets: &[(&str, &str)]) -> Result<Table, Failure> {
    let sets: Vec<Set> = sets.iter().map(|(k, v)| Set::new(k, v)).collect();
    let study = Study::load(&root().join("scenarios/studies").join(file), &sets)?;
    let jobs = jobs_of(&study);
    let out = root().join("runs/reproduce").join(name);
    // These directories are the command's own: what another version of the study left goes.
    let args = SweepArgs {
        force: true,
        ..SweepArgs::default()
    };
    let result = run_jobs(&study, &jobs, &out, &args)?;
    match result.exit() {
        Exit::Ok => Ok(result.table),
        Exit::Interrupted => Err(Failure::new(Exit::Interrupted, "interrupted")),
        _ => Err(Failure::new(
            Exit::Failure,
            format!("error: some runs of {name} failed"),
        )),
    }
}

/// What a person found out about a work's numbers: `docs/notes/WORK.md`, put below its tables as it
/// stands.
pub(crate) fn notes(work: &str) -> Result<String, Failure> {
    page::read(&format!("docs/notes/{work}.md"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORDER: [&str; 2] = ["a-2005", "b-2006"];

    // One work's command measures that work alone: the other sections stay to the byte.
    #[test]
    fn one_section_is_replaced_and_the_others_stay() {
        let page = "# Old head\n\n## a-2005\n\n### Case\n\nold a\n\n## b-2006\n\nold b\n\n## by-hand\n\nkept\n";
        let new = put(page, &ORDER, "a-2005", "## a-2005\n\nnew a\n\n");
        let expected =
            format!("{HEAD}\n## a-2005\n\nnew a\n\n## b-2006\n\nold b\n\n## by-hand\n\nkept\n");
        assert_eq!(new, expected);
        assert_eq!(
            put(&new, &ORDER, "a-2005", "## a-2005\n\nnew a\n"),
            expected
        );
    }

    #[test]
    fn new_section_comes_in_the_order_of_the_works() {
        let page = put("", &ORDER, "b-2006", "## b-2006\n\nb\n");
        let page = put(&page, &ORDER, "a-2005", "## a-2005\n\na\n");
        assert_eq!(page, format!("{HEAD}\n## a-2005\n\na\n\n## b-2006\n\nb\n"));
    }

    #[test]
    fn section_says_its_command_and_version() {
        assert_eq!(
            headed("text\n", "a-2005", "0.1.0"),
            "## a-2005\n\n`cargo xtask reproduce a-2005`, version 0.1.0.\n\ntext\n"
        );
    }
}
