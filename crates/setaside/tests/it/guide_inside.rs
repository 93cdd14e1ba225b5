//! Every command of the guide's pages, and what they print: in a block `console` a line `$ COMMAND`
//! is run by a shell in a folder with `scenarios/` and `python/`, and both streams must be the
//! lines that follow; `...` matches any lines.

use crate::common::{Folder, folder_with, root};
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

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
                let goes_on = command.ends_with(['\\', '|']);
                if goes_on || (command.contains("<<'EOF'") && !command.ends_with("\nEOF")) {
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

/// A folder as a reader has it.
fn folder() -> Folder {
    let folder = folder_with(&[]);
    for name in ["scenarios", "python"] {
        let there = fs::canonicalize(root().join(name)).expect("a folder of the project");
        std::os::unix::fs::symlink(there, folder.join(name)).expect("a link");
    }
    folder
}

/// Runs the commands of a page one after the other, of which there are at least so many.
fn run_page(folder: &Folder, name: &str, least: usize) {
    let program = Path::new(env!("CARGO_BIN_EXE_setaside"));
    let programs = program.parent().expect("a folder");
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    let page = fs::read_to_string(root().join("docs/guide").join(name)).expect("a page");
    let commands = commands(&page);
    for (command, quoted) in &commands {
        let output = Command::new("sh")
            .args(["-c", &format!("exec 2>&1\n{command}")])
            .current_dir(&**folder)
            .env("PATH", &path)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .output()
            .expect("a shell");
        let printed = String::from_utf8(output.stdout).expect("text");
        // progress depends on the clock
        let stable = printed.lines().filter(|line| !line.ends_with(" s left"));
        let lines: Vec<&str> = stable.map(str::trim_end).collect();
        assert!(
            fits(&lines, quoted),
            "{name}: {command}\nprints\n{printed}\nand not\n{}",
            quoted.join("\n")
        );
    }
    assert!(commands.len() >= least, "{name}");
}

/// Side by side. Files of `sizing.md` are legal; its sweep and sizings are too long for a test, its
/// saturations are not.
#[test]
fn pages_print_what_they_quote() {
    std::thread::scope(|scope| {
        for (page, least) in [
            ("watch.md", 5),
            ("sizing.md", 6),
            ("cluster.md", 5),
            ("overnight.md", 13),
            ("report-page.md", 4),
            ("waves.md", 5),
        ] {
            scope.spawn(move || run_page(&folder(), page, least));
        }
    });
}

/// Recipes continue from the files of the first hour; Python reads what both have left.
#[test]
fn first_hour_recipes_terminal_python() {
    let folder = folder();
    run_page(&folder, "first-hour.md", 9);
    run_page(&folder, "recipes.md", 18);
    run_page(&folder, "terminal.md", 7);
    if Command::new("python3").arg("--version").output().is_err() {
        return note("python3 is not here: docs/guide/python.md is not tested");
    }
    run_page(&folder, "python.md", 5);
    assert!(folder.has("curve.svg"));
    let tests = Command::new("python3")
        .args(["python/test_results.py", "curve", "tree", "-v"])
        .current_dir(&*folder)
        .output()
        .expect("python3");
    let printed = String::from_utf8_lossy(&tests.stderr);
    let skipped = printed.lines().filter(|line| line.contains("skipped '"));
    skipped.for_each(|line| note(&format!("python/test_results.py: {line}")));
}

/// What a log of CI is to have, though the test passes.
fn note(what: &str) {
    writeln!(std::io::stderr(), "{what}").expect("stderr");
}

/// The golden model of the recipes is the example that the crate's documentation runs.
#[test]
fn golden_model_is_the_example_of_its_crate() {
    let page = fs::read_to_string(root().join("docs/guide/recipes.md")).expect("a page");
    let library = fs::read_to_string(root().join("crates/cam/src/lib.rs")).expect("a source");
    let code = page.split("```rust,ignore\n").nth(1).expect("an example");
    let code = code.split("```").next().unwrap_or_default();
    assert!(code.lines().count() > 5);
    for line in code.lines() {
        assert!(library.contains(&format!("\n//! {line}\n")), "{line}");
    }
}

// A check that cannot fail would be none.
#[test]
fn quotes_are_compared() {
    let quoted = |lines: &[&str]| lines.iter().map(|line| line.to_string()).collect::<Vec<_>>();
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
    let page = "```console\n$ cat >x <<'EOF'\na |\nEOF\n$ cat x\na |\n```\n";
    let found = commands(page);
    assert_eq!(found[0], ("cat >x <<'EOF'\na |\nEOF".into(), Vec::new()));
    assert_eq!(found[1], ("cat x".into(), quoted(&["a |"])));
}
