//! `cargo xtask reproduce`: a paper's experiments with one command, measured beside published, on a
//! page a work, `docs/notes/WORK.md`.

mod chart;
mod ecn_recn;
mod figure;
mod numbers;
mod pfc;
mod priya;
mod rsi;
mod runs;
mod santos;
mod settle;
mod template;
mod tree_picture;
mod tree_shapes;
mod work;

use crate::page;
use runs::Runner;
use setaside::{Exit, Failure, build_info};
pub(crate) use template::{Page, head};

/// A work that can be repeated: its name, its title, its section.
///
/// The section runs what is on the page and writes that; without one it is a work as data, which
/// always goes on where it was stopped.
struct Work(&'static str, &'static str, Option<Section>);

type Section = fn(&Runner) -> Result<String, Failure>;

/// What to repeat.
#[derive(clap::Args)]
pub(crate) struct ReproduceArgs {
    /// Which work; all that are shipped if left out
    work: Option<String>,
    /// Take the runs that a stopped command of this version has stored (lai-rsi,
    /// santos-ecn-2002, ecn-beside-recn, priya-recn-iq-2017); the garcia works always do, the
    /// others run anew
    #[arg(long)]
    resume: bool,
    /// Fewer points and shorter runs, printed; no page is written (garcia works alone)
    #[arg(long, conflicts_with = "stored")]
    quick: bool,
    /// Run nothing: write the page of the runs that are stored (garcia works alone)
    #[arg(long)]
    stored: bool,
}

/// How much of a work is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// All; of a work that goes on where it was stopped what is not stored.
    Whole,
    /// As much as shows that it runs; no page is written.
    Quick,
    /// Nothing: what is stored is put on the page, which states how much that is.
    Stored,
}

/// All works, in the order in which they are repeated.
const WORKS: &[Work] = &[
    Work("garcia-mesh-2005", "garcia-mesh-2005: meshes", None),
    Work("garcia-trees-2005", "garcia-trees-2005: congestion trees", None),
    Work(
        "garcia-trees-2005-shapes",
        "garcia-trees-2005: shapes of trees",
        Some(tree_shapes::section),
    ),
    Work("priya-recn-iq-2017", "priya-recn-iq-2017: RECN-DD-IQ", Some(priya::section)),
    Work("lai-rsi", "lai-rsi: hierarchical networks", Some(rsi::section)),
    Work("santos-ecn-2002", "santos-ecn-2002: ECN", Some(santos::section)),
    Work("pfc", "Pause spreads: PFC and DCQCN beside RECN", Some(pfc::section)),
    Work("ecn-beside-recn", "ECN beside RECN: does it save SAQs?", Some(ecn_recn::section)),
];

/// Begins a line about a measured value that misses what it must reach: it is on the page, and the
/// command fails.
const MISSED: &str = "**Missed:** ";

/// Set over a scenario with SAQs: normal queues go before them, always, as published.
const STRICT: (&str, &str) = ("switch.saq_priority", "strict");

/// Writes the page of one work, or the pages of all. With `resume` a work that can takes the runs
/// that an earlier command of this version has stored. A quick version and one of stored runs are
/// of works that are data alone.
pub(crate) fn reproduce(args: &ReproduceArgs) -> Result<(), Failure> {
    let (work, resume) = (args.work.as_deref(), args.resume);
    let extent = match (args.quick, args.stored) {
        (true, _) => Extent::Quick,
        (_, true) => Extent::Stored,
        _ => Extent::Whole,
    };
    let is_data = |Work(_, _, section): &&Work| section.is_none();
    let known = work.is_none_or(|name| WORKS.iter().any(|Work(known, ..)| *known == name));
    let meant = WORKS.iter().filter(|Work(known, ..)| work.is_none_or(|name| *known == name));
    let meant: Vec<&Work> = meant.filter(|w| extent == Extent::Whole || is_data(w)).collect();
    if meant.is_empty() {
        let (what, legal): (String, Vec<&Work>) = match work {
            Some(name) if !known => (format!("unknown work `{name}`"), WORKS.iter().collect()),
            _ => (
                "this work has no --quick and no --stored".to_string(),
                WORKS.iter().filter(is_data).collect(),
            ),
        };
        let legal: Vec<&str> = legal.iter().map(|Work(name, ..)| *name).collect();
        let text = format!("error: {what}; legal: {}", legal.join(", "));
        return Err(Failure::new(Exit::Usage, text));
    }
    for &Work(name, title, section) in meant {
        let file = page_of(name);
        if extent == Extent::Whole {
            page::put_before_hand(&file, "")?;
        }
        let section = match section {
            Some(section) => section(&Runner { work: name, resume })?,
            None => work::section(name, extent)?,
        };
        if extent == Extent::Quick {
            println!("{section}\nquick: {file} is left as it is");
            continue;
        }
        write_page(name, title, name, &section)?;
        if section.contains(MISSED) {
            let what = format!("{name}: a measured value misses what it must reach; see {file}");
            return Err(page::failed(what));
        }
    }
    Ok(())
}

fn page_of(name: &str) -> String {
    format!("docs/notes/{name}.md")
}

/// Writes a page: what the command of `work` has measured, long tables as files beside it, and what
/// a person writes of it, which stays.
fn write_page(name: &str, title: &str, work: &str, text: &str) -> Result<(), Failure> {
    let (text, files) = numbers::aside(name, text);
    for (file, csv) in files {
        page::write(&format!("docs/reproduction/{file}"), &csv)?;
    }
    let version = build_info().version;
    let head = format!(
        "# {title}\n\nWritten by `cargo xtask reproduce {work}`, version {version}, from \
         `{}` on by hand.\n\n",
        page::BY_HAND
    );
    let file = page_of(name);
    page::write(&file, &page::put_before_hand(&file, &(head + &text))?)
}
