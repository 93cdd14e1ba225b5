//! What `--help` shows below the options. Every line that begins with `setaside` is read by a test
//! as the command line is, and its files have to be there.

pub(crate) const RUN: &str = "\
Examples:
  # a published case with other keys
  setaside run scenarios/garcia-trees-2005/case-2.toml switch.scheme=recn recn.saqs=4
  # congestion trees and ports over time too, for `setaside report` and `setaside figures`
  setaside run scenarios/garcia-trees-2005/case-4.toml --record --out runs/case-4
  # what happens to packet 20 from node 6 to node 32
  setaside run scenarios/garcia-trees-2005/case-2.toml --watch packet=6:32:20";

pub(crate) const CHECK: &str = "\
Examples:
  setaside check scenarios/garcia-trees-2005/case-2.toml scenarios/studies/trees-case-2.toml
  # would it be legal with these keys?
  setaside check scenarios/garcia-trees-2005/case-2.toml switch.speedup=3/2 recn.saqs=65";

pub(crate) const SCHEMA: &str = "\
Examples:
  # for an editor
  setaside schema > setaside.schema.json
  setaside schema | less";

pub(crate) const SWEEP: &str = "\
Examples:
  # what would be run
  setaside sweep scenarios/studies/saq-sizing.toml --dry-run
  # other values of keys that the study does not vary; five replicas of each point
  setaside sweep scenarios/studies/saq-sizing.toml recn.xoff_packets=20 study.replicas=5
  # the first runs, to see how long they take; the same command without it goes on
  setaside sweep scenarios/studies/saq-sizing.toml --max-runs 4 --out runs/sizing";

pub(crate) const SATURATE: &str = "\
Examples:
  # a scenario, its rate through saturation
  setaside saturate scenarios/garcia-mesh-2005/config-5-case-1.toml --axis workload.load
  # in each scheme of a study, to 2 % of the load
  setaside saturate scenarios/studies/saq-sizing.toml --axis workload.load --tolerance 0.02";

pub(crate) const SIZE: &str = "\
Examples:
  setaside size scenarios/studies/size-trees-4.toml
  # with another target, for programs
  setaside size scenarios/studies/size-moving.toml target.at_least_percent=98 --format json";

pub(crate) const COLLECT: &str = "\
Examples:
  # tables, page and answer of what is there, while others write runs
  setaside collect runs/sizing
  setaside collect runs/sizing --format json";

pub(crate) const WORK: &str = "\
Examples:
  # a line of the file that `setaside sweep STUDY.toml --emit-tasks FILE` writes
  setaside work runs/sizing/tasks/00000.json
  setaside work runs/sizing/tasks/00000.json --jobs 4";

pub(crate) const STATUS: &str = "\
Examples:
  setaside status runs/sizing
  setaside status runs/sizing --format json";

pub(crate) const CANCEL: &str = "\
Examples:
  setaside cancel runs/sizing
  # what is finished stays: this goes on
  # what is finished stays, and the same `setaside sweep` goes on with the others
  setaside cancel runs/overnight";

pub(crate) const REPORT: &str = "\
Examples:
  # writes runs/sizing/report.html
  setaside report runs/sizing
  setaside report runs/case-4";

pub(crate) const FIGURES: &str = "\
Examples:
  # writes runs/sizing/figures/*.svg
  setaside figures runs/sizing
  setaside figures runs/case-4 --out paper/figures";

pub(crate) const TOPO: &str = "\
Examples:
  setaside topo scenarios/garcia-trees-2005/case-5.toml
  # super nodes and their links as a picture
  setaside topo scenarios/lai-rsi/df-uniform.toml --svg dragonfly.svg
  setaside topo scenarios/torus/torus-8x8.toml 'network.dimensions=[16, 4]' --format json";

pub(crate) const TRACE: &str = "\
Examples:
  setaside trace mine.srt.bz2
  # as messages between 64 end nodes, for workload.trace.file
  setaside trace mine.srt.bz2 --to messages.csv.gz --nodes 64
  setaside trace --synthetic bias=0.8,bytes_per_s=4000000000";

pub(crate) const COMPLETIONS: &str = "\
Examples:
  setaside completions bash > ~/.local/share/bash-completion/completions/setaside
  setaside completions zsh > ~/.zfunc/_setaside
  setaside completions fish > ~/.config/fish/completions/setaside.fish";

pub(crate) const MAN: &str = "\
Examples:
  # then: man setaside-sweep
  setaside man ~/.local/share/man/man1
  setaside man man";

#[cfg(test)]
mod tests {
    use crate::args::{Cli, Verb};
    use clap::{CommandFactory, Parser};
    use std::path::Path;

    /// The words of a line, those in single quotes as one, up to what the shell takes.
    fn words(line: &str) -> Vec<String> {
        let of_part = |(n, part): (usize, &str)| match n % 2 {
            1 => vec![part.to_owned()],
            _ => part.split_whitespace().map(String::from).collect(),
        };
        let words = line.split('\'').enumerate().flat_map(of_part);
        words.take_while(|word| word != ">" && word != "|").collect()
    }

    // "--help with examples": two or three a verb, legal, with files that are there and keys that
    // are.
    #[test]
    fn examples_of_every_verb_are_legal() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for verb in Cli::command().get_subcommands() {
            let (name, help) = (verb.get_name(), verb.get_after_help());
            let help = help.map(ToString::to_string).unwrap_or_default();
            let lines = help.lines().map(str::trim_start);
            let examples: Vec<&str> = lines.filter(|line| line.starts_with("setaside ")).collect();
            assert!((2..=3).contains(&examples.len()), "{name}: {examples:?}");
            for example in examples {
                let words = words(example);
                assert_eq!(words[1], name, "{example}");
                let parsed = Cli::try_parse_from(&words);
                let parsed = parsed.unwrap_or_else(|error| panic!("{example}: {error}"));
                for file in words.iter().filter(|word| word.starts_with("scenarios/")) {
                    assert!(root.join(file).is_file(), "{example}");
                }
                let sets = match &parsed.verb {
                    Verb::Run(args) => args.sets.all(),
                    Verb::Topo { sets, .. } => sets.all(),
                    _ => continue,
                };
                let scenario = scenario::Scenario::load(&root.join(&words[2]), &sets);
                assert!(scenario.is_ok(), "{example}: {scenario:?}");
            }
        }
    }
}
