//! Lines that coincide are one line with all names: nobody could tell them apart.

use super::{Dot, Line, Plot};

/// Lines coincide whose points are at most so far apart, in units of the picture: a third of a
/// line's width. The x of all their points must be equal.
const APART: f64 = 0.5;

impl Plot {
    /// The lines, each that coincides with an earlier one made part of it.
    pub(super) fn merged(&self, lines: Vec<Line>) -> Vec<Line> {
        let mut all: Vec<Line> = Vec::new();
        for line in lines {
            match all.iter_mut().find(|first| self.coincide(first, &line)) {
                Some(first) => {
                    first.names.extend(line.names);
                    if !line.keys.is_empty() {
                        first.keys.push_str("; ");
                        first.keys.push_str(&line.keys);
                    }
                }
                None => all.push(line),
            }
        }
        all
    }

    fn coincide(&self, a: &Line, b: &Line) -> bool {
        let near = |a: f64, b: f64| (self.py(a) - self.py(b)).abs() <= APART;
        let same = |(a, b): (&Dot, &Dot)| {
            a.x == b.x
                && a.at_least == b.at_least
                && near(a.y, b.y)
                && near(a.range.0, b.range.0)
                && near(a.range.1, b.range.1)
        };
        a.dots.len() == b.dots.len() && a.dots.iter().zip(&b.dots).all(same)
    }
}

/// One name for several: `recn, SAQs a port 4 = 8` where they differ in one part alone, else all of
/// them with `=` between.
pub(crate) fn together(names: &[String]) -> String {
    let parts: Vec<Vec<&str>> = names.iter().map(|n| n.split(", ").collect()).collect();
    let Some((first, others)) = parts.split_first() else {
        return String::new();
    };
    let differs = |at: &usize| others.iter().any(|p| p.get(*at) != Some(&first[*at]));
    let places: Vec<usize> = (0..first.len()).filter(differs).collect();
    match places[..] {
        [place] if others.iter().all(|p| p.len() == first.len()) => {
            let values: Vec<&str> = parts.iter().map(|p| p[place]).collect();
            let joined = shortened(&values);
            let mut whole: Vec<&str> = first.clone();
            whole[place] = &joined;
            whole.join(", ")
        }
        _ => names.join(" = "),
    }
}

/// `SAQs a port 4 = 8`: words that all begin with stand once.
fn shortened(values: &[&str]) -> String {
    let words: Vec<Vec<&str>> = values.iter().map(|v| v.split(' ').collect()).collect();
    let least = words.iter().map(Vec::len).min().unwrap_or(1);
    let common = (0..least - 1)
        .take_while(|&at| words.iter().all(|w| w[at] == words[0][at]))
        .count();
    let rest: Vec<String> = words.iter().map(|w| w[common..].join(" ")).collect();
    let mut out = words[0][..common].join(" ");
    if common > 0 {
        out.push(' ');
    }
    out + &rest.join(" = ")
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, Scale, Stroke};
    use super::*;

    fn line(name: &str, values: &[f64]) -> Line {
        let dots = values.iter().enumerate();
        Line {
            style: 0,
            stroke: Stroke::Plain,
            names: vec![name.into()],
            keys: name.into(),
            dots: dots.map(|(x, &y)| Dot::at(x as f64, y)).collect(),
        }
    }

    fn names(lines: Vec<Line>) -> Vec<String> {
        let axis = |max| Axis::new("", "", Scale::from_zero(max, 5));
        let plot = Plot::new("p".into(), "".into(), axis(1.0), axis(100.0), 400.0, lines);
        plot.lines().iter().map(Line::name).collect()
    }

    #[test]
    fn only_what_cannot_be_told_apart_is_one_line() {
        // 288 units of the picture are 100
        let (a, b, c) = ([10.0, 20.0], [10.1, 19.9], [10.0, 20.5]);
        let drawn = names(vec![line("a", &a), line("c", &c), line("b", &b)]);
        assert_eq!(drawn, ["a = b", "c"]);
        let mut bound = line("bound", &a);
        bound.dots[1].at_least = true;
        let mut wide = line("wide", &a);
        wide.dots[0].range = (5.0, 15.0);
        let shorter = line("shorter", &a[..1]);
        assert_eq!(names(vec![line("a", &a), bound, wide, shorter]).len(), 4);
    }

    #[test]
    fn a_name_of_several_says_what_is_common_once() {
        let one =
            |names: &[&str]| together(&names.iter().map(|n| n.to_string()).collect::<Vec<_>>());
        assert_eq!(one(&["1q"]), "1q");
        assert_eq!(one(&["1q", "recn"]), "1q = recn");
        let saqs = ["recn, SAQs a port 4", "recn, SAQs a port 8"];
        assert_eq!(one(&saqs), "recn, SAQs a port 4 = 8");
        let two = ["a 1, b 1", "a 2, b 2"];
        assert_eq!(one(&two), "a 1, b 1 = a 2, b 2");
        assert_eq!(one(&["1q", "recn, x 1"]), "1q = recn, x 1");
        assert_eq!(one(&["same", "same"]), "same = same");
    }
}
