//! Headless Chromium, where it is installed: opens a page, runs a script in it as a visitor would,
//! and hands back what the script returned and the output of the console.
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What came of a visit.
#[derive(Debug)]
pub struct Visit {
    /// What the script returned, through JSON.
    pub result: Value,
    /// Errors of scripts, refused contents and `console.error`, in order.
    pub errors: Vec<String>,
}

/// How the page is shown.
#[derive(Debug, Clone, Copy)]
pub struct View {
    /// Width, CSS pixels. It is that of a frame: Chromium's own windows are 500 at the least.
    pub width: u32,
    /// Height, CSS pixels.
    pub height: u32,
    /// The visitor prefers dark colours.
    pub dark: bool,
}

impl View {
    pub fn light(width: u32) -> Self {
        View { width, height: 900, dark: false }
    }

    pub fn dark(width: u32) -> Self {
        View { dark: true, ..View::light(width) }
    }
}

/// The program; `None`, and a line on stderr, where there is none.
fn chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = ["chromium", "chromium-browser", "google-chrome"]
        .iter()
        .flat_map(|name| std::env::split_paths(&path).map(move |dir| dir.join(name)))
        .find(|file| file.is_file());
    if found.is_none() {
        // not `eprintln!`, which the test harness keeps to itself
        let _ = std::io::stderr().write_all(b"skipped: no Chromium on PATH\n");
    }
    found
}

/// Notes errors before any script of the page runs.
const LISTEN: &str = include_str!("listen.js");

/// Opens `page`, which is HTML with a `<head>`, runs `script` once it is loaded (the body of an
/// `async` function with helpers of its own choice) and returns what came of it; `None` where there
/// is no Chromium.
///
/// # Panics
/// Chromium fails or prints nothing, the page has no `<head>`, the script throws.
pub fn visit(page: &str, script: &str, view: View) -> Option<Visit> {
    let program = chromium()?;
    let dir = tempfile::tempdir().unwrap();
    assert!(page.contains("<head>") && page.contains("</body>"), "not a page");
    let driver = format!(
        "<script>addEventListener(\"load\", async () => {{ let told;\n\
         try {{ told = {{ result: await (async () => {{ {script}\n }})() ?? null }}; }}\n\
         catch (e) {{ told = {{ thrown: String(e.stack) }}; }}\n\
         parent.postMessage(JSON.stringify({{ ...told, errors: saidHere }}), \"*\"); }});</script>"
    );
    let page = page.replacen("<head>", &format!("<head><script>{LISTEN}</script>"), 1);
    let at = page.rfind("</body>").unwrap();
    let page = format!("{}{driver}{}", &page[..at], &page[at..]);
    std::fs::write(dir.path().join("page.html"), page).unwrap();
    let View { width, height, .. } = view;
    let frame = format!(
        "<!DOCTYPE html><html><body><script>addEventListener(\"message\", e => {{\n\
         const pre = document.createElement(\"pre\"); pre.id = \"told\";\n\
         pre.textContent = e.data; document.body.append(pre); }});</script>\n\
         <iframe src=\"page.html\" width=\"{width}\" height=\"{height}\" style=\"border:0\">\n\
         </iframe></body></html>"
    );
    let top = dir.path().join("frame.html");
    std::fs::write(&top, frame).unwrap();
    let dom = run(&program, dir.path(), &top, view);
    let answer = dom.split("<pre id=\"told\">").nth(1).unwrap_or_else(|| {
        panic!("the page did not answer: {dom}");
    });
    let answer = answer.split("</pre>").next().unwrap();
    let answer = answer.replace("&lt;", "<").replace("&gt;", ">");
    let answer: Value = serde_json::from_str(&answer.replace("&amp;", "&")).unwrap();
    assert!(answer["thrown"].is_null(), "the script threw {answer}");
    let errors = answer["errors"].as_array().unwrap().iter();
    Some(Visit {
        result: answer["result"].clone(),
        errors: errors.map(|e| e.as_str().unwrap().to_string()).collect(),
    })
}

fn run(program: &Path, dir: &Path, top: &Path, view: View) -> String {
    let mut chromium = Command::new(program);
    chromium.args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]);
    chromium.arg(format!("--user-data-dir={}", dir.join("profile").display()));
    chromium.args(["--window-size=1600,1200", "--virtual-time-budget=10000"]);
    if view.dark {
        chromium.arg("--blink-settings=preferredColorScheme=0");
    }
    chromium.arg(format!("file://{}", top.display()));
    let output = chromium.stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A page as paper shows it, in a frame as wide as A4 across less its margins.
pub mod paper {
    /// 273 mm, and 186 mm, CSS pixels.
    pub const WIDTH: u32 = 1032;
    pub const HEIGHT: u32 = 703;
    pub const RULES: &str = include_str!("paper_rules.js");
    pub const CELLS: &str = include_str!("paper_cells.js");
}
