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
    let style = standalone(between(page, "<style>", "</style>").unwrap_or_default());
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
    let drawing = |part: &str| {
        let (svg, _) = part.split_once("</svg>")?;
        let (attributes, inner) = svg.split_once('>')?;
        let name = between(attributes, "aria-labelledby=\"", "-t ")?;
        let (width, height) = between(attributes, "viewBox=\"0 0 ", "\"")?.split_once(' ')?;
        let (width, height): (f64, f64) = (width.parse().ok()?, height.parse().ok()?);
        let (below, rows) = below(legend, width, height);
        let whole = height + rows;
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{whole}\" \
             viewBox=\"0 0 {width} {whole}\" role=\"img\" aria-labelledby=\"{name}-t {name}-d\">\n\
             <style>\n{BASE}\n{style}</style>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>{inner}{below}</svg>\n"
        );
        Some(Picture { name: format!("{name}.svg"), svg })
    };
    part.split("<svg ").skip(1).filter_map(drawing).collect()
}

/// Sample and name of each entry of the legend of a figure.
fn legend(figure: &str) -> Vec<(&str, &str)> {
    let list = between(figure, "<ul class=\"legend\">", "</ul>").unwrap_or_default();
    let entry = |entry| {
        let sample = between(entry, "<svg ", "</svg>")?;
        Some((sample, between(entry, "<span>", "</span>")?))
    };
    list.split("<li").skip(1).filter_map(entry).collect()
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
        let (text_x, text_y) = (x + 46.0, y + 7.0);
        out.push_str(&format!(
            "<svg x=\"{x}\" y=\"{y}\" width=\"40\" height=\"14\" {sample}</svg>\
             <text x=\"{text_x}\" y=\"{text_y}\" dy=\".35em\">{name}</text>\n"
        ));
        x += wide;
    }
    (out, if legend.is_empty() { 0.0 } else { y + ROW - height })
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(before)?;
    rest.split_once(after).map(|(between, _)| between)
}

/// What begins the selectors of rules of the page, not of a drawing.
const OF_PAGE: [&str; 14] = [
    "body", "main", "html", ":root", "*", "table", "dl", "button", ".points", ".answers", ".frame",
    ".legend", ".choice", ".tip",
];

/// The rules that drawings need, without variables: `var(--c)` once for each class that sets it.
fn standalone(style: &str) -> String {
    let rules = rules(style);
    let mut variables: BTreeMap<&str, &str> = BTreeMap::new();
    let mut colours: Vec<(&str, &str)> = Vec::new();
    for (selector, body) in &rules {
        let declared = body.split(';').filter_map(|d| d.split_once(':'));
        for (name, value) in declared.map(|(n, v)| (n.trim(), v.trim())) {
            if *selector == ":root" && name.starts_with("--") {
                variables.entry(name).or_insert(value);
            } else if name == "--c" {
                colours.push((selector, value));
            }
        }
    }
    let resolved = |body: &str| {
        variables.iter().fold(body.to_string(), |body, (name, value)| {
            body.replace(&format!("var({name})"), value)
        })
    };
    let mut out = String::new();
    for (selector, body) in &rules {
        if OF_PAGE.iter().any(|of| selector.starts_with(of)) || body.contains("--c:") {
            continue;
        }
        if !body.contains("var(--c)") {
            out.push_str(&format!("{selector}{{{}}}\n", resolved(body)));
            continue;
        }
        for (class, colour) in &colours {
            let each = selector.split(',').map(str::trim);
            let each = each.map(|s| format!("{class} {s},{}", itself(s, class)));
            let (selectors, body) =
                (joined(each, ","), resolved(&body.replace("var(--c)", colour)));
            out.push_str(&format!("{selectors}{{{body}}}\n"));
        }
    }
    // what is drawn inside a figure of a class on the page is alone here
    let alone = [".scene svg ", ".heat svg ", ".scene ", ".heat ", "width: 100%; height: auto;"];
    alone.iter().fold(out, |out, rule| out.replace(rule, ""))
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
