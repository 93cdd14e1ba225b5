//! The page: heading, what was run, table, figures.

mod flows;

use crate::figures::{self, Figure};
use crate::plot::sample;
use crate::recorded::{self, Recorded};
use crate::store::{Column, Point, Store};
use crate::text::{csv_field, csv_uri, escape, number, shortest};
use serde_json::Value;

const STYLE: &str = include_str!("assets/style.css");
const SCRIPT: &str = include_str!("assets/script.js");
/// Nothing is fetched: the browser is told so, and holds the page to it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

pub(crate) fn page(store: &Store, recorded: &Recorded) -> String {
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
    let (findings, flows) = (findings(store), flows::section(store));
    // what was recorded has them by side and port
    let saqs = match recorded.cam {
        Some(_) => [None, None],
        None => [figures::saqs(store, false), figures::saqs(store, true)],
    };
    let note = if recorded.cam.is_none() && saqs.iter().all(Option::is_none) {
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
    let own = |figures: &Option<Figure>| figures.as_ref().map(figure).unwrap_or_default();
    let (cam, latencies) = (own(&recorded.cam), own(&recorded.latencies));
    let (trees, ports) = (
        recorded.trees.as_deref().unwrap_or_default(),
        &recorded.ports,
    );
    let (more_style, more_script) = match recorded.has_own_drawings() {
        true => (
            recorded::STYLE,
            format!("<script>\n{}</script>\n", recorded::SCRIPT),
        ),
        false => ("", String::new()),
    };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"generator\" content=\"setaside\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>{name} \u{2013} setaside</title>\n\
         <style>\n{STYLE}{more_style}</style>\n</head>\n<body>\n<main>\n<h1>{name}</h1>\n<dl>\n{facts}</dl>\n{table}{findings}{flows}{trees}{ports}{cam}{figures}{latencies}{note}</main>\n\
         <script>\n{SCRIPT}</script>\n{more_script}</body>\n</html>\n"
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

const COLUMNS_NOTE: &str = "of ideal: delivered throughput as a part of what this workload could at most get over its routes; \
    before, during, after: mean delivered throughput in these windows; worst dip: the lowest mean over a part of about 20 \u{b5}s of during; \
    victims: flows to no hot destination; starved: flows with standing demand of which nothing was delivered in the measured time; \
    SAQs in, out: the most in use at any one ingress and egress port; refused: allocations refused for want of a free SAQ; message \
    p99: 99th percentile of latency from the generation of a message, the wait in its source included; >= x: at least x, since that part \
    of the messages had not arrived when the run ended and counts with its age; control: bits of CAM lines, queue and SAQ registers, credit counters, \
    ingress and egress memory of the costliest port together, data memory not counted.";
const MORE_NOTE: &str = "of topology max: as a part of the maximum of the topology, which is that of its links and not what this \
    workload could get; worst share: the smallest part that any flow got of its max-min fair share; Jain: fairness index over the flows \
    that send; first half, second half: delivered in the halves of the measured time, which differ if they do so by more than their \
    noise; undelivered: share of the messages, or packets, that had not arrived when the run ended; SAQs inject: the most in use at any \
    one end node; network p99: from injection on.";
const UNSTEADY: &str = "second half of the measured time differs from the first beyond its noise: longer run.warmup_ns";

/// The short table, and the other columns for those who ask for them.
fn sweep_table(store: &Store) -> String {
    let any = |c: &&Column| store.points.iter().any(|p| p.value(&c.name).is_some());
    let (brief, more): (Vec<_>, Vec<_>) = store.columns.iter().filter(any).partition(|c| c.brief);
    let mut out = format!(
        "<section>\n<h2>Results</h2>\n{}<p class=\"note\">{COLUMNS_NOTE} \
         <a download=\"points.csv\" href=\"{}\">Data of this table, all columns (CSV)</a></p>\n",
        points_table(store, &brief, "Results"),
        csv_uri(&points_csv(store))
    );
    if store.points.iter().any(Point::is_unsteady) {
        out.push_str(&format!("<p class=\"note bad\">*: {UNSTEADY}</p>\n"));
    }
    if !more.is_empty() {
        out.push_str(&format!(
            "<details>\n<summary>More columns</summary>\n{}<p class=\"note\">{MORE_NOTE}</p>\n</details>\n",
            points_table(store, &more, "More columns")
        ));
    }
    out.push_str(&failures(store));
    out + "</section>\n"
}

/// One line a point.
fn points_table(store: &Store, shown: &[&Column], name: &str) -> String {
    let head = |class: &str, title: &str, unit: &str| {
        let (title, unit) = (escape(title), escape(unit));
        format!(
            "<th scope=\"col\"{class}><button type=\"button\">{title}<small>{unit}</small></button></th>"
        )
    };
    let mut out = format!(
        "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"{name}\">\n<table class=\"sort\">\n\
         <caption>A line a point. Press a heading to sort.</caption>\n<thead><tr>"
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
                "<th scope=\"row\" class=\"l\" data-v=\"{0}\">{0}{1}</th>",
                escape(&point.name),
                marks(point)
            ));
        }
        for (n, axis) in store.axes.iter().enumerate() {
            let (tag, scope, marks) = if n == 0 {
                ("th", " scope=\"row\"", marks(point))
            } else {
                ("td", "", String::new())
            };
            let value = escape(point.label(axis).unwrap_or_default());
            let shown = if value.is_empty() { "\u{2013}" } else { &value };
            out.push_str(&format!(
                "<{tag}{scope} class=\"l\" data-v=\"{value}\">{shown}{marks}</{tag}>"
            ));
        }
        shown
            .iter()
            .for_each(|c| out.push_str(&cell(store, point, c)));
        out.push_str("</tr>\n");
    }
    out + "</tbody>\n</table>\n</div>\n"
}

/// What a reader must know about a point before its figures.
fn marks(point: &Point) -> String {
    let mut marks = String::new();
    if point.is_unsteady() {
        marks.push_str(&format!(
            " <span class=\"bad\" title=\"{UNSTEADY}\">*</span>"
        ));
    }
    if point.lacks_replicas() {
        let (finished, replicas) = (point.finished, point.replicas);
        marks.push_str(&format!(
            "<small class=\"bad\">{finished} of {replicas} replicas</small>"
        ));
    }
    marks
}

fn cell(store: &Store, point: &Point, column: &Column) -> String {
    let decimals = column.decimals;
    let Some((mean, min, max)) = point.value(&column.name) else {
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
    let mut below = String::new();
    if min < max {
        below = format!(
            "<small>{}..{}</small>",
            number(min, decimals),
            number(max, decimals)
        );
    }
    let at_least = point.at_least(&column.name);
    let share = column.undelivered.as_ref().and_then(|c| point.value(c));
    if let (true, Some((share, ..))) = (at_least, share) {
        below.push_str(&format!(
            "<small>{} undelivered</small>",
            flows::percent(share)
        ));
    }
    let bad = if column.name == "flows_starved" && max > 0.0 {
        " class=\"bad\""
    } else {
        ""
    };
    let bound = if at_least { "&gt;= " } else { "" };
    format!(
        "<td{bad} data-v=\"{mean}\">{bound}{}{below}</td>",
        number(mean, decimals)
    )
}

/// What the study says of its table in words.
fn findings(store: &Store) -> String {
    let line = |text: &String| format!("<li>{}</li>\n", escape(&text.replace('`', "")));
    let lines: String = store.findings.iter().map(line).collect();
    if lines.is_empty() {
        return lines;
    }
    format!("<section>\n<h2>How many SAQs are enough</h2>\n<ul>\n{lines}</ul>\n</section>\n")
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
    let mut out = String::from("point,replicas,replicas_finished");
    for column in &store.columns {
        out.push_str(&format!(",{0}_mean,{0}_min,{0}_max", column.name));
        if column.undelivered.is_some() {
            out.push_str(&format!(",{}_is_lower_bound", column.name));
        }
    }
    out.push('\n');
    for point in &store.points {
        out.push_str(&format!(
            "{},{},{}",
            csv_field(&point.name),
            point.replicas.max(point.runs.len()),
            point.finished
        ));
        for column in &store.columns {
            let value = point.value(&column.name);
            match value {
                Some((mean, min, max)) => out.push_str(&format!(",{mean},{min},{max}")),
                None => out.push_str(",,,"),
            }
            if column.undelivered.is_some() {
                let bound = value.map(|_| point.at_least(&column.name).to_string());
                out.push_str(&format!(",{}", bound.unwrap_or_default()));
            }
        }
        out.push('\n');
    }
    out
}

/// Windows and sets of flows have a table of their own.
const ELSEWHERE: [&str; 3] = ["windows", "group_results", "victims"];

/// `summary.json`, one line a number.
fn summary_table(store: &Store) -> String {
    let mut lines = Vec::new();
    let mut summary = store.summary.clone().unwrap_or(Value::Null);
    let warnings = warnings(&summary);
    if let Value::Object(map) = &mut summary {
        map.retain(|key, _| !ELSEWHERE.contains(&key.as_str()));
    }
    mark_bounds(&mut summary);
    flatten("", &summary, &mut lines);
    let value = |key: &str| summary[key].as_f64();
    if let (Some(delivered), Some(ideal)) = (
        value("delivered_bytes_per_ns"),
        value("ideal_bytes_per_ns").filter(|ideal| *ideal > 0.0),
    ) {
        let at = lines
            .iter()
            .position(|(key, _)| key == "ideal_bytes_per_ns");
        let of_ideal = ("of_ideal".to_string(), number(delivered / ideal, 4));
        lines.insert(at.map_or(0, |at| at + 1), of_ideal);
    }
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
        "<section>\n<h2>Summary</h2>\n{warnings}<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"Summary\">\n<table>\n\
         <caption>Units are in the names.</caption>\n<thead><tr><th scope=\"col\" class=\"l pad\">quantity</th><th scope=\"col\" class=\"pad\">value</th></tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table>\n</div>\n</section>\n"
    )
}

/// Figures of latencies that are lower bounds get their mark, in the place of the list of them.
fn mark_bounds(summary: &mut Value) {
    for latency in ["latency_ns", "network_latency_ns"] {
        let Some(figures) = summary[latency].as_object_mut() else {
            continue;
        };
        let bounds = figures.remove("lower_bounds").unwrap_or_default();
        for figure in bounds.as_array().into_iter().flatten() {
            let figure = figures.get_mut(figure.as_str().unwrap_or_default());
            if let Some((figure, value)) = figure.and_then(|f| f.as_f64().map(|v| (f, v))) {
                *figure = Value::String(format!(">= {}", number(value, 4)));
            }
        }
    }
}

/// What a reader must know about a run before its figures.
fn warnings(summary: &Value) -> String {
    let mut out = String::new();
    if let Some(flows @ 1..) = summary["flows_starved"].as_u64() {
        out.push_str(&format!(
            "<p class=\"bad\">{flows} flows starved: standing demand, nothing delivered in the measured time; see flows.csv.</p>\n"
        ));
    }
    if summary["steady"]["differs"] == true {
        let half = |key: &str| number(summary["steady"][key].as_f64().unwrap_or(f64::NAN), 3);
        out.push_str(&format!(
            "<p class=\"bad\">Not steady: {UNSTEADY} ({} then {} bytes/ns, noise {}).</p>\n",
            half("first_half_bytes_per_ns"),
            half("second_half_bytes_per_ns"),
            half("noise_bytes_per_ns")
        ));
    }
    out
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
