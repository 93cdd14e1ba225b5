//! A figure on the page: pictures, each with its legend, which is also what chooses its lines.

use crate::figures::Figure;
use crate::plot::{LINES_SHOWN, Line, Plot, sample};
use crate::text::{csv_uri, escape};

pub(super) fn section(figure: &Figure) -> String {
    let Figure { id, heading, .. } = figure;
    let mut out = format!("<section>\n<h2>{heading}</h2>\n<figure id=\"{id}\">\n");
    for (heading, plot) in &figure.pictures {
        out.push_str("<div class=\"picture\">\n");
        if let Some(heading) = heading {
            out.push_str(&format!("<h3>{}</h3>\n", escape(heading)));
        }
        // what a pointer or the keyboard is at is said in the last of these
        out.push_str(&format!(
            "<div class=\"frame\">\n{}<p class=\"tip\" role=\"status\"></p>\n</div>\n",
            plot.svg()
        ));
        out.push_str(&choice(plot));
        out.push_str(&legend(plot));
        out.push_str("</div>\n");
    }
    let (caption, uri) = (escape(&figure.caption), csv_uri(&figure.csv));
    out.push_str(&format!(
        "<figcaption>{caption} <a download=\"{id}.csv\" href=\"{uri}\">\
         Data of this figure (CSV)</a></figcaption>\n</figure>\n</section>\n"
    ));
    out
}

/// A button a line: a pointer on it dims the others, a press hides or shows it.
fn legend(plot: &Plot) -> String {
    let mut out = String::from("<ul class=\"legend\">\n");
    for (number, line) in plot.lines().iter().enumerate() {
        let Line { style, stroke, .. } = line;
        let (sample, name) = (sample(*style, *stroke), escape(&line.name()));
        let (pressed, keys) = (plot.is_shown(number), escape(&line.keys));
        out.push_str(&format!(
            "<li><button type=\"button\" aria-pressed=\"{pressed}\" data-s=\"{number}\" \
             title=\"{keys}\">{sample}<span>{name}</span></button></li>\n"
        ));
    }
    out + "</ul>\n"
}

/// Where there are more lines than are drawn at first: how many, which are not, and buttons for
/// all, none and the first ones. Without scripts, and on paper, the names of the others are read
/// here; they have their numbers in the CSV.
fn choice(plot: &Plot) -> String {
    let hidden: Vec<String> = (0..plot.lines().len())
        .filter(|&number| !plot.is_shown(number))
        .map(|number| plot.lines()[number].name())
        .collect();
    if hidden.is_empty() {
        return String::new();
    }
    let (all, hidden) = (plot.lines().len(), escape(&hidden.join("; ")));
    let button =
        |to: &str, text: &str| format!("<button type=\"button\" data-to=\"{to}\">{text}</button>");
    let first = format!("First {LINES_SHOWN}");
    let buttons = [("first", first.as_str()), ("all", "All"), ("none", "None")];
    let buttons: String = buttons.map(|(to, text)| button(to, text)).concat();
    format!(
        "<p class=\"note choice\" data-first=\"{LINES_SHOWN}\">\
         <span class=\"count\">{LINES_SHOWN} of {all} lines are \
         drawn.</span> <span class=\"ask\">Choose by their names below: {buttons}</span>\
         <span class=\"others\">Not drawn: <span class=\"names\">{hidden}</span>.</span></p>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::{Axis, Dot, Scale, Stroke};

    fn plot(lines: usize, stroke: Stroke) -> Plot {
        let line = |n: usize| Line {
            style: n,
            stroke,
            names: vec![format!("line <{n}>")],
            keys: format!("key = {n}"),
            dots: vec![Dot::at(0.0, n as f64), Dot::at(1.0, n as f64)],
        };
        let axis = |max| Axis::new("x", "", Scale::from_zero(max, 5));
        let lines = (0..lines).map(line).collect();
        Plot::new("p".into(), "p".into(), axis(1.0), axis(40.0), 400.0, lines)
    }

    #[test]
    fn beyond_eight_lines_are_asked_for() {
        assert_eq!(choice(&plot(8, Stroke::Plain)), "");
        assert_eq!(choice(&plot(20, Stroke::Alone)), "");
        let text = choice(&plot(10, Stroke::Plain));
        assert!(text.contains("8 of 10 lines are drawn."));
        let names = "<span class=\"names\">line &lt;8&gt;; line &lt;9&gt;</span>";
        assert!(text.contains(names), "{text}");
        let legend = legend(&plot(10, Stroke::Plain));
        assert_eq!(legend.matches("aria-pressed=\"true\"").count(), 8);
        assert_eq!(legend.matches("aria-pressed=\"false\"").count(), 2);
        assert_eq!(plot(10, Stroke::Plain).svg().matches(" off\"").count(), 2);
    }
}
