//! Every command of the guide's pages on watches and waveforms, and what they print.
//!
//! In a block `console` a line `$ COMMAND` is run by a shell in a folder that has `scenarios/`;
//! what it prints, both streams, must be the lines that follow. A line `...` stands for any lines.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Commands of a page, each with the lines that it is to print.
fn commands(page: &str) -> Vec<(String, Vec<String>)> {
    let mut commands: Vec<(String, Vec<String>)> = Vec::new();
    let mut is_console = false;
    for line in page.lines() {
        if line.starts_with("```") {
            is_console = line == "```console";
            continue;
        }
        if !is_console {
            continue;
        }
        match line.strip_prefix("$ ") {
            Some(command) => commands.push((command.to_string(), Vec::new())),
            None => {
                let (command, printed) = commands.last_mut().expect("a command comes first");
                if command.ends_with(['\\', '|']) {
                    command.push('\n');
                    command.push_str(line);
                } else {
                    printed.push(line.to_string());
                }
            }
        }
    }
    commands
}

/// Whether lines are as quoted.
fn fits(printed: &[&str], quoted: &[String]) -> bool {
    match quoted.split_first() {
        None => printed.is_empty(),
        Some((first, rest)) if first == "..." => {
            (0..=printed.len()).any(|skipped| fits(&printed[skipped..], rest))
        }
        Some((first, rest)) => {
            printed.first() == Some(&first.as_str()) && fits(&printed[1..], rest)
        }
    }
}

/// Runs the commands of a page one after the other in one folder; how many there are.
fn run_page(name: &str) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    let scenarios = fs::canonicalize(root().join("scenarios")).expect("scenarios");
    std::os::unix::fs::symlink(scenarios, folder.path().join("scenarios")).expect("a link");
    let program = Path::new(env!("CARGO_BIN_EXE_setaside"));
    let programs = program.parent().expect("a folder");
    let path = format!(
        "{}:{}",
        programs.display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let page = fs::read_to_string(root().join("docs/guide").join(name)).expect("a page");
    let commands = commands(&page);
    for (command, quoted) in &commands {
        let output = Command::new("sh")
            .args(["-c", &format!("exec 2>&1\n{command}")])
            .current_dir(folder.path())
            .env("PATH", &path)
            .output()
            .expect("a shell");
        let printed = String::from_utf8(output.stdout).expect("text");
        let lines: Vec<&str> = printed.lines().map(str::trim_end).collect();
        assert!(
            fits(&lines, quoted),
            "{name}: {command}\nprints\n{printed}\nand not\n{}",
            quoted.join("\n")
        );
    }
    commands.len()
}

#[test]
fn watch() {
    assert!(run_page("watch.md") >= 5);
}

#[test]
fn waves() {
    assert!(run_page("waves.md") >= 5);
}

// A check that cannot fail would be none.
#[test]
fn quotes_are_compared() {
    let quoted = |lines: &[&str]| {
        lines
            .iter()
            .map(|line| line.to_string())
            .collect::<Vec<_>>()
    };
    assert!(fits(&["a", "b"], &quoted(&["a", "b"])));
    assert!(!fits(&["a", "b"], &quoted(&["a"])));
    assert!(!fits(&["a"], &quoted(&["a", "b"])));
    assert!(fits(&["a", "b", "c"], &quoted(&["...", "c"])));
    assert!(!fits(&["a", "b", "c"], &quoted(&["...", "b"])));
    let page = "```console\n$ one \\\n    two\nprinted\n$ three\n```\n```toml\n$ no\n```\n";
    let found = commands(page);
    assert_eq!(found[0], ("one \\\n    two".into(), quoted(&["printed"])));
    assert_eq!(found[1], ("three".into(), Vec::new()));
    assert_eq!(found.len(), 2);
}
