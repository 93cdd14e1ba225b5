//! `study.where`: a condition on the keys of axes that each point fulfils, such as
//! `recn.xoff_packets > recn.xon_packets && switch.speedup <= 3/2`.
//!
//! Numbers are exact. At a point where a key does not vary, a comparison with it is undecided, and
//! the rest decides: the point is left out only if that is false whatever the key would be.

mod parse;

use super::reader::{Axis, Reader};
use crate::error::{Place, ScenarioError, short};
use crate::plain::Plain;
use crate::value::{Kind as Toml, Table};
use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub};
use std::ops::Range;

/// The most characters of a condition: what is made of it is walked on the stack.
const LENGTH_MAX: usize = 2_000;

pub(crate) struct Filter {
    text: String,
    place: Place,
    root: Node,
}

/// A part of a condition and the bytes of its text.
struct Node {
    span: Range<usize>,
    what: What,
}

enum What {
    Literal(Item),
    /// The key of this number of the axis of this number.
    Key(usize, usize),
    Pair(&'static str, Box<(Node, Node)>),
}

#[derive(Debug, Clone, PartialEq)]
enum Item {
    Truth(bool),
    Number(Ratio<i128>),
    Text(String),
}

/// What is wrong, where in the text, and what is legal.
struct Fault {
    span: Range<usize>,
    what: String,
    help: String,
}

impl Item {
    fn of(plain: &Plain) -> Item {
        match plain {
            Plain::Flag(flag) => Item::Truth(*flag),
            other => other.number().map_or_else(|| Item::Text(other.label()), Item::Number),
        }
    }

    fn show(&self) -> String {
        match self {
            Item::Truth(truth) => truth.to_string(),
            Item::Number(number) => number.to_string(),
            Item::Text(text) => format!("\"{}\"", short(text)),
        }
    }
}

impl Reader {
    pub(super) fn filter(&mut self, study: &Table, axes: &[Axis]) -> Option<Filter> {
        let value = &study.get("where")?.value;
        let origin = value.origin.clone();
        let Toml::Text(text) = &value.kind else {
            let what = format!("expected a string, found {}", value.type_name());
            self.refuse("study.where", what, parse::HELP, &origin);
            return None;
        };
        if text.len() > LENGTH_MAX {
            let what = format!("{} characters", text.len());
            let help = format!("legal: up to {LENGTH_MAX}; [[skip]] leaves out points too");
            self.refuse("study.where", what, help, &origin);
            return None;
        }
        match parse::parse(text, axes) {
            Ok(root) => Some(Filter { text: text.clone(), place: origin, root }),
            Err(fault) => {
                self.errors.push(|| fault.at(text, &origin));
                None
            }
        }
    }
}

impl Fault {
    /// At its place in the file where the text is there verbatim, else in the text.
    fn at(self, text: &str, origin: &Place) -> ScenarioError {
        let place = origin.inside(text, self.span.clone());
        let what = match place {
            Some(_) => self.what,
            None => {
                let before = &text[..self.span.start];
                let line = before.matches('\n').count() + 1;
                let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
                format!("line {line}, column {column} of the condition: {}", self.what)
            }
        };
        ScenarioError::new(place.as_ref().unwrap_or(origin), "study.where", what, self.help)
    }
}

impl Filter {
    /// Whether a point is one of the study, by the numbers of its choices on the axes.
    pub(crate) fn holds(&self, axes: &[Axis], at: &[Option<usize>]) -> Result<bool, ScenarioError> {
        match self.root.value(axes, at) {
            Ok(Some(Item::Truth(truth))) => Ok(truth),
            Ok(_) => Ok(true),
            Err(fault) => Err(fault.at(&self.text, &self.place)),
        }
    }

    pub(crate) fn place(&self) -> &Place {
        &self.place
    }
}

impl Node {
    /// Its value at a point; `None` where that depends on a key that does not vary there.
    fn value(&self, axes: &[Axis], at: &[Option<usize>]) -> Result<Option<Item>, Fault> {
        match &self.what {
            What::Literal(item) => Ok(Some(item.clone())),
            What::Key(axis, key) => {
                let choices = &axes[*axis].keys[*key].choices;
                Ok(at[*axis].map(|index| Item::of(&choices[index].plain)))
            }
            What::Pair(op @ ("&&" | "||"), sides) => {
                // false decides an "and", true an "or", whatever the other side is
                let decides = Some(Item::Truth(*op == "||"));
                let left = sides.0.value(axes, at)?;
                if left == decides {
                    return Ok(left);
                }
                let right = sides.1.value(axes, at)?;
                Ok(if right == decides || left.is_some() { right } else { None })
            }
            What::Pair(op, sides) => {
                let (left, right) = (sides.0.value(axes, at)?, sides.1.value(axes, at)?);
                let (Some(left), Some(right)) = (left, right) else {
                    return Ok(None);
                };
                match *op {
                    "==" => return Ok(Some(Item::Truth(left == right))),
                    "!=" => return Ok(Some(Item::Truth(left != right))),
                    _ => {}
                }
                let (a, b) = match (&left, &right) {
                    (Item::Number(a), Item::Number(b)) => (a, b),
                    (Item::Number(_), _) => return Err(sides.1.no_number(op, &right)),
                    _ => return Err(sides.0.no_number(op, &left)),
                };
                let number = match *op {
                    "<" => return Ok(Some(Item::Truth(a < b))),
                    "<=" => return Ok(Some(Item::Truth(a <= b))),
                    ">" => return Ok(Some(Item::Truth(a > b))),
                    ">=" => return Ok(Some(Item::Truth(a >= b))),
                    "+" => a.checked_add(b),
                    "-" => a.checked_sub(b),
                    "*" => a.checked_mul(b),
                    _ => a.checked_div(b),
                };
                let is_nought = *op == "/" && *b == 0.into();
                number.map(|number| Some(Item::Number(number))).ok_or_else(|| Fault {
                    span: self.span.clone(),
                    what: match is_nought {
                        true => format!("{a} / 0"),
                        false => format!("{a} {op} {b} needs more than 128 bits"),
                    },
                    help: "legal: what comes to a number at every point; `b != 0 && a / b > 1` \
                           looks at a / b only where b is not 0"
                        .into(),
                })
            }
        }
    }

    fn no_number(&self, op: &str, item: &Item) -> Fault {
        Fault {
            span: self.span.clone(),
            what: format!("{} is no number, which `{op}` takes", item.show()),
            help: format!("legal: numbers; {} compare texts", "`==` and `!=`"),
        }
    }
}
