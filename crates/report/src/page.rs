//! The page: heading, what was run, table, figures.

use crate::figures::{self, Figure};
use crate::plot::sample;
use crate::store::{Point, Store};
use crate::text::{csv_field, csv_uri, escape, number, shortest};
use serde_json::Value;

const STYLE: &str = include_str!("assets/style.css");
const SCRIPT: &str = include_str!("assets/script.js");
/// Nothing is fetched: the browser is told so, and holds the page to it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

pub(crate) fn page(store: &Store) -> String {
    let name = escape(&store.name);
    let facts: String = store
        .facts
        .iter()
        .map(|(k, v)| format!("<dt>{}</dt><dd>{}</dd>\n", escape(k), escape(v)))
        .collect();
    let table = if store.is_sweep {
        sweep_table(store)
    } else {
        summary_table(store)
    };
    let saqs = [figures::saqs(store, false), figures::saqs(store, true)];
    let note = if saqs.iter().all(Option::is_none) {
        "<p class=\"note\">No SAQ was in use in any finished run.</p>\n"
    } else {
        ""
    };
    let mut all: Vec<Option<Figure>> = vec![figures::throughput(store)];
    all.extend(saqs);
    if store.is_sweep {
        all.extend([figures::sizing(store), figures::memory(store)]);
    }
    let figures: String = all.iter().flatten().map(figure).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"generator\" content=\"setaside\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>{name} \u{2013} setaside</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{name}</h1>\n<dl>\n{facts}</dl>\n{table}{figures}{note}</main>\n\
         <script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

fn figure(figure: &Figure) -> String {
    let mut out = format!(
        "<section>\n<h2>{}</h2>\n<figure id=\"{}\">\n",
        figure.heading, figure.id
    );
    for (heading, plot) in &figure.plots {
        if let Some(heading) = heading {
            out.push_str(&format!("<h3>{}</h3>\n", escape(heading)));
        }
        out.push_str(&plot.svg());
    }
    out.push_str("<ul class=\"legend\">\n");
    for (style, stroke, name) in &figure.legend {
        let sample = sample(*style, *stroke);
        let name = escape(name);
        out.push_str(&format!("<li><button type=\"button\" aria-pressed=\"true\" data-s=\"{style}\">{sample}<span>{name}</span></button></li>\n"));
    }
    let (id, uri) = (figure.id, csv_uri(&figure.csv));
    out.push_str(&format!(
        "</ul>\n<figcaption>{} <a download=\"{id}.csv\" href=\"{uri}\">Data of this figure (CSV)</a></figcaption>\n</figure>\n</section>\n",
        escape(&figure.caption)
    ));
    out
}

const COLUMNS_NOTE: &str = "of topology max: delivered throughput as a part of the maximum of the topology, which is that of its \
    links (the rate of all end nodes; of a mesh twice its bisection) and not what this workload could at most deliver; before, during, after: mean delivered throughput in these windows; \
    worst dip: lowest 20 \u{b5}s moving mean during; SAQs in, out, inject: the most in use at any one ingress port, egress port and end \
    node; refused: allocations refused for want of a free SAQ; message p99: 99th percentile of latency from the generation of a message, \
    the wait in its source included; network p99: from injection on; CAM+queues: bits of CAM lines and queue registers, ingress and egress \
    memory of the costliest port together, data memory not counted.";

/// One line a point; columns without any value are left out.
fn sweep_table(store: &Store) -> String {
    let shown: Vec<_> = store
        .columns
        .iter()
        .filter(|c| store.points.iter().any(|p| p.value(&c.name).is_some()))
        .collect();
    let head = |class: &str, title: &str, unit: &str| {
        let (title, unit) = (escape(title), escape(unit));
        format!(
            "<th scope=\"col\"{class}><button type=\"button\">{title}<small>{unit}</small></button></th>"
        )
    };
    let mut out = String::from(
        "<section>\n<h2>Results</h2>\n<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"Results\">\n<table class=\"sort\">\n\
         <caption>A line a point. Press a heading to sort.</caption>\n<thead><tr>",
    );
    if store.axes.is_empty() {
        out.push_str(&head(" class=\"l\"", "point", ""));
    }
    store
        .axes
        .iter()
        .for_each(|axis| out.push_str(&head(" class=\"l\"", axis, "")));
    shown
        .iter()
        .for_each(|c| out.push_str(&head("", &c.title, &c.unit)));
    out.push_str("</tr></thead>\n<tbody>\n");
    for point in &store.points {
        out.push_str("<tr>");
        if store.axes.is_empty() {
            out.push_str(&format!(
                "<th scope=\"row\" class=\"l\" data-v=\"{0}\">{0}</th>",
                escape(&point.name)
            ));
        }
        for (n, axis) in store.axes.iter().enumerate() {
            let (tag, scope) = if n == 0 {
                ("th", " scope=\"row\"")
            } else {
                ("td", "")
            };
            let value = escape(point.label(axis).unwrap_or_default());
            let shown = if value.is_empty() { "\u{2013}" } else { &value };
            out.push_str(&format!(
                "<{tag}{scope} class=\"l\" data-v=\"{value}\">{shown}</{tag}>"
            ));
        }
        shown
            .iter()
            .for_each(|c| out.push_str(&cell(store, point, &c.name, c.decimals)));
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
    out.push_str(&format!(
        "<p class=\"note\">{COLUMNS_NOTE} <a download=\"points.csv\" href=\"{}\">Data of this table (CSV)</a></p>\n",
        csv_uri(&points_csv(store))
    ));
    out.push_str(&failures(store));
    out + "</section>\n"
}

fn cell(store: &Store, point: &Point, column: &str, decimals: usize) -> String {
    let Some((mean, min, max)) = point.value(column) else {
        let finished = point
            .runs
            .iter()
            .filter_map(|&i| store.run(i))
            .any(|run| run.status == "ok");
        return format!(
            "<td data-v=\"\">{}</td>",
            if finished { "\u{2013}" } else { "none" }
        );
    };
    let range = if min < max {
        format!(
            "<small>{}..{}</small>",
            number(min, decimals),
            number(max, decimals)
        )
    } else {
        String::new()
    };
    format!(
        "<td data-v=\"{mean}\">{}{range}</td>",
        number(mean, decimals)
    )
}

fn failures(store: &Store) -> String {
    let line = |run: &crate::store::Run| {
        let directory = escape(&run.directory);
        match (&run.error, run.exit_code) {
            (Some(error), _) if run.status == "unreadable" => {
                format!("<li>{directory}: unreadable: {}</li>\n", escape(error))
            }
            (Some(error), Some(code)) => format!(
                "<li>{directory}: failed with exit code {code}: {}</li>\n",
                escape(error)
            ),
            _ => format!("<li>{directory}: {}</li>\n", escape(&run.status)),
        }
    };
    let lines: String = store
        .runs
        .iter()
        .filter(|run| run.status != "ok")
        .map(line)
        .collect();
    if lines.is_empty() {
        lines
    } else {
        format!(
            "<h3 class=\"bad\">Runs without a line in the figures</h3>\n<ul class=\"bad\">\n{lines}</ul>\n"
        )
    }
}

/// Every point with all columns, those that the page leaves out too.
fn points_csv(store: &Store) -> String {
    let mut out = String::from("point,runs");
    for column in &store.columns {
        out.push_str(&format!(",{0}_mean,{0}_min,{0}_max", column.name));
    }
    out.push('\n');
    for point in &store.points {
        out.push_str(&format!("{},{}", csv_field(&point.name), point.runs.len()));
        for column in &store.columns {
            match point.value(&column.name) {
                Some((mean, min, max)) => out.push_str(&format!(",{mean},{min},{max}")),
                None => out.push_str(",,,"),
            }
        }
        out.push('\n');
    }
    out
}

/// `summary.json`, one line a number.
fn summary_table(store: &Store) -> String {
    let mut lines = Vec::new();
    flatten(
        "",
        store.summary.as_ref().unwrap_or(&Value::Null),
        &mut lines,
    );
    let rows: String = lines
        .iter()
        .map(|(key, value)| {
            format!(
                "<tr><th scope=\"row\" class=\"l\">{}</th><td>{}</td></tr>\n",
                escape(key),
                escape(value)
            )
        })
        .collect();
    format!(
        "<section>\n<h2>Summary</h2>\n<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"Summary\">\n<table>\n\
         <caption>Units are in the names.</caption>\n<thead><tr><th scope=\"col\" class=\"l pad\">quantity</th><th scope=\"col\" class=\"pad\">value</th></tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table>\n</div>\n</section>\n"
    )
}

fn flatten(path: &str, value: &Value, lines: &mut Vec<(String, String)>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                flatten(
                    &if path.is_empty() {
                        key.clone()
                    } else {
                        format!("{path}.{key}")
                    },
                    value,
                    lines,
                );
            }
        }
        Value::Null if path.is_empty() => {}
        Value::Null => lines.push((path.to_string(), "\u{2013}".into())),
        Value::Number(n) if n.is_u64() => {
            lines.push((path.to_string(), shortest(n.as_u64().unwrap_or(0) as f64)))
        }
        Value::Number(n) => {
            lines.push((path.to_string(), number(n.as_f64().unwrap_or(f64::NAN), 4)))
        }
        Value::String(s) => lines.push((path.to_string(), s.clone())),
        other => lines.push((path.to_string(), other.to_string())),
    }
}
