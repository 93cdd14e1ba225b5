//! Links of Markdown: where they lead, and whether that is there.

use super::read;
use std::path::Path;

/// Targets of `](...)` outside of code blocks.
pub(super) fn of(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in outside_code(text) {
        for part in line.split("](").skip(1) {
            if let Some((target, _)) = part.split_once(')') {
                found.push(target.to_string());
            }
        }
    }
    found
}

/// Links of a page that lead nowhere; `count` counts all.
pub(super) fn dead(file: &Path, name: &str, text: &str, count: &mut usize) -> Vec<String> {
    let mut wrong = Vec::new();
    for link in of(text) {
        if link.contains("://") {
            continue;
        }
        *count += 1;
        let (target, anchor) = link.split_once('#').unwrap_or((&link, ""));
        let to = if target.is_empty() {
            file.to_path_buf()
        } else {
            file.parent().unwrap_or(Path::new("")).join(target)
        };
        if !to.exists() {
            wrong.push(format!("{name}: {link} leads nowhere"));
        } else if !anchor.is_empty() && to.extension().is_some_and(|e| e == "md") {
            let there = read(&to).map(|(_, text)| anchors(&text));
            if !there.is_ok_and(|anchors| anchors.iter().any(|a| a == anchor)) {
                wrong.push(format!("{name}: {link}: no such heading there"));
            }
        }
    }
    wrong
}

/// What the headings of a page are called in links.
fn anchors(text: &str) -> Vec<String> {
    let headings = outside_code(text).filter(|line| line.starts_with('#'));
    let name = |heading: &str| {
        let title = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        title.chars().filter(kept).collect::<String>()
    };
    headings.map(|h| name(h).replace(' ', "-")).collect()
}

fn outside_code(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

#[cfg(test)]
mod tests {
    use super::{anchors, of};

    #[test]
    fn links_and_headings_outside_of_code() {
        let page = "# `run`: What it, says\n```\n# no [a](b)\n```\n[x](y.md#z) ![p](q.svg)\n";
        assert_eq!(anchors(page), ["run-what-it-says"]);
        assert_eq!(of(page), ["y.md#z", "q.svg"]);
    }
}
