//! The program in a separate folder.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// A run of some milliseconds that has trees to record.
pub(crate) const TINY: &str = include_str!("data/tiny.toml");

pub(crate) const STUDY: &str =
    "[study]\nname = \"s\"\nscenario = \"tiny.toml\"\n[axes]\n\"recn.saqs\" = [1, 2, 4]\n";

/// Packets of a flow may overtake each other.
pub(crate) const RACK: &str = include_str!("data/rack.toml");

/// A run with windows before, during and after its tree.
pub(crate) const SMALL: &str = include_str!("data/small.toml");

/// A folder that ends with its test.
pub(crate) struct Folder(tempfile::TempDir);

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        self.0.path()
    }
}

/// A folder with `tiny.toml` and `study.toml`.
pub(crate) fn folder() -> Folder {
    folder_with(&[("tiny.toml", TINY), ("study.toml", STUDY)])
}

pub(crate) fn folder_with(files: &[(&str, &str)]) -> Folder {
    let folder = Folder(tempfile::tempdir().expect("a folder"));
    files.iter().for_each(|(name, text)| folder.write(name, text));
    folder
}

/// The folder of the project.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// How the program ended, and what it printed.
pub(crate) struct Ran {
    pub(crate) exit: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ran {
            exit: output.status.code().expect("an exit code"),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }
}

impl Ran {
    /// Standard output, which is JSON alone.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}: {}", self.stdout))
    }
}

/// Words of a line, as a shell has them: what is in single quotes is in one.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut is_quoted) = (Vec::new(), None::<String>, false);
    for c in line.chars() {
        match c {
            '\'' => is_quoted = !is_quoted,
            c if c.is_whitespace() && !is_quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Without the ends of lines, which are wrapped for a terminal.
pub(crate) fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A screen: at most 25 lines of 80 columns.
pub(crate) fn fits_a_screen(text: &str) {
    assert!(text.lines().count() <= 25, "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

impl Folder {
    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).expect("text")
    }

    pub(crate) fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&self.bytes(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.join(name).exists()
    }

    pub(crate) fn program(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_setaside"));
        command.current_dir(&**self).args(words(line));
        command
    }

    /// Starts it; what it prints is lost.
    pub(crate) fn start(&self, line: &str) -> Child {
        start(&mut self.program(line))
    }

    /// Starts it and kills it after a while; whether that came before its end.
    pub(crate) fn killed(&self, line: &str, after: Duration) -> bool {
        let mut child = self.start(line);
        std::thread::sleep(after);
        child.kill().expect("killed or over");
        child.wait().expect("a state").code().is_none()
    }

    pub(crate) fn run(&self, line: &str) -> Ran {
        self.program(line).output().expect("it starts").into()
    }

    /// Runs it: it ends with this code and all this on stderr.
    #[track_caller]
    pub(crate) fn ends(&self, exit: i32, line: &str, parts: &[&str]) -> Ran {
        let ran = self.run(line);
        ended(&ran, exit, line, parts);
        ran
    }

    /// Runs it and expects that it works.
    #[track_caller]
    pub(crate) fn works(&self, line: &str) -> Ran {
        self.ends(0, line, &[])
    }

    /// What a whole run directory holds: the files listed, less times; `None` without a manifest.
    pub(crate) fn whole_run(&self, dir: &str) -> Option<Files> {
        if !self.has(&format!("{dir}/manifest.json")) {
            return None;
        }
        let manifest = self.json(&format!("{dir}/manifest.json"));
        let names = manifest["files"].as_array().expect("a list of files");
        let files = names.iter().map(|name| {
            let name = name.as_str().expect("a name");
            let path = format!("{dir}/{name}");
            let bytes = match name == "summary.json" {
                true => without_timing(self.json(&path)).to_string().into_bytes(),
                false => self.bytes(&path),
            };
            (name.to_string(), bytes)
        });
        Some(files.collect())
    }

    /// What a sweep left finished: by name the files of each run, its `summary.json` to the byte.
    pub(crate) fn finished(&self, out: &str) -> Runs {
        let runs = self.join(out).join("runs");
        let all = if runs.exists() { names(&runs) } else { Vec::new() };
        let all = all.into_iter().filter(|name| !name.starts_with('.'));
        let run = |name: String| {
            let dir = format!("{out}/runs/{name}");
            Some((name, (self.whole_run(&dir)?, self.bytes(&format!("{dir}/summary.json")))))
        };
        all.filter_map(run).collect()
    }

    /// The tables of a sweep over all runs.
    pub(crate) fn tables(&self, out: &str) -> [Vec<u8>; 3] {
        ["results.csv", "results.json", "windows.csv"].map(|t| self.bytes(&format!("{out}/{t}")))
    }

    /// Two sweep directories hold the same results.
    #[track_caller]
    pub(crate) fn alike(&self, a: &str, b: &str) {
        let runs = |out: &str| names(&self.join(out).join("runs"));
        assert_eq!(runs(a), runs(b));
        assert!(self.tables(a) == self.tables(b), "{a} and {b}");
        assert_eq!(untimed(&self.finished(a)), untimed(&self.finished(b)));
    }
}

/// Names and bytes of files.
pub(crate) type Files = Vec<(String, Vec<u8>)>;

/// Finished runs of a sweep by name: files without the times, and the summary.
pub(crate) type Runs = BTreeMap<String, (Files, Vec<u8>)>;

/// Of runs the files without the times.
pub(crate) fn untimed(runs: &Runs) -> Vec<(&String, &Files)> {
    runs.iter().map(|(name, (files, _))| (name, files)).collect()
}

/// Starts a command; what it prints is lost.
pub(crate) fn start(command: &mut Command) -> Child {
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts")
}

#[track_caller]
pub(crate) fn ended(ran: &Ran, exit: i32, line: &str, parts: &[&str]) {
    assert_eq!(ran.exit, exit, "{line}: {}", ran.stderr);
    for part in parts {
        assert!(ran.stderr.contains(part), "{line}: {part}: {}", ran.stderr);
    }
}

/// Sends a signal such as `-TERM`.
#[cfg(unix)]
pub(crate) fn send(signal: &str, child: &Child) {
    let kill = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(kill.is_ok_and(|status| status.success()));
}

/// A summary without the time that was spent.
pub(crate) fn without_timing(mut summary: Value) -> Value {
    summary.as_object_mut().expect("an object").remove("timing");
    summary
}

/// Names in a directory, sorted.
pub(crate) fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).expect("a directory");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn words_are_those_of_a_shell() {
    assert_eq!(words("a  b='c d' ''e"), ["a", "b=c d", "e"]);
}
