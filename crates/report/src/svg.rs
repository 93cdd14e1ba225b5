//! The pictures of a page as files, with the light colours inlined: viewers have no style sheet.

use crate::text::joined;
use std::collections::BTreeMap;

/// A self-contained picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Name of its file, `.svg` included; unique in a page.
    pub name: String,
    /// The file.
    pub svg: String,
}

/// What a picture is by default: as on the page, light.
const BASE: &str = "svg{font-family:\"DejaVu Sans\",sans-serif;background:#fff}";

/// The pictures of a page that [`render`](crate::render) made, in its order.
pub fn pictures(page: &str) -> Vec<Picture> {
    let style = page.split_once("<style>").and_then(|(_, rest)| rest.split_once("</style>"));
    let style = standalone(style.map_or("", |(style, _)| style));
    // a figure's legend is behind its pictures
    let mut parts = page.split("<figure ");
    let outside = parts.next().unwrap_or_default();
    let mut found = drawings(outside, &[], &style);
    for part in parts {
        let (figure, behind) = part.split_once("</figure>").unwrap_or((part, ""));
        found.extend(drawings(figure, &legend(figure), &style));
        found.extend(drawings(behind, &[], &style));
    }
    found
}

/// The drawings of a part of a page, each with this legend below it.
fn drawings(part: &str, legend: &[(&str, &str)], style: &str) -> Vec<Picture> {
    let mut found = Vec::new();
    let mut rest = part;
    while let Some((_, after)) = rest.split_once("<svg ") {
        let Some((svg, more)) = after.split_once("</svg>") else {
            break;
        };
        rest = more;
        let (attributes, inner) = svg.split_once('>').unwrap_or((svg, ""));
        let name = between(attributes, "aria-labelledby=\"", "-t ");
        let size = between(attributes, "viewBox=\"0 0 ", "\"").and_then(|s| s.split_once(' '));
        let size = size.and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
        if let (Some(name), Some((width, height))) = (name, size) {
            let (below, rows) = below(legend, width, height);
            let whole = height + rows;
            found.push(Picture {
                name: format!("{name}.svg"),
                svg: format!(
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" \
                     height=\"{whole}\" viewBox=\"0 0 {width} {whole}\" role=\"img\" \
                     aria-labelledby=\"{name}-t {name}-d\">\n<style>\n{BASE}\n{style}</style>\n\
                     <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>{inner}{below}</svg>\n"
                ),
            });
        }
    }
    found
}

/// Sample and name of each entry of the legend of a figure.
fn legend(figure: &str) -> Vec<(&str, &str)> {
    let list = figure.split_once("<ul class=\"legend\">");
    let list = list.and_then(|(_, rest)| rest.split_once("</ul>"));
    let entries = list.map_or("", |(list, _)| list).split("<li").skip(1);
    let entry = |entry| {
        let sample = between(entry, "<svg ", "</svg>")?;
        Some((sample, between(entry, "<span>", "</span>")?))
    };
    entries.filter_map(entry).collect()
}

/// The legend in rows below a drawing of this size, and the height of the rows.
fn below(legend: &[(&str, &str)], width: f64, height: f64) -> (String, f64) {
    const ROW: f64 = 22.0;
    const EDGE: f64 = 10.0;
    let mut out = String::new();
    let (mut x, mut y) = (EDGE, height + 4.0);
    for (sample, name) in legend {
        // a letter is less wide than this at 14 px
        let wide = 40.0 + 6.0 + name.chars().count() as f64 * 8.4 + 16.0;
        if x > EDGE && x + wide > width {
            (x, y) = (EDGE, y + ROW);
        }
        out.push_str(&format!(
            "<svg x=\"{x}\" y=\"{y}\" width=\"40\" height=\"14\" {sample}</svg>\
             <text x=\"{}\" y=\"{}\" dy=\".35em\">{name}</text>\n",
            x + 46.0,
            y + 7.0
        ));
        x += wide;
    }
    match legend.is_empty() {
        true => (out, 0.0),
        false => (out, y + ROW - height),
    }
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(before)?;
    rest.split_once(after).map(|(between, _)| between)
}

/// The rules that drawings need, without variables: `var(--c)` once for each class that sets it.
fn standalone(style: &str) -> String {
    let rules = rules(style);
    let mut variables: BTreeMap<&str, &str> = BTreeMap::new();
    let mut colours: Vec<(&str, &str)> = Vec::new();
    for (selector, body) in &rules {
        let declared = body.split(';').filter_map(|d| d.split_once(':'));
        for (name, value) in declared.map(|(n, v)| (n.trim(), v.trim())) {
            match (*selector, name) {
                (":root", _) if name.starts_with("--") => {
                    variables.entry(name).or_insert(value);
                }
                (class, "--c") => colours.push((class, value)),
                _ => {}
            }
        }
    }
    let resolved = |body: &str| {
        let mut body = body.to_string();
        for (name, value) in &variables {
            body = body.replace(&format!("var({name})"), value);
        }
        body
    };
    let mut out = String::new();
    for (selector, body) in &rules {
        // of the page, not of a drawing
        let page = [
            "body", "main", "html", ":root", "*", "table", "dl", "button", ".points", ".answers",
            ".frame", ".legend", ".choice", ".tip",
        ];
        if page.iter().any(|of| selector.starts_with(of)) || body.contains("--c:") {
            continue;
        }
        if !body.contains("var(--c)") {
            out.push_str(&format!("{selector}{{{}}}\n", resolved(body)));
            continue;
        }
        for (class, colour) in &colours {
            let each = selector.split(',').map(str::trim);
            let each = each.map(|s| format!("{class} {s},{}", itself(s, class)));
            let selectors = joined(each, ",");
            let body = resolved(&body.replace("var(--c)", colour));
            out.push_str(&format!("{}{{{body}}}\n", selectors));
        }
    }
    // what is drawn inside a figure of a class on the page is alone here
    out.replace(".scene svg ", "")
        .replace(".heat svg ", "")
        .replace(".scene ", "")
        .replace(".heat ", "")
        .replace("width: 100%; height: auto;", "")
}

/// The class on the element itself: on the first part of the selector.
fn itself(selector: &str, class: &str) -> String {
    match selector.split_once(' ') {
        Some((first, rest)) => format!("{first}{class} {rest}"),
        None => format!("{selector}{class}"),
    }
}

/// Selector and body of the rules outside `@media`.
fn rules(style: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = style;
    while let Some(open) = rest.find('{') {
        let (selector, after) = (rest[..open].trim(), &rest[open + 1..]);
        // comments before a rule are no part of it
        let selector = selector.rsplit("*/").next().unwrap_or(selector).trim();
        let mut depth = 1;
        let end = after.find(|c| {
            depth += match c {
                '{' => 1,
                '}' => -1,
                _ => 0,
            };
            depth == 0
        });
        let Some(end) = end else { break };
        if !selector.starts_with('@') {
            found.push((selector, after[..end].trim()));
        }
        rest = &after[end + 1..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_resolved_and_media_left_out() {
        let style = "/* x */ :root { --fg: #111; --c0: #00f; }\n\
                     @media (x) { :root { --fg: #eee; } p { color: red } }\n\
                     .c0 { --c: var(--c0); }\n.axis { stroke: var(--fg); }\n\
                     .port.n2 path, .mark { stroke: var(--c); }\nbody { margin: 0 }";
        let out = standalone(style);
        assert_eq!(
            out,
            ".axis{stroke: #111;}\n\
             .c0 .port.n2 path,.port.n2.c0 path,.c0 .mark,.mark.c0{stroke: #00f;}\n"
        );
    }
}
