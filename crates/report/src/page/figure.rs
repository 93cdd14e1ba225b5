//! A figure on the page: its pictures, a legend, what chooses lines, and all its lines as JSON.

use crate::figures::{Figure, Of};
use crate::names;
use crate::plot::{Dot, Line, PART, Plot, sample};
use crate::text::{distinct, escape};
use serde_json::{Value, json};

/// The section; what chooses lines is in the first figure of their kind, unless `taken`.
pub(super) fn section(figure: &Figure, axes: &[String], taken: &mut Vec<Of>) -> String {
    let Figure { id, heading, .. } = figure;
    let lines = lines(figure);
    let parts = [PART.to_string()];
    let (of, axes, first) = match figure.of {
        Of::Points => ("points", axes, "The answers"),
        Of::Settings => ("settings", axes, "The answers"),
        Of::Parts => ("parts", &parts[..], "The first"),
    };
    let shown = lines.iter().filter(|line| line.is_shown).count();
    let shape = if figure.pictures.len() > 1 { "many" } else { "one" };
    let mut out = format!(
        "<section>\n<h2>{heading}</h2>\n<figure id=\"{id}\" class=\"{shape}\" data-of=\"{of}\">\n\
         <div class=\"pictures\">\n"
    );
    for (heading, plot) in &figure.pictures {
        out.push_str("<div class=\"picture\">\n");
        if let Some(heading) = heading {
            out.push_str(&format!("<h3>{}</h3>\n", escape(heading)));
        }
        // the last of these shows what a pointer or the keyboard is at
        out.push_str(&format!(
            "<div class=\"frame\">\n{}<p class=\"tip\" role=\"status\"></p>\n</div>\n</div>\n",
            plot.svg()
        ));
    }
    out.push_str("</div>\n<div class=\"beside\">\n");
    if shown < lines.len() {
        let all = lines.len();
        out.push_str(&format!("<p class=\"note count\">{shown} of {all} lines are drawn.</p>\n"));
        if !taken.contains(&figure.of) {
            taken.push(figure.of);
            out.push_str(&choice(&lines, axes, first));
        }
    }
    out.push_str(&legend(figure, &lines));
    let (caption, data) = (escape(&figure.caption), data(figure, &lines, axes));
    out.push_str(&format!(
        "<figcaption>{caption}</figcaption>\n</div>\n\
         <script type=\"application/json\">{data}</script>\n</figure>\n</section>\n"
    ));
    out
}

/// The lines of all pictures, none twice.
fn lines(figure: &Figure) -> Vec<&Line> {
    let mut found: Vec<&Line> = Vec::new();
    for line in figure.pictures.iter().flat_map(|(_, plot)| &plot.lines) {
        if !found.iter().any(|known| known.name == line.name) {
            found.push(line);
        }
    }
    found
}

/// A button a line that is drawn: a pointer on it dims the others, a press hides or shows it.
fn legend(figure: &Figure, lines: &[&Line]) -> String {
    let mut out = String::from("<ul class=\"legend\">\n");
    for (number, line) in lines.iter().enumerate().filter(|l| l.1.is_shown) {
        let (sample, keys) = (sample(line.style, line.dash), escape(&line.keys));
        let name = match alike(figure, lines, number) {
            Some(above) => escape(&format!("{}, as {}", line.name, above.name)),
            None => escape(&line.name),
        };
        out.push_str(&format!(
            "<li><button type=\"button\" aria-pressed=\"true\" data-i=\"{number}\" \
             title=\"{keys}\">{sample}<span>{name}</span></button></li>\n"
        ));
    }
    for guide in figure.pictures.iter().flat_map(|(_, plot)| &plot.guides) {
        let (class, name) = (guide.class, escape(&guide.name));
        out.push_str(&format!(
            "<li class=\"still\"><svg class=\"sample\" viewBox=\"0 0 40 14\" \
             aria-hidden=\"true\"><polyline class=\"guide {class}\" points=\"1,7 39,7\"/></svg>\
             <span>{name}</span></li>\n"
        ));
    }
    out + "</ul>\n"
}

/// The first line that is drawn and is the same in all pictures: they could not be distinguished.
fn alike<'a>(figure: &Figure, lines: &[&'a Line], number: usize) -> Option<&'a Line> {
    fn dots<'a>(plot: &'a Plot, name: &str) -> Option<&'a Vec<Dot>> {
        plot.lines.iter().find(|line| line.name == name).map(|line| &line.dots)
    }
    let name = &lines[number].name;
    let is_same = |other: &&&Line| {
        let mut plots = figure.pictures.iter().map(|(_, plot)| plot);
        other.is_shown && plots.all(|plot| dots(plot, name) == dots(plot, &other.name))
    };
    lines[..number].iter().find(is_same).copied()
}

/// The values on each axis that has several.
fn values<'a>(lines: &[&'a Line], axes: &'a [String]) -> Vec<(&'a String, Vec<&'a str>)> {
    let of_axis = |axis: &'a String| {
        let mut values = distinct(lines.iter().filter_map(|line| line.labels.get(axis)?.as_str()));
        let number = |v: &&str| v.parse::<f64>().unwrap_or(f64::NAN);
        if values.iter().all(|v| number(v).is_finite()) {
            values.sort_by(|a, b| number(a).total_cmp(&number(b)));
        }
        (axis, values)
    };
    let all = axes.iter().map(of_axis);
    all.filter(|(_, values)| values.len() > 1).collect()
}

fn choice(lines: &[&Line], axes: &[String], first: &str) -> String {
    let mut out = format!(
        "<fieldset class=\"choice\">\n<legend>Lines</legend>\n\
         <button type=\"button\" data-to=\"first\">{first}</button>\n\
         <button type=\"button\" data-to=\"all\">All</button>\n"
    );
    for (axis, values) in self::values(lines, axes) {
        let (name, unit) = names::short_key(axis);
        let (name, axis) = (escape(&name), escape(axis));
        let comma = if unit.is_empty() { "" } else { ", " };
        out.push_str(&format!(
            "<div role=\"group\" aria-label=\"{name}\" data-axis=\"{axis}\" \
             title=\"{axis}\"><b>{name}{comma}{unit}</b>"
        ));
        for value in values {
            let value = escape(value);
            out.push_str(&format!(
                "<label><input type=\"checkbox\" value=\"{value}\" checked=\"\"/>{value}</label>"
            ));
        }
        out.push_str("</div>\n");
    }
    out + "</fieldset>\n"
}

/// All that can be drawn, with the values that lines are chosen by.
fn data(figure: &Figure, lines: &[&Line], axes: &[String]) -> String {
    let values = values(lines, axes);
    let names: Vec<&str> = lines.iter().map(|line| line.name.as_str()).collect();
    let line = |line: &&Line| {
        let value = |(axis, _): &(&String, Vec<&str>)| line.labels.get(*axis).cloned();
        let chosen_by: Vec<Option<Value>> = values.iter().map(value).collect();
        json!([line.name, line.style, line.dash, u8::from(line.is_shown), chosen_by])
    };
    let pictures = figure.pictures.iter().map(|(_, plot)| plot.data(&names));
    json!({
        "axes": values.iter().map(|v| v.0).collect::<Vec<_>>(),
        "lines": lines.iter().map(line).collect::<Vec<_>>(),
        "pictures": pictures.collect::<Vec<_>>(),
    })
    .to_string()
    // nothing may end the script
    .replace('<', "\\u003c")
}
