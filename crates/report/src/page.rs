//! The page of a sweep (answer, figures, table of all points, what was run) or of a run.

mod answer;
mod figure;
mod points;
mod run;

use crate::head::Head;
use crate::recorded::{self, Recorded};
use crate::store::{Run, Store};
use crate::text::{escape, joined};
use crate::{figures, plot};

const STYLE: &str = concat!(
    include_str!("assets/style.css"),
    include_str!("assets/figure.css"),
    include_str!("assets/print.css")
);
const SCRIPT: &str = concat!(include_str!("assets/table.js"), include_str!("assets/figure.js"));
/// Nothing is fetched: the browser enforces it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// More lines than these are closed until they are asked for.
const OPEN_LINES_MAX: usize = 60;

pub(crate) fn page(store: &Store, head: &Head, recorded: Recorded) -> String {
    let name = escape(&store.name);
    let (known, scenario) = head;
    let facts = known.iter().chain(&store.facts);
    let facts = facts.map(|(k, v)| format!("<dt>{}</dt><dd>{}</dd>\n", escape(k), escape(v)));
    let facts = format!("<dl>\n{}</dl>\n{}", joined(facts, ""), keys(store, scenario));
    let mut figures = figures::all(store);
    let uses_saqs = recorded.cam.is_some() || figures.iter().any(|figure| figure.id == "saqs");
    if recorded.cam.is_some() {
        // what was recorded has them by side and port
        figures.retain(|figure| figure.id != "saqs");
    }
    let mut taken = Vec::new();
    let mut section = |figure: &figures::Figure| figure::section(figure, &store.axes, &mut taken);
    let figures: String = figures.iter().map(&mut section).collect();
    let cam = recorded.cam.as_ref().map_or(String::new(), section);
    let note = match uses_saqs {
        true => "",
        false => "<p class=\"note\">No SAQ was in use in any finished run.</p>\n",
    };
    let trees = recorded.trees.as_deref().unwrap_or_default();
    let body = match store.is_sweep {
        true => format!(
            "{}{figures}{note}{}<section>\n<h2>What was run</h2>\n{facts}</section>\n",
            answer::section(store),
            points::section(store)
        ),
        false => format!(
            "{facts}{}{trees}{}{cam}{figures}{note}{}",
            run::summary(store),
            recorded.ports,
            run::flows(store)
        ),
    };
    let (more_style, more_script) = match recorded.has_own_drawings() {
        true => (recorded::STYLE, recorded::SCRIPT),
        false => ("", ""),
    };
    let constants = plot::constants();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"generator\" content=\"setaside\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>{name} \u{2013} setaside</title>\n\
         <style>\n{STYLE}{more_style}</style>\n</head>\n<body>\n<main>\n<h1>{name}</h1>\n\
         {body}</main>\n\
         <script>\n\"use strict\";\n{constants}{SCRIPT}{more_script}</script>\n</body>\n</html>\n"
    )
}

fn keys(store: &Store, scenario: &str) -> String {
    if scenario.is_empty() {
        return String::new();
    }
    let title = match store.is_sweep {
        true => "All keys of the first run",
        false => "All keys of the scenario",
    };
    format!(
        "<details class=\"keys\">\n<summary>{title}</summary>\n<pre>{}</pre>\n</details>\n",
        escape(scenario)
    )
}

/// A table of this beginning, heading and rows; scrolled alone where it is too wide.
fn wide(label: &str, begin: &str, heading: &str, rows: &str) -> String {
    format!(
        "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"{label}\">\n{begin}\n\
         <thead><tr>{heading}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n"
    )
}

/// The heading of a column, with its unit below it and its name in files where a pointer rests.
fn column(class: &str, title: &str, unit: &str, raw: &str) -> String {
    let (title, unit, raw) = (escape(title), escape(unit), escape(raw));
    format!(
        "<th scope=\"col\" class=\"pad{class}\" title=\"{raw}\">{title}<small>{unit}</small></th>"
    )
}

/// These lines, or how many of `what` they are and themselves for those who ask.
fn folded(html: String, lines: usize, what: &str) -> String {
    if lines <= OPEN_LINES_MAX {
        return html;
    }
    format!("<details>\n<summary>{lines} {what}</summary>\n{html}</details>\n")
}

fn failures(store: &Store) -> String {
    let line = |run: &&Run| {
        let error = run.error.as_deref().map(escape);
        let what = match (error, run.exit_code) {
            (Some(error), _) if run.status == "unreadable" => format!("unreadable: {error}"),
            (Some(error), Some(code)) => format!("failed with exit code {code}: {error}"),
            _ => escape(&run.status),
        };
        format!("<li>{}: {what}</li>\n", escape(&run.directory))
    };
    let runs: Vec<&Run> = store.runs.iter().filter(|run| run.status != "ok").collect();
    if runs.is_empty() {
        return String::new();
    }
    let list = joined(runs.iter().map(line), "");
    let list = folded(format!("<ul class=\"bad\">\n{list}</ul>\n"), runs.len(), "runs");
    format!("<h3 class=\"bad\">Runs without a line in the figures</h3>\n{list}")
}
