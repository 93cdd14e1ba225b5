//! The project's own verbs but the sweep. Thin: each calls the crates. `cargo xtask` hands them on.

mod bench;
mod book;
mod compare_engines;
mod docs;
mod guide;
mod hashes;
mod life_cycle;
mod memory_table;
mod model;
mod mutants;
mod page;
mod pool;
mod reproduce;
mod soak;
mod wrap;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// The project's own verbs
#[derive(Parser)]
#[command(name = "cargo xtask", max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Repeat a paper's experiments, measured beside published, into docs/notes/WORK.md
    Reproduce(reproduce::ReproduceArgs),
    /// Check the pages: links, widths of lines (of comments too), constants of the code, generated
    /// pages; and that each unit has an example
    CheckDocs,
    /// Check the links and pictures of the book that mdbook has built
    CheckBook {
        /// Where it is
        #[arg(value_name = "DIR")]
        book: PathBuf,
    },
    /// Write docs/memory-table.md: queues and memory by scheme and network size
    MemoryTable,
    /// Write docs/guide/keys.md and docs/guide/results.md: every key of scenarios and studies from
    /// the table of keys, every field of results from the types that are written
    Guide,
    /// Write docs/units/saq-life-cycle.md and its pictures from the transition tables
    LifeCycle,
    /// Measure what a packet-hop costs into docs/performance/results.md; with --check compare with
    /// the baseline
    Bench(bench::BenchArgs),
    /// Simulate and count packet-hops, nothing else (for `bench`)
    #[command(hide = true)]
    Hops(bench::HopsArgs),
    /// Explore the RECN protocols exhaustively in small networks, into docs/model-checking.md
    Model,
    /// Make the errors of tests/mutants.toml one by one in a copy of the sources: the tests must
    /// find each (half an hour)
    Mutants {
        /// Parts of names; all mutants without
        #[arg(value_name = "NAME")]
        names: Vec<String>,
    },
    /// Run the shipped scenarios at full length and compare the hashes of their events with
    /// tests/shipped.toml (an hour)
    Hashes {
        /// Parts of names of files; all without
        #[arg(value_name = "NAME")]
        names: Vec<String>,
    },
    /// Compare the engines on drawn fabrics in which all that is legal together is drawn together,
    /// and count what was drawn, also into target/compare-engines.txt
    CompareEngines {
        /// How many
        cases: u64,
        /// First seed
        #[arg(default_value_t = 0)]
        from: u64,
    },
    /// Draw random fabrics for longer than the tests do: order, losslessness, cleanliness, engines
    Soak(soak::SoakArgs),
}

fn main() -> ExitCode {
    setaside::ask_for_large_pages();
    let cli = Cli::parse();
    let result = match cli.verb {
        Verb::Reproduce(args) => reproduce::reproduce(&args),
        Verb::CheckDocs => docs::check(),
        Verb::CheckBook { book } => book::check(&book),
        Verb::MemoryTable => page::write_all(memory_table::pages()),
        Verb::Guide => page::write_all(guide::pages()),
        Verb::LifeCycle => page::write_all(life_cycle::pages()),
        Verb::Bench(args) => bench::bench(&args),
        Verb::Hops(args) => bench::hops(&args),
        Verb::Model => model::write(),
        Verb::Mutants { names } => mutants::mutants(&names),
        Verb::Hashes { names } => hashes::hashes(&names),
        Verb::CompareEngines { cases, from } => compare_engines::compare_engines(cases, from),
        Verb::Soak(args) => soak::soak(&args),
    };
    setaside::conclude(result)
}

/// What the help of `cargo xtask` lists are the verbs that there are.
#[test]
fn the_help_lists_every_verb() {
    use clap::CommandFactory;
    let listed = include_str!("../../xtask/verbs.txt").lines();
    let listed = listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let mut listed: Vec<&str> = listed.collect();
    listed.sort_unstable();
    let cli = Cli::command();
    let shown = cli.get_subcommands().filter(|verb| !verb.is_hide_set());
    let mut verbs: Vec<&str> = shown.map(clap::Command::get_name).collect();
    verbs.sort_unstable();
    assert_eq!(listed, verbs);
}
