//! Commit and sources that the program is built from, for manifests; no commit without git.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Inputs of the program, from the root of the workspace.
const SOURCES: [&str; 4] = ["crates", "scenarios", "Cargo.toml", "Cargo.lock"];

fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok().filter(|o| o.status.success())?;
    String::from_utf8(output.stdout).ok().map(|s| s.trim().to_string())
}

/// FNV-1a of the sources and what they depend on, by name; tests decide nothing.
fn digest(path: &Path, mut hash: u64) -> u64 {
    let mut add = |bytes: &[u8]| {
        for byte in bytes {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    let Ok(entries) = fs::read_dir(path) else {
        add(path.file_name().unwrap_or_default().as_encoded_bytes());
        add(&fs::read(path).unwrap_or_default());
        return hash;
    };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let paths = paths.iter().filter(|path| !path.ends_with("tests"));
    paths.fold(hash, |hash, path| digest(path, hash))
}

fn main() {
    let commit = git(&["rev-parse", "HEAD"]).unwrap_or_default();
    let sources = SOURCES.map(|path| format!("../../{path}"));
    // without locks: asking does not touch the index, which would have the next build ask again
    // files that git does not track yet are changes too
    let mut status = vec!["--no-optional-locks", "status", "--porcelain", "--"];
    status.extend(sources.iter().map(String::as_str));
    let dirty = git(&status).is_some_and(|s| !s.is_empty());
    println!("cargo::rustc-env=SETASIDE_COMMIT={commit}");
    println!("cargo::rustc-env=SETASIDE_DIRTY={dirty}");
    let digest =
        sources.iter().fold(0xcbf2_9ce4_8422_2325, |hash, path| digest(Path::new(path), hash));
    println!("cargo::rustc-env=SETASIDE_SOURCES={digest:016x}");
    // Whatever changes the program or moves the commit asks again: manifests stay true.
    let branch = git(&["symbolic-ref", "-q", "HEAD"]).unwrap_or_default();
    let of_git = ["HEAD", "index", "logs/HEAD", "packed-refs", &branch]
        .into_iter()
        .filter(|name| !name.is_empty())
        .filter_map(|name| git(&["rev-parse", "--git-path", name]));
    for path in sources.into_iter().chain(of_git) {
        // one that is not there would make every build ask
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    println!("cargo::rerun-if-changed=build.rs");
}
