//! `cargo xtask reproduce`: a paper's experiments with one command, measured beside published, in `docs/reproduction.md`.

mod priya;
mod tree_picture;
mod tree_shapes;
mod trees;

use scenario::{Set, Study};
use setaside::{Exit, Failure, build_info, jobs_of, run_jobs};
use std::path::{Path, PathBuf};
use study::Table;

/// A work that can be repeated: its key, and what writes its section.
type Work = (&'static str, fn() -> Result<String, Failure>);

/// One line a work; the section is written by its file.
const WORKS: &[Work] = &[
    ("garcia-trees-2005", trees::section),
    ("garcia-trees-2005-shapes", tree_shapes::section),
    ("priya-recn-iq-2017", priya::section),
];

const PAGE: &str = "docs/reproduction.md";

/// Writes the sections of one work or of all.
pub(crate) fn reproduce(work: Option<&str>) -> Result<(), Failure> {
    let names: Vec<&str> = WORKS.iter().map(|w| w.0).collect();
    if let Some(work) = work
        && !names.contains(&work)
    {
        return Err(Failure::new(
            Exit::Usage,
            format!("error: unknown work `{work}`; legal: {}", names.join(", ")),
        ));
    }
    let mut page = String::from(
        "# Reproduction\n\nWritten by `cargo xtask reproduce`; measured values stand beside published ones as they come out. Nothing is tuned to them.\n",
    );
    let build = build_info();
    page.push_str(&format!(
        "Version {}, engine fast. Rates are in bytes/ns.\n",
        build.version
    ));
    for (name, section) in WORKS {
        // Sections of other works are measured anew too: the page holds the numbers of one program.
        let _ = name;
        page.push('\n');
        page.push_str(&section()?);
    }
    let path = root().join(PAGE);
    std::fs::write(&path, page)
        .map_err(|e| Failure::new(Exit::Failure, format!("error: {}: {e}", path.display())))?;
    println!("wrote {PAGE}");
    Ok(())
}

/// The project's folder.
pub(crate) fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_path_buf()
}

/// Runs a shipped study with sets over it, into `runs/reproduce/NAME`, and returns its table.
pub(crate) fn run_study(file: &str, name: &str, sets: &[(&str, &str)]) -> Result<Table, Failure> {
    let sets: Vec<Set> = sets.iter().map(|(k, v)| Set::new(k, v)).collect();
    let study = Study::load(&root().join("scenarios/studies").join(file), &sets)?;
    let jobs = jobs_of(&study);
    let result = run_jobs(
        &study,
        &jobs,
        &root().join("runs/reproduce").join(name),
        None,
    )?;
    match result.exit_code() {
        0 => Ok(result.table),
        _ => Err(Failure::new(
            Exit::Failure,
            format!("error: some runs of {name} failed"),
        )),
    }
}

/// What a person found out about a work's numbers: `docs/notes/WORK.md`, put below its tables as it stands.
pub(crate) fn notes(work: &str) -> Result<String, Failure> {
    let path = root().join("docs/notes").join(format!("{work}.md"));
    std::fs::read_to_string(&path)
        .map_err(|e| Failure::new(Exit::Failure, format!("error: {}: {e}", path.display())))
}
