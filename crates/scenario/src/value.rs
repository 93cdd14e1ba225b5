//! The TOML document as this crate sees it: values with their places, in the order of the file.

use crate::error::{Place, ScenarioError, short};
use crate::source::Source;
use crate::with_unit;
use std::ops::Range;
use std::sync::Arc;
use toml::de::{DeTable, DeValue};

/// The most parts of a dotted key: the deepest is `workload.group.0.message_bytes.min`.
const SEGMENTS_MAX: usize = 8;

#[derive(Debug, Clone)]
pub(crate) struct Value {
    pub(crate) kind: Kind,
    pub(crate) origin: Place,
}

#[derive(Debug, Clone)]
pub(crate) enum Kind {
    Text(String),
    Integer(i128),
    /// An integer of more than 128 bits, as written.
    Huge(String),
    Float(f64),
    Flag(bool),
    Moment(String),
    Array(Vec<Value>),
    Table(Table),
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    pub(crate) entries: Vec<Entry>,
}

#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) key_origin: Place,
    pub(crate) value: Value,
}

impl Table {
    pub(crate) fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }
}

impl Value {
    pub(crate) fn type_name(&self) -> &'static str {
        match self.kind {
            Kind::Text(_) => "a string",
            Kind::Integer(_) | Kind::Huge(_) => "an integer",
            Kind::Float(_) => "a decimal number",
            Kind::Flag(_) => "a boolean",
            Kind::Moment(_) => "a date or time",
            Kind::Array(_) => "a list",
            Kind::Table(_) => "a table",
        }
    }

    pub(crate) fn show(&self) -> String {
        match &self.kind {
            Kind::Text(text) => format!("\"{}\"", text.escape_debug()),
            Kind::Integer(number) => number.to_string(),
            Kind::Huge(text) | Kind::Moment(text) => text.clone(),
            // a long row of zeros is unreadable
            Kind::Float(number) if (1e-9..1e18).contains(&number.abs()) => format!("{number}"),
            Kind::Float(number) if number.is_finite() && *number != 0.0 => format!("{number:e}"),
            Kind::Float(number) => format!("{number}"),
            Kind::Flag(flag) => flag.to_string(),
            Kind::Array(values) => {
                let items: Vec<String> = values.iter().map(Value::show).collect();
                format!("[{}]", items.join(", "))
            }
            Kind::Table(table) => {
                let items: Vec<String> = table
                    .entries
                    .iter()
                    .map(|e| format!("{} = {}", e.key, e.value.show()))
                    .collect();
                format!("{{ {} }}", items.join(", "))
            }
        }
    }

    fn convert(value: &DeValue<'_>, origin: Place, place: &dyn Fn(Range<usize>) -> Place) -> Value {
        let kind = match value {
            DeValue::String(text) => Kind::Text(text.to_string()),
            DeValue::Integer(number) => {
                match i128::from_str_radix(number.as_str(), number.radix()) {
                    Ok(number) => Kind::Integer(number),
                    Err(_) => Kind::Huge(number.to_string()),
                }
            }
            // A decimal beyond the range of f64 parses to an infinity, which every key refuses.
            DeValue::Float(number) => Kind::Float(number.as_str().parse().unwrap_or(f64::NAN)),
            DeValue::Boolean(flag) => Kind::Flag(*flag),
            DeValue::Datetime(moment) => Kind::Moment(moment.to_string()),
            DeValue::Array(items) => Kind::Array(
                items
                    .iter()
                    .map(|item| Value::convert(item.get_ref(), place(item.span()), place))
                    .collect(),
            ),
            DeValue::Table(table) => Kind::Table(Table::convert(table, place)),
        };
        Value { kind, origin }
    }

    /// The value of a `--set`: TOML where it is TOML, else a string.
    pub(crate) fn from_set(key: &str, text: &str) -> Value {
        let origin = Place::Set { key: key.into(), value: text.into() };
        match DeValue::parse(text) {
            Ok(value) => Value::convert(value.get_ref(), origin.clone(), &|_| origin.clone()),
            Err(_) => Value { kind: Kind::Text(text.to_owned()), origin },
        }
    }

    /// The values of a list, or the one value.
    pub(crate) fn items(&self) -> &[Value] {
        match &self.kind {
            Kind::Array(items) => items,
            _ => std::slice::from_ref(self),
        }
    }
}

impl Table {
    fn convert(table: &DeTable<'_>, place: &dyn Fn(Range<usize>) -> Place) -> Table {
        let mut entries: Vec<(usize, Entry)> = table
            .iter()
            .map(|(key, value)| {
                let entry = Entry {
                    key: key.get_ref().to_string(),
                    key_origin: place(key.span()),
                    value: Value::convert(value.get_ref(), place(value.span()), place),
                };
                (key.span().start, entry)
            })
            .collect();
        // The parser sorts by name; the order of the axes of a study is that of the file.
        entries.sort_by_key(|(start, _)| *start);
        Table { entries: entries.into_iter().map(|(_, entry)| entry).collect() }
    }

    pub(crate) fn parse(source: &Arc<Source>) -> Result<Table, ScenarioError> {
        match DeTable::parse(&source.text) {
            Ok(table) => Ok(Table::convert(table.get_ref(), &|bytes| Place::file(source, bytes))),
            Err(error) => {
                let span = error.span().unwrap_or(0..0);
                let place = Place::file(source, span.clone());
                let general = match error.message() {
                    "duplicate key" => "write each section and each key once",
                    message if message.contains("recurs") => "nest less deeply",
                    _ => "write the file as TOML: [section] and key = value lines",
                };
                let help = with_unit::bare(source, span).unwrap_or_else(|| general.to_owned());
                let what = format!("not TOML: {}", error.message());
                Err(ScenarioError::new(&place, "", what, help))
            }
        }
    }

    pub(crate) fn remove(&mut self, path: &str) {
        match path.split_once('.') {
            None => self.entries.retain(|entry| entry.key != path),
            Some((section, rest)) => {
                for entry in self.entries.iter_mut().filter(|entry| entry.key == section) {
                    if let Kind::Table(inner) = &mut entry.value.kind {
                        inner.remove(rest);
                    }
                }
            }
        }
    }

    /// Puts `value` at `path`, over what is there; tables are made on the way. A number names an
    /// element of a list.
    pub(crate) fn overlay(&mut self, path: &str, value: Value) -> Result<(), ScenarioError> {
        let segments: Vec<&str> = path.split('.').collect();
        let place = value.origin.clone();
        let put = if segments.len() > SEGMENTS_MAX {
            Err(format!("a key of {} parts", segments.len()))
        } else if segments.iter().any(|segment| segment.is_empty()) {
            Err("a key with an empty part".to_owned())
        } else {
            self.put(&segments, value)
        };
        put.map_err(|what| {
            let help = if what.starts_with("there is no list") && path.starts_with("faults.") {
                "write [[faults.event]] in the file; faults.event.0.at_ns is then the time of the first"
            } else if what.starts_with("there is no list") {
                "write [[workload.group]] in the file; workload.group.0.load is then the load of the first"
            } else if what.ends_with("names none of them") {
                "an element of a list is named by its number, from 0"
            } else {
                "name a key as section.key, such as switch.scheme"
            };
            ScenarioError::new(&place, path, what, help)
        })
    }

    fn put(&mut self, segments: &[&str], value: Value) -> Result<(), String> {
        let [name, rest @ ..] = segments else {
            return Ok(());
        };
        let place = value.origin.clone();
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.key == *name) {
            if rest.is_empty() {
                // The place of the key becomes that of the value.
                entry.key_origin = place;
            }
            return entry.value.put(name, rest, value);
        }
        if rest.first().is_some_and(|next| next.parse::<usize>().is_ok()) {
            return Err(format!("there is no list `{}`", short(name)));
        }
        let value = if rest.is_empty() {
            value
        } else {
            let mut inner = Table::default();
            inner.put(rest, value)?;
            Value { kind: Kind::Table(inner), origin: place.clone() }
        };
        self.entries.push(Entry { key: (*name).to_owned(), key_origin: place, value });
        Ok(())
    }
}

impl Value {
    fn put(&mut self, name: &str, segments: &[&str], value: Value) -> Result<(), String> {
        let [next, rest @ ..] = segments else {
            *self = value;
            return Ok(());
        };
        match &mut self.kind {
            Kind::Table(table) => table.put(segments, value),
            Kind::Array(items) => {
                let count = items.len();
                let item = next.parse().ok().and_then(|index: usize| items.get_mut(index));
                let none = || {
                    format!("`{name}` is a list of {count}; `{}` names none of them", short(next))
                };
                item.ok_or_else(none)?.put(next, rest, value)
            }
            _ => Err(format!("`{}` is no section", short(name))),
        }
    }
}
