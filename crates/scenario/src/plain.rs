//! A value of the type that its key asks for, and how it is read and written.

use crate::error::{ScenarioError, short};
use crate::keys::{Fallback, Kind, rate_bounds};
use crate::node_set::NodeSet;
use crate::value::{Kind as Toml, Value};
use crate::with_unit;
use std::ops::RangeInclusive;
use topology::DIMENSIONS_MAX;
use units::{Ratio, RatioError};
use workload::{MESSAGE_BYTES_MAX, MessageBytes};

/// A number of so many digits, or a fraction of two such numbers, is held exactly.
const DIGITS_MAX: u32 = 18;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Plain {
    Integer(u64),
    /// `None` is 0.
    Ratio(Option<Ratio>),
    /// Start and end; `None` is 0.
    Span([Option<Ratio>; 2]),
    Word(String),
    Flag(bool),
    /// Nodes, the sizes of dimensions, or a switch and its port.
    Nodes(Vec<u64>),
    NodeSet(NodeSet),
    Sizes(MessageBytes),
}

/// Why a value was refused: what, and a better help than that of the kind.
struct Refusal {
    what: String,
    help: Option<String>,
}

impl<T: Into<String>> From<T> for Refusal {
    fn from(what: T) -> Refusal {
        Refusal { what: what.into(), help: None }
    }
}

/// Reads `value` as the key `path` of kind `kind` asks for.
pub(crate) fn read(path: &str, kind: Kind, value: &Value) -> Result<Plain, ScenarioError> {
    read_kind(kind, value).map_err(|refusal| {
        let help = refusal.help.unwrap_or_else(|| format!("legal: {}", kind.legal()));
        let spelling = match &value.kind {
            Toml::Text(text) | Toml::Huge(text) => {
                with_unit::spelling(path, text).map(|spelling| (short(text), spelling))
            }
            _ => None,
        };
        let help = match spelling {
            Some((given, spelling)) => format!("{given} is {spelling}; {help}"),
            None => help,
        };
        ScenarioError::new(&value.origin, path, refusal.what, help)
    })
}

fn expected(what: &str, value: &Value) -> Refusal {
    format!("expected {what}, found {} {}", value.type_name(), short(&value.show())).into()
}

fn read_kind(kind: Kind, value: &Value) -> Result<Plain, Refusal> {
    let any = 0..=u64::from(u32::MAX);
    match (kind, &value.kind) {
        (Kind::Integer { word, .. }, Toml::Text(text)) if !word.is_empty() && text == word => {
            Ok(Plain::Word(text.clone()))
        }
        (Kind::Integer { min, max, .. }, _) => integer(value, &(min..=max)).map(Plain::Integer),
        (Kind::Ratio | Kind::Part, _) => match number(kind, value)? {
            None => Err("0 is not above 0".into()),
            ratio => Ok(Plain::Ratio(ratio)),
        },
        (Kind::Rate, _) => {
            let min = rate_bounds().0;
            match number(kind, value)? {
                Some(rate) if rate >= min => Ok(Plain::Ratio(Some(rate))),
                _ => Err(format!("{} is below {}", short(&value.show()), min.to_f64()).into()),
            }
        }
        (Kind::Ns | Kind::Share, _) => number(kind, value).map(Plain::Ratio),
        (Kind::Span, Toml::Array(items)) => match items.as_slice() {
            [start, end] => Ok(Plain::Span([number(kind, start)?, number(kind, end)?])),
            _ => Err(format!("expected 2 numbers, found {}", items.len()).into()),
        },
        (Kind::Span, _) => Err(expected("a list of 2 numbers", value)),
        (Kind::Flag, Toml::Flag(flag)) => Ok(Plain::Flag(*flag)),
        (Kind::Flag, _) => Err(expected("true or false", value)),
        (Kind::Word(legal), Toml::Text(text)) => word(text, legal).map(Plain::Word),
        (Kind::Arbiter, Toml::Text(text)) => match text.parse::<crossbar::ArbiterKind>() {
            Ok(kind) => Ok(Plain::Word(kind.to_string())),
            Err(_) => word(text, crossbar::ArbiterKind::NAMES)
                .map(Plain::Word)
                .map_err(|refusal| refusal.what.into()),
        },
        (Kind::Text, Toml::Text(text)) if text.trim().is_empty() => Err("an empty string".into()),
        (Kind::Text, Toml::Text(text)) => Ok(Plain::Word(text.clone())),
        (Kind::Word(_) | Kind::Arbiter | Kind::Text, _) => Err(expected("a string", value)),
        (Kind::Sources | Kind::Nodes, Toml::Text(text)) => {
            Ok(NodeSet::read(text).map(Plain::NodeSet)?)
        }
        (Kind::Sources | Kind::Nodes, Toml::Array(_)) => integers(value, &any).map(Plain::Nodes),
        (Kind::Nodes, _) => integer(value, &any).map(|node| Plain::Nodes(vec![node])),
        (Kind::Dimensions, Toml::Array(items)) if items.len() > DIMENSIONS_MAX => {
            Err(format!("{} dimensions are above {DIMENSIONS_MAX}", items.len()).into())
        }
        (Kind::Dimensions, Toml::Array(_)) => {
            integers(value, &(2..=topology::NODES_MAX.into())).map(Plain::Nodes)
        }
        (Kind::Dimensions, _) => Err(expected("a list of integers", value)),
        (Kind::Link, Toml::Array(items)) if items.len() != 2 => {
            Err(format!("expected 2 integers, found {}", items.len()).into())
        }
        (Kind::Link, Toml::Array(_)) => integers(value, &any).map(Plain::Nodes),
        (Kind::Link, _) => Err(expected("a list of 2 integers", value)),
        (Kind::Sources, _) => integer(value, &(1..=u64::from(u32::MAX))).map(Plain::Integer),
        (Kind::Sizes, _) => sizes(value).map(Plain::Sizes),
    }
}

/// What TOML takes for an integer and 128 bits do not hold: with a unit behind it, it is none.
fn huge(text: &str, max: u64) -> Refusal {
    let is_of_number = |c: char| c.is_ascii_digit() || "+-_".contains(c);
    let shown = short(text);
    match !text.chars().all(is_of_number) && !text.starts_with('0') {
        true => format!("{shown} is no number"),
        false if text.starts_with('-') => format!("{shown} is below 0"),
        false => format!("{shown} is above {max}"),
    }
    .into()
}

fn integer(value: &Value, legal: &RangeInclusive<u64>) -> Result<u64, Refusal> {
    let (min, max) = (legal.start(), legal.end());
    let given = match &value.kind {
        Toml::Integer(given) => *given,
        Toml::Huge(text) => return Err(huge(text, *max)),
        _ => return Err(expected("an integer", value)),
    };
    if given < i128::from(*min) {
        return Err(format!("{given} is below {min}").into());
    }
    match u64::try_from(given) {
        Ok(given) if given <= *max => Ok(given),
        _ => Err(format!("{} is above {max}", short(&given.to_string())).into()),
    }
}

fn integers(value: &Value, legal: &RangeInclusive<u64>) -> Result<Vec<u64>, Refusal> {
    match &value.kind {
        Toml::Array(items) if items.is_empty() => Err("an empty list".into()),
        _ => value.items().iter().map(|item| integer(item, legal)).collect(),
    }
}

/// A number from 0 to what the kind allows, exact: decimals as written, fractions as strings.
fn number(kind: Kind, value: &Value) -> Result<Option<Ratio>, Refusal> {
    let most = match kind {
        Kind::Share | Kind::Part => Some(Ratio::ONE),
        Kind::Rate => Some(rate_bounds().1),
        _ => None,
    };
    let above = |max: Ratio| format!("{} is above {max}", short(&value.show())).into();
    let read = match &value.kind {
        Toml::Integer(0) => return Ok(None),
        Toml::Integer(given) if *given < 0 => return Err(format!("{given} is below 0").into()),
        Toml::Integer(given) => given.to_string().parse(),
        Toml::Huge(text) => text.replace(['_', '+'], "").parse(),
        Toml::Float(given) if *given == 0.0 => return Ok(None),
        Toml::Float(given) if given.is_nan() => return Err("nan is no number".into()),
        Toml::Float(given) if given.is_infinite() => {
            return Err(format!("{given} is not finite").into());
        }
        Toml::Float(given) if *given < 0.0 => return Err(format!("{given} is below 0").into()),
        Toml::Float(given) => Ratio::try_from(*given),
        Toml::Text(text) if text.trim() == "0" => return Ok(None),
        Toml::Text(text) => text.trim().parse(),
        _ => return Err(expected("a number", value)),
    };
    let shown = short(&value.show());
    match (read, most) {
        (Ok(ratio), Some(max)) if ratio > max => Err(above(max)),
        (Ok(ratio), _) => Ok(Some(ratio)),
        (Err(RatioError::TooLong { .. }), most) => match (about(value), most) {
            (about, Some(max)) if about > max.to_f64() => Err(above(max)),
            (about, _) => Err(Refusal {
                what: match about {
                    1e18.. => format!("{shown} is too large"),
                    1e-18.. => format!("{shown} has too many digits"),
                    _ => format!("{shown} is too small"),
                },
                help: Some(format!(
                    "legal: {}; of at most {DIGITS_MAX} digits, those behind the point included",
                    kind.legal()
                )),
            }),
        },
        (Err(RatioError::NotPositive { given }), _) if given.contains('/') => {
            Err(format!("{shown} is no fraction of two numbers above 0").into())
        }
        (Err(RatioError::NotPositive { .. }), _) => Err(format!("{shown} is not above 0").into()),
        (Err(RatioError::Syntax { .. }), _) => Err(format!("{shown} is no number").into()),
    }
}

fn about(value: &Value) -> f64 {
    let number = |text: &str| text.trim().parse().unwrap_or(f64::INFINITY);
    match &value.kind {
        Toml::Float(given) => *given,
        Toml::Huge(text) => number(&text.replace('_', "")),
        Toml::Integer(given) => *given as f64,
        Toml::Text(text) => match text.split_once('/') {
            Some((over, under)) => number(over) / number(under),
            None => number(text),
        },
        _ => f64::INFINITY,
    }
}

/// The nearest of `words`, where one is near.
pub(crate) fn nearest<'a>(text: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given: String = text.chars().take(64).collect::<String>().to_lowercase();
    words
        .into_iter()
        .map(|word| (strsim::jaro_winkler(&given, word), word))
        .filter(|(likeness, _)| *likeness >= 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, word)| word)
}

fn word(text: &str, legal: &'static [&'static str]) -> Result<String, Refusal> {
    if legal.contains(&text) {
        return Ok(text.to_owned());
    }
    let near = nearest(text, legal.iter().copied());
    let near = near.map_or(String::new(), |word| format!("did you mean \"{word}\"? "));
    Err(Refusal {
        what: format!("unknown value {}", short(&format!("\"{}\"", text.escape_debug()))),
        help: Some(format!("{near}legal: {}", legal.join(", "))),
    })
}

fn sizes(value: &Value) -> Result<MessageBytes, Refusal> {
    let most = u64::from(MESSAGE_BYTES_MAX);
    let small = |number: u64| u32::try_from(number).unwrap_or(MESSAGE_BYTES_MAX);
    let bytes = |value: &Value| integer(value, &(1..=most)).map(small);
    let list = |value: &Value, min: u64| match &value.kind {
        Toml::Array(items) => items
            .iter()
            .map(|item| integer(item, &(min..=most)).map(small))
            .collect::<Result<Vec<u32>, Refusal>>(),
        _ => Err(expected("a list", value)),
    };
    let Toml::Table(table) = &value.kind else {
        return bytes(value).map(MessageBytes::Fixed);
    };
    let pair = |a: &str, b: &str| match (table.get(a), table.get(b), table.entries.len()) {
        (Some(a), Some(b), 2) => Some((&a.value, &b.value)),
        _ => None,
    };
    if let Some((min, max)) = pair("min", "max") {
        let (min, max) = (bytes(min)?, bytes(max)?);
        if min > max {
            return Err(format!("min {min} is above max {max}").into());
        }
        return Ok(MessageBytes::Uniform { min, max });
    }
    if let Some((lengths, weights)) = pair("bytes", "weights") {
        let (lengths, weights) = (list(lengths, 1)?, list(weights, 0)?);
        if lengths.is_empty() || lengths.len() != weights.len() {
            let (lengths, weights) = (lengths.len(), weights.len());
            return Err(format!("{lengths} lengths with {weights} weights").into());
        }
        if weights.iter().all(|&weight| weight == 0) {
            return Err("all weights are 0".into());
        }
        return Ok(MessageBytes::Weighted(lengths.into_iter().zip(weights).collect()));
    }
    Err(format!("{} says no lengths", short(&value.show())).into())
}

/// A ratio as TOML: an integer, a decimal where it is short and exact, else a fraction as a string.
fn ratio_toml(ratio: Ratio) -> String {
    let decimal = format!("{}", ratio.to_f64());
    let exact = decimal.len() <= 16 && decimal.parse() == Ok(ratio);
    match (ratio.den(), exact) {
        (1, _) if i64::try_from(ratio.num()).is_ok() => ratio.num().to_string(),
        (den, true) if den > 1 => decimal,
        _ => format!("\"{ratio}\""),
    }
}

fn time_toml(ratio: Option<Ratio>) -> String {
    ratio.map_or("0".to_owned(), ratio_toml)
}

impl From<&str> for Plain {
    fn from(word: &str) -> Plain {
        Plain::Word(word.to_owned())
    }
}

impl From<u64> for Plain {
    fn from(number: u64) -> Plain {
        Plain::Integer(number)
    }
}

impl From<Option<Ratio>> for Plain {
    fn from(ratio: Option<Ratio>) -> Plain {
        Plain::Ratio(ratio)
    }
}

impl Plain {
    /// That of a default; `None` where it follows from other keys.
    pub(crate) fn of_fallback(fallback: Fallback) -> Option<Plain> {
        Some(match fallback {
            Fallback::Required | Fallback::Unset(_) | Fallback::Rule(_) => return None,
            Fallback::Integer(number) => Plain::Integer(number),
            Fallback::Ratio(num, den) => Plain::Ratio(Ratio::new(num, den).ok()),
            Fallback::Ns(number) => Plain::Ratio(Ratio::new(number, 1).ok()),
            Fallback::Word(word) => Plain::Word(word.to_owned()),
            Fallback::Flag(flag) => Plain::Flag(flag),
        })
    }

    pub(crate) fn number(&self) -> Option<num_rational::Ratio<i128>> {
        match self {
            Plain::Integer(number) => Some(i128::from(*number).into()),
            Plain::Ratio(None) => Some(0.into()),
            Plain::Ratio(Some(of)) => {
                Some(num_rational::Ratio::new(of.num().into(), of.den().into()))
            }
            _ => None,
        }
    }

    pub(crate) fn toml(&self) -> String {
        match self {
            Plain::Integer(number) => number.to_string(),
            Plain::Ratio(ratio) => time_toml(*ratio),
            Plain::Span(span) => format!("[{}]", span.map(time_toml).join(", ")),
            Plain::Word(text) => toml::Value::from(text.as_str()).to_string(),
            Plain::Flag(flag) => flag.to_string(),
            Plain::Nodes(list) => format!("{list:?}"),
            Plain::NodeSet(set) => toml::Value::from(set.text()).to_string(),
            Plain::Sizes(MessageBytes::Fixed(bytes)) => bytes.to_string(),
            Plain::Sizes(MessageBytes::Uniform { min, max }) => {
                format!("{{ min = {min}, max = {max} }}")
            }
            Plain::Sizes(MessageBytes::Weighted(list)) => {
                let (lengths, weights): (Vec<u32>, Vec<u32>) = list.iter().copied().unzip();
                format!("{{ bytes = {lengths:?}, weights = {weights:?} }}")
            }
        }
    }

    /// The value as a label of a point: text without quotes, else as TOML.
    pub(crate) fn label(&self) -> String {
        match self {
            // a list of links may be one: a label is a line
            Plain::Word(text) if text.chars().any(char::is_control) => {
                text.escape_debug().to_string()
            }
            Plain::Word(text) => text.clone(),
            Plain::NodeSet(set) => set.text().to_owned(),
            Plain::Ratio(Some(ratio)) => ratio_toml(*ratio).trim_matches('"').to_owned(),
            other => other.toml(),
        }
    }
}
