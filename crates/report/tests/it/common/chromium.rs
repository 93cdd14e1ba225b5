//! Headless Chromium, where it is installed: opens a page, runs a script in it as a visitor would,
//! and hands back what the script returned and the output of the console.
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The colours that the visitor prefers, and a width in CSS pixels: that of a frame, since
/// Chromium's own windows are 500 at the least.
#[derive(Debug, Clone, Copy)]
pub(crate) enum View {
    Light(u32),
    Dark(u32),
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

/// For scripts: what is in a page, and what visitors do.
const HELP: &str = concat!(include_str!("help.js"), include_str!("visits.js"));

/// What `script` returns, through JSON, and no errors; `None` where there is no Chromium.
pub(crate) fn calm(page: &str, script: &str, view: View) -> Option<Value> {
    let (result, errors) = visit(page, &format!("{HELP}{script}"), view)?;
    assert_eq!(errors, [""; 0]);
    Some(result)
}

/// Opens `page`, which is HTML with a `<head>`, runs `script` once it is loaded (the body of an
/// `async` function), and returns its result and the errors of scripts, refused contents and
/// `console.error`, in order; panics where Chromium fails or the script throws.
pub(crate) fn visit(page: &str, script: &str, view: View) -> Option<(Value, Vec<String>)> {
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
    let (before, behind) = page.rsplit_once("</body>").unwrap();
    std::fs::write(dir.path().join("page.html"), format!("{before}{driver}</body>{behind}"))
        .unwrap();
    let (View::Light(width) | View::Dark(width)) = view;
    let frame = format!(
        "<!DOCTYPE html><html><body><script>addEventListener(\"message\", e => {{\n\
         const pre = document.createElement(\"pre\"); pre.id = \"told\";\n\
         pre.textContent = e.data; document.body.append(pre); }});</script>\n\
         <iframe src=\"page.html\" width=\"{width}\" height=\"900\" style=\"border:0\">\n\
         </iframe></body></html>"
    );
    std::fs::write(dir.path().join("frame.html"), frame).unwrap();
    let dom = run(&program, dir.path(), view);
    let answer = dom.split("<pre id=\"told\">").nth(1);
    let answer = answer.unwrap_or_else(|| panic!("the page did not answer: {dom}"));
    let answer = answer.split("</pre>").next().unwrap();
    let answer = answer.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert!(answer["thrown"].is_null(), "the script threw {answer}");
    let errors = serde_json::from_value(answer["errors"].clone()).unwrap();
    Some((answer["result"].clone(), errors))
}

fn run(program: &Path, dir: &Path, view: View) -> String {
    let mut chromium = Command::new(program);
    chromium.args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]);
    chromium.arg(format!("--user-data-dir={}", dir.join("profile").display()));
    chromium.args(["--window-size=1600,1200", "--virtual-time-budget=10000"]);
    if let View::Dark(_) = view {
        chromium.arg("--blink-settings=preferredColorScheme=0");
    }
    chromium.arg(format!("file://{}", dir.join("frame.html").display()));
    let output = chromium.stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A page as paper shows it, in a frame as wide as A4 across less its margins.
pub(crate) mod paper {
    /// 273 mm, and 186 mm, CSS pixels.
    pub(crate) const WIDTH: u32 = 1032;
    pub(crate) const HEIGHT: u32 = 703;
    pub(crate) const RULES: &str = include_str!("paper_rules.js");
    pub(crate) const CELLS: &str = include_str!("paper_cells.js");
}
