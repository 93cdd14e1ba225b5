//! The text of a condition: tokens, and what binds how tightly.

use super::{Fault, Item, Node, What};
use crate::error::short;
use crate::plain::nearest;
use crate::study::reader::Axis;
use num_rational::Ratio;
use std::ops::Range;

pub(super) const HELP: &str = "legal: comparisons (== != < <= > >=) of keys of axes, numbers and \
     \"texts\", with + - * / and parentheses, joined by && || !";

/// Operators between two parts, and how tightly they bind.
const OPERATORS: [(&str, u8); 12] = [
    ("||", 1),
    ("&&", 2),
    ("==", COMPARES),
    ("!=", COMPARES),
    ("<=", COMPARES),
    (">=", COMPARES),
    ("<", COMPARES),
    (">", COMPARES),
    ("+", 4),
    ("-", 4),
    ("*", 5),
    ("/", 5),
];
const COMPARES: u8 = 3;
/// How tightly a sign and `!` bind.
const SIGN: u8 = 6;

/// Parentheses, signs and `!` within each other, at most.
const DEPTH_MAX: usize = 64;

pub(super) fn parse(text: &str, axes: &[Axis]) -> Result<Node, Fault> {
    let mut parser = Parser { text, axes, at: 0, depth: 0 };
    let node = parser.part(0)?;
    parser.skip_blanks();
    if parser.at < text.len() {
        return Err(parser.unexpected("an operator or the end"));
    }
    parser.expect(&node, true, "the whole")?;
    Ok(node)
}

struct Parser<'a> {
    text: &'a str,
    axes: &'a [Axis],
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn fault(&self, span: Range<usize>, what: String, help: impl Into<String>) -> Fault {
        Fault { span, what, help: help.into() }
    }

    /// Reports what is here where something else should be.
    fn unexpected(&self, wanted: &str) -> Fault {
        let rest = self.rest();
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let word = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let first = rest.chars().next();
        let length = word.max(first.map_or(0, char::len_utf8));
        let given = &rest[..length];
        let what = match first {
            None => format!("it ends where {wanted} should be"),
            Some(_) => format!("{wanted} should be in the place of `{}`", short(given)),
        };
        let meant = match given {
            "and" => "write `&&`; ",
            "or" => "write `||`; ",
            "not" => "write `!`; ",
            "=" => "write `==`; ",
            _ => "",
        };
        self.fault(self.at..self.at + length, what, format!("{meant}{HELP}"))
    }

    /// A part and all that binds more tightly than `least`.
    fn part(&mut self, least: u8) -> Result<Node, Fault> {
        let mut left = self.first()?;
        let mut is_compared = false;
        loop {
            self.skip_blanks();
            let is_here = |op: &&(&str, u8)| self.rest().starts_with(op.0);
            let Some(&(op, tight)) = OPERATORS.iter().find(is_here) else {
                return Ok(left);
            };
            if tight <= least {
                return Ok(left);
            }
            let place = self.at..self.at + op.len();
            self.at = place.end;
            let right = self.part(tight)?;
            if tight == COMPARES && is_compared {
                let help = "legal: `1 < a && a < 3`";
                return Err(self.fault(place, "a comparison of a comparison".into(), help));
            }
            is_compared = tight == COMPARES;
            match op {
                "&&" | "||" => {
                    self.expect(&left, true, op)?;
                    self.expect(&right, true, op)?;
                }
                "==" | "!=" if is_condition(&left, self.axes) => self.expect(&right, true, op)?,
                _ => {
                    self.expect(&left, false, op)?;
                    self.expect(&right, false, op)?;
                }
            }
            if matches!(op, "==" | "!=") {
                self.is_on_axis(&left, &right)?;
                self.is_on_axis(&right, &left)?;
            }
            left = Node {
                span: left.span.start..right.span.end,
                what: What::Pair(op, Box::new((left, right))),
            };
        }
    }

    /// A literal, a key, something in parentheses, or one of these behind a sign or `!`.
    fn first(&mut self) -> Result<Node, Fault> {
        self.skip_blanks();
        let (start, rest) = (self.at, self.rest());
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            let what = "too many parts within each other".into();
            return Err(self.fault(start..start, what, format!("legal: up to {DEPTH_MAX}")));
        }
        let node = match rest.chars().next() {
            Some('(') => {
                self.at += 1;
                let inner = self.part(0)?;
                self.skip_blanks();
                if !self.rest().starts_with(')') {
                    return Err(self.unexpected("an operator or `)`"));
                }
                self.at += 1;
                inner
            }
            Some(sign @ ('!' | '-')) => {
                self.at += 1;
                let of = self.part(SIGN)?;
                self.expect(&of, sign == '!', &rest[..1])?;
                // `!a` is `false == a`, `-a` is `0 - a`
                let (op, with) = match sign {
                    '!' => ("==", Item::Truth(false)),
                    _ => ("-", Item::Number(0.into())),
                };
                let with = Node { span: start..start, what: What::Literal(with) };
                let span = start..of.span.end;
                Node { span, what: What::Pair(op, Box::new((with, of))) }
            }
            Some(quote @ ('"' | '\'')) => {
                let Some(length) = rest[1..].find(quote) else {
                    let what = "a text that does not end".into();
                    return Err(self.fault(start..self.text.len(), what, HELP));
                };
                self.literal(length + 2, Item::Text(rest[1..=length].into()))
            }
            Some(c) if c.is_ascii_digit() => {
                let is_of = |c: char| c.is_alphanumeric() || "._".contains(c);
                let length = rest.find(|c| !is_of(c)).unwrap_or(rest.len());
                match number(&rest[..length]) {
                    Some(number) => self.literal(length, Item::Number(number)),
                    None => {
                        let what = format!("`{}` is no number", short(&rest[..length]));
                        let help = "legal: numbers such as 8, 1.5 or 3/2, of at most 18 digits";
                        return Err(self.fault(start..start + length, what, help));
                    }
                }
            }
            Some(c) if c.is_alphabetic() => self.word()?,
            _ => return Err(self.unexpected("a key, a number or a \"text\"")),
        };
        self.depth -= 1;
        Ok(node)
    }

    fn literal(&mut self, length: usize, item: Item) -> Node {
        let span = self.at..self.at + length;
        self.at = span.end;
        Node { span, what: What::Literal(item) }
    }

    /// A key of an axis, `true` or `false`.
    fn word(&mut self) -> Result<Node, Fault> {
        let rest = self.rest();
        let ends = |rest: &str| {
            let next = rest.chars().next();
            !next.is_some_and(|c| c.is_alphanumeric() || "._".contains(c))
        };
        let keys = self.axes.iter().enumerate().flat_map(|(n, axis)| {
            let keys = axis.keys.iter().enumerate();
            keys.map(move |(k, key)| (n, k, key.path.as_str()))
        });
        // keys of windows may hold a minus: the longest one counts
        let here = keys.clone().filter(|(_, _, path)| rest.strip_prefix(path).is_some_and(ends));
        if let Some((axis, key, path)) = here.max_by_key(|(_, _, path)| path.len()) {
            let span = self.at..self.at + path.len();
            self.at = span.end;
            return Ok(Node { span, what: What::Key(axis, key) });
        }
        let is_of = |c: char| c.is_alphanumeric() || "._".contains(c);
        let length = rest.find(|c| !is_of(c)).unwrap_or(rest.len());
        let word = &rest[..length];
        if let Ok(truth) = word.parse() {
            return Ok(self.literal(length, Item::Truth(truth)));
        }
        if ["and", "or", "not"].contains(&word) {
            return Err(self.unexpected("a key, a number or a \"text\""));
        }
        let names: Vec<&str> = keys.map(|key| key.2).collect();
        let near = nearest(word, names.iter().copied());
        let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
        let what = match crate::keys::find(word) {
            Some(_) => format!("`{word}` does not vary"),
            None => format!("unknown key `{}`", short(word)),
        };
        let help = format!("{near}axes: {}; texts stand in quotes", names.join(", "));
        Err(self.fault(self.at..self.at + length, what, help))
    }

    fn expect(&self, node: &Node, condition: bool, whose: &str) -> Result<(), Fault> {
        if is_condition(node, self.axes) == condition {
            return Ok(());
        }
        let what = match condition {
            true => format!("`{whose}` takes conditions, and this is a value"),
            false => format!("`{whose}` takes values, and this is a condition"),
        };
        let what = what.replace("`the whole` takes conditions", "it must be a condition");
        Err(self.fault(node.span.clone(), what, HELP))
    }

    /// A text that a key is compared with is a value of its axis, or the comparison would be the
    /// same everywhere.
    fn is_on_axis(&self, key: &Node, text: &Node) -> Result<(), Fault> {
        let (What::Key(axis, key), What::Literal(Item::Text(given))) = (&key.what, &text.what)
        else {
            return Ok(());
        };
        let choices = self.axes[*axis].keys[*key].choices.iter();
        let values: Vec<String> = choices.map(|choice| choice.plain.label()).collect();
        if values.contains(given) {
            return Ok(());
        }
        let what = format!("\"{}\" is not on the axis", short(given));
        let values: Vec<String> = values.iter().take(20).map(|value| short(value)).collect();
        let help = format!("values of the axis: {}", values.join(", "));
        Err(self.fault(text.span.clone(), what, help))
    }
}

/// Whether it is true or false, and not a number or a text.
fn is_condition(node: &Node, axes: &[Axis]) -> bool {
    match &node.what {
        What::Literal(item) => matches!(item, Item::Truth(_)),
        What::Key(axis, key) => {
            let choices = &axes[*axis].keys[*key].choices;
            choices.iter().all(|c| matches!(Item::of(&c.plain), Item::Truth(_)))
        }
        What::Pair(op, _) => !["+", "-", "*", "/"].contains(op),
    }
}

fn number(text: &str) -> Option<Ratio<i128>> {
    let text = text.replace('_', "");
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, "0"));
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !is_digits(whole) || !is_digits(fraction) || whole.len() + fraction.len() > 19 {
        return None;
    }
    let places = u32::try_from(fraction.len()).ok()?;
    let digits: i128 = format!("{whole}{fraction}").parse().ok()?;
    Some(Ratio::new(digits, 10i128.pow(places)))
}
