//! All lines of a picture as JSON, for the script that draws those that the reader asks for.

use super::draw::{BOTTOM, LEFT, TOP, WIDTH};
use super::{Dot, Line, Plot, Stroke};
use crate::text::rounded;
use serde_json::{Value, json};

/// Digits of packed numbers, in the order of the script: no `"`, `\` or `<`.
pub(crate) const DIGITS: &str =
    "#$%&'()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~";
/// The largest number that two digits hold.
const CODE_MAX: f64 = 8_099.0;

impl Plot {
    /// The picture; its lines in the order of `names`, null where it has none of that name.
    pub(crate) fn data(&self, names: &[&str]) -> Value {
        let mut xs: Vec<String> = Vec::new();
        let find = |name: &&str| self.lines.iter().find(|line| line.name == **name);
        let found: Vec<Option<&Line>> = names.iter().map(find).collect();
        let lines = found.iter().map(|line| line.map(|line| self.dots(line, &mut xs)));
        let lines: Vec<Option<Value>> = lines.collect();
        json!({
            "drops": found.iter().map(|line| (*line)?.drop).collect::<Vec<_>>(),
            "x": [self.x.title, self.x.unit, self.x.scale.for_script()],
            "y": [self.y.title, self.y.unit, self.y.scale.for_script()],
            "box": [LEFT, WIDTH - self.right(), TOP, self.height - BOTTOM],
            "xs": xs, "lines": lines,
        })
    }

    /// Kind and dots: of a line without marks the place of its x among `xs` and its y, packed.
    fn dots(&self, line: &Line, xs: &mut Vec<String>) -> Value {
        if line.stroke == Stroke::Plain && line.dots.len() > 2 {
            let packed = |place: &dyn Fn(&Dot) -> f64| -> String {
                line.dots.iter().map(|dot| code(place(dot))).collect()
            };
            let x = packed(&|dot| self.x.scale.place(dot.x));
            let at = xs.iter().position(|known| *known == x);
            let at = at.unwrap_or_else(|| {
                xs.push(x);
                xs.len() - 1
            });
            return json!([line.stroke.letter(), at, packed(&|dot| self.y.scale.place(dot.y))]);
        }
        let dot = |dot: &Dot| {
            let (x, y) = (rounded(dot.x), rounded(dot.y));
            let (min, max) = (rounded(dot.range.0), rounded(dot.range.1));
            match (dot.range.0 < dot.range.1, dot.at_least) {
                (false, false) => json!([x, y]),
                (true, false) => json!([x, y, min, max]),
                (_, true) => json!([x, y, min, max, 1]),
            }
        };
        json!([line.stroke.letter(), line.dots.iter().map(dot).collect::<Vec<_>>()])
    }
}

/// A place between 0 and 1 in two digits.
fn code(place: f64) -> String {
    let code = (place.clamp(0.0, 1.0) * CODE_MAX).round() as usize;
    let digit = |n: usize| char::from(DIGITS.as_bytes()[n]);
    [digit(code / 90), digit(code % 90)].iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_digits_hold_a_place() {
        assert_eq!(DIGITS.len(), 90);
        assert_eq!((code(0.0), code(1.0)), ("##".into(), "~~".into()));
        assert_eq!(code(0.5), "Q#");
    }
}
