//! The tables of a study file.

use super::Choice;
use crate::error::{Errors, Problem, ScenarioError, short};
use crate::keys::{self, GROUPS, Kind, STUDY_NAMES};
use crate::plain::{self, Plain, nearest};
use crate::scenario::Set;
use crate::source::Origin;
use crate::value::{Entry, Kind as Toml, Table, Value};
use units::Ratio;

/// The most values of one axis.
const VALUES_MAX: usize = 10_000;

const REPLICAS_MAX: u64 = 10_000;

/// A study file, read but not multiplied out.
pub(crate) struct Outline {
    pub(crate) name: String,
    pub(crate) scenario: (String, Origin),
    pub(crate) replicas: u32,
    pub(crate) set: Vec<Leaf>,
    pub(crate) axes: Vec<Axis>,
    pub(crate) only: Vec<Only>,
    pub(crate) skip: Vec<Vec<Condition>>,
}

/// A key and its value, as written.
#[derive(Debug, Clone)]
pub(crate) struct Leaf {
    pub(crate) path: String,
    pub(crate) origin: Origin,
    pub(crate) value: Value,
}

/// One key of an axis.
pub(crate) struct AxisKey {
    pub(crate) path: String,
    pub(crate) origin: Origin,
    pub(crate) choices: Vec<Choice>,
}

/// A factor of the product: one key, or the keys of a `[[zip]]`, all with as many choices.
pub(crate) struct Axis {
    pub(crate) keys: Vec<AxisKey>,
}

impl Axis {
    pub(crate) fn len(&self) -> usize {
        self.keys.first().map_or(0, |key| key.choices.len())
    }
}

/// The axis of this number has one of these values.
pub(crate) struct Condition {
    pub(crate) axis: usize,
    pub(crate) key: usize,
    pub(crate) values: Vec<Plain>,
}

/// Axes that vary only where all conditions hold.
pub(crate) struct Only {
    pub(crate) when: Vec<Condition>,
    pub(crate) axes: Vec<usize>,
}

/// Reads a study and gathers what is wrong with it.
struct Reader {
    errors: Vec<ScenarioError>,
}

impl Outline {
    pub(crate) fn read(table: &Table, root: &Origin, sets: &[Set]) -> Result<Outline, Errors> {
        let mut reader = Reader { errors: Vec::new() };
        for entry in &table.entries {
            if !STUDY_NAMES.contains(&entry.key.as_str()) {
                let near = nearest(&entry.key, STUDY_NAMES.iter().copied());
                reader.unknown("unknown section", "", &entry.key, near, STUDY_NAMES, &entry.key_origin);
            }
        }
        let (name, scenario, replicas) = reader.head(table, root);
        let set = reader.set(table);
        let axes = reader.axes(table, root, &set, sets);
        let only = reader.only(table, &axes);
        let skip = reader.skip(table, &axes);
        match (name, scenario) {
            (Some(name), Some(scenario)) if reader.errors.is_empty() => Ok(Outline {
                name,
                scenario,
                replicas,
                set,
                axes,
                only,
                skip,
            }),
            _ => Err(Errors::new(reader.errors)),
        }
    }
}

impl Reader {
    fn refuse(&mut self, key: &str, what: impl Into<String>, help: impl Into<String>, origin: &Origin) {
        let problem = Problem::new(what).key(short(key)).help(help);
        self.errors.push(problem.at(origin));
    }

    fn unknown(&mut self, what: &str, section: &str, path: &str, near: Option<&str>, legal: &[&str], origin: &Origin) {
        let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
        let place = if section.is_empty() { "sections of a study".to_owned() } else { format!("keys of {section}") };
        self.refuse(path, what, format!("{near}{place}: {}", legal.join(", ")), origin);
    }

    /// `[study]`: name, scenario, replicas.
    fn head(&mut self, table: &Table, root: &Origin) -> (Option<String>, Option<(String, Origin)>, u32) {
        const NAMES: &[&str] = &["name", "scenario", "replicas"];
        let none = (None, None, 1);
        let Some(entry) = table.get("study") else {
            self.refuse("study", "missing", "write [study] with name and scenario", root);
            return none;
        };
        let Some(inner) = self.table(entry, "study") else { return none };
        for entry in &inner.entries {
            if !NAMES.contains(&entry.key.as_str()) {
                let near = nearest(&entry.key, NAMES.iter().copied());
                let path = format!("study.{}", entry.key);
                self.unknown("unknown key", "[study]", &path, near, NAMES, &entry.key_origin);
            }
        }
        let name = self.text(inner, "name", &entry.key_origin).map(|(name, _)| name);
        let scenario = self.text(inner, "scenario", &entry.key_origin);
        let kind = Kind::Integer { min: 1, max: REPLICAS_MAX };
        let replicas = inner.get("replicas").map(|entry| plain::read("study.replicas", kind, &entry.value));
        let replicas = match replicas {
            Some(Ok(Plain::Integer(replicas))) => u32::try_from(replicas).unwrap_or(1),
            Some(Err(error)) => {
                self.errors.push(error);
                1
            }
            _ => 1,
        };
        (name, scenario, replicas)
    }

    fn text(&mut self, table: &Table, key: &str, section: &Origin) -> Option<(String, Origin)> {
        let path = format!("study.{key}");
        let Some(entry) = table.get(key) else {
            self.refuse(&path, "missing", format!("legal: {}", Kind::Text.legal()), section);
            return None;
        };
        match plain::read(&path, Kind::Text, &entry.value) {
            Ok(Plain::Word(text)) => Some((text, entry.value.origin.clone())),
            Ok(_) => None,
            Err(error) => {
                self.errors.push(error);
                None
            }
        }
    }

    fn table<'a>(&mut self, entry: &'a Entry, path: &str) -> Option<&'a Table> {
        match &entry.value.kind {
            Toml::Table(table) => Some(table),
            _ => {
                let what = format!("expected a table, found {}", entry.value.type_name());
                self.refuse(path, what, format!("write [{path}] and its keys below"), &entry.value.origin);
                None
            }
        }
    }

    /// The tables of `[[name]]`.
    fn tables<'a>(&mut self, table: &'a Table, name: &str) -> Vec<(&'a Table, &'a Origin)> {
        let Some(entry) = table.get(name) else { return Vec::new() };
        let items: &[Value] = match &entry.value.kind {
            Toml::Array(items) => items,
            _ => std::slice::from_ref(&entry.value),
        };
        let mut tables = Vec::new();
        for item in items {
            match (&item.kind, &entry.value.kind) {
                (Toml::Table(inner), Toml::Array(_)) => tables.push((inner, &item.origin)),
                _ => {
                    let what = format!("expected [[{name}]], found {}", item.type_name());
                    self.refuse(name, what, format!("write [[{name}]] with two brackets"), &item.origin);
                }
            }
        }
        tables
    }

    /// Keys of a scenario, written `"switch.scheme" = ...` or in tables, each checked against the table of keys.
    fn leaves(&mut self, table: &Table, prefix: &str) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        for entry in &table.entries {
            let path = crate::settings::join(prefix, &entry.key);
            let inner = keys::is_section(&path) || path == GROUPS || path.strip_prefix(GROUPS).is_some_and(|rest| rest.starts_with('.'));
            match &entry.value.kind {
                _ if keys::find(&path).is_some() => leaves.push(Leaf {
                    path,
                    origin: entry.key_origin.clone(),
                    value: entry.value.clone(),
                }),
                Toml::Table(table) if inner => leaves.extend(self.leaves(table, &path)),
                _ => {
                    let section = path.rsplit_once('.').map_or("", |(section, _)| section);
                    let name = path.rsplit('.').next().unwrap_or(&path);
                    let mut error = crate::settings::unknown(section, &path, name, &entry.key_origin);
                    error.message = "unknown key".to_owned();
                    self.errors.push(error);
                }
            }
        }
        leaves
    }

    fn set(&mut self, table: &Table) -> Vec<Leaf> {
        let Some(entry) = table.get("set") else { return Vec::new() };
        let Some(inner) = self.table(entry, "set") else { return Vec::new() };
        self.leaves(inner, "")
    }

    fn axes(&mut self, table: &Table, root: &Origin, set: &[Leaf], sets: &[Set]) -> Vec<Axis> {
        let mut axes: Vec<Axis> = Vec::new();
        if let Some(inner) = table.get("axes").and_then(|entry| self.table(entry, "axes")) {
            for leaf in self.leaves(inner, "") {
                axes.extend(self.axis_key(&leaf).map(|key| Axis { keys: vec![key] }));
            }
        }
        for (inner, origin) in self.tables(table, "zip") {
            let leaves = self.leaves(inner, "");
            let keys: Vec<AxisKey> = leaves.iter().filter_map(|leaf| self.axis_key(leaf)).collect();
            if keys.len() < leaves.len() {
                continue;
            }
            if keys.len() < 2 {
                self.refuse("zip", format!("{} keys to move together", keys.len()), "legal: two keys or more; one key is an axis of [axes]", origin);
            }
            let first = keys.first().map_or(0, |key| key.choices.len());
            for key in &keys {
                if key.choices.len() != first {
                    let what = format!("{} values, where `{}` has {first}", key.choices.len(), keys[0].path);
                    self.refuse(&key.path, what, "legal: as many values for each key of a [[zip]]", &key.origin);
                }
            }
            axes.push(Axis { keys });
        }
        let all: Vec<&AxisKey> = axes.iter().flat_map(|axis| &axis.keys).collect();
        for (number, key) in all.iter().enumerate() {
            let twice = all[..number].iter().any(|before| before.path == key.path);
            let fixed = set.iter().any(|leaf| leaf.path == key.path);
            if twice || fixed {
                let place = if twice { "[axes] or [[zip]]" } else { "[set]" };
                self.refuse(&key.path, format!("it stands in {place} too"), "legal: each key once", &key.origin);
            }
            if sets.iter().any(|set| set.key() == key.path) {
                self.refuse(&key.path, "an axis of the study, and given by --set too", "legal: one of them", &key.origin);
            }
        }
        if all.is_empty() && self.errors.is_empty() {
            self.refuse("axes", "nothing varies", "write [axes] with lists of values; `setaside run` runs a single scenario", root);
        }
        axes
    }

    /// The choices of one key; `None` with an error.
    fn axis_key(&mut self, leaf: &Leaf) -> Option<AxisKey> {
        let kind = keys::find(&leaf.path)?.kind;
        let values = match &leaf.value.kind {
            Toml::Array(items) => items.clone(),
            Toml::Table(range) => self.range(&leaf.path, range, &leaf.value.origin)?,
            _ => {
                let what = format!("expected a list or a range, found {}", leaf.value.type_name());
                self.refuse(&leaf.path, what, "legal: [1, 2, 4], { from = 1, to = 16, factor = 2 } or { from = 1, to = 16, step = 1 }", &leaf.value.origin);
                return None;
            }
        };
        if values.is_empty() {
            self.refuse(&leaf.path, "an empty list", "legal: one value or more", &leaf.value.origin);
            return None;
        }
        let mut choices: Vec<Choice> = Vec::new();
        for value in values {
            match plain::read(&leaf.path, kind, &value) {
                Ok(plain) => {
                    if choices.iter().any(|choice| choice.plain == plain) {
                        let what = format!("{} stands in the list twice", short(&value.show()));
                        self.refuse(&leaf.path, what, "legal: each value once", &value.origin);
                    }
                    choices.push(Choice { value, plain });
                }
                Err(error) => self.errors.push(error),
            }
        }
        Some(AxisKey {
            path: leaf.path.clone(),
            origin: leaf.origin.clone(),
            choices,
        })
    }

    /// `{ from, to, factor }` or `{ from, to, step }`, the end included where it is met; exact.
    fn range(&mut self, path: &str, range: &Table, origin: &Origin) -> Option<Vec<Value>> {
        const HELP: &str = "legal: { from = 1, to = 16, factor = 2 } or { from = 1, to = 16, step = 1 }";
        for entry in &range.entries {
            if !["from", "to", "factor", "step"].contains(&entry.key.as_str()) {
                self.refuse(path, format!("unknown part `{}` of a range", short(&entry.key)), HELP, &entry.key_origin);
                return None;
            }
        }
        let before = self.errors.len();
        let mut part = |name: &str| -> Option<Option<Ratio>> {
            let entry = range.get(name)?;
            match plain::read(path, Kind::Ns, &entry.value) {
                Ok(Plain::Ratio(ratio)) => Some(ratio),
                Ok(_) => None,
                Err(mut error) => {
                    error.help = HELP.to_owned();
                    self.errors.push(error);
                    None
                }
            }
        };
        let (from, to, factor, step) = (part("from"), part("to"), part("factor"), part("step"));
        if self.errors.len() > before {
            return None;
        }
        let mut bad = |what: &str| {
            self.refuse(path, what, HELP, origin);
            None
        };
        let (Some(from), Some(to)) = (from, to) else {
            return bad("a range without `from` and `to`");
        };
        if from > to {
            return bad("`from` is above `to`");
        }
        let next: Box<dyn Fn(Option<Ratio>) -> Option<Option<Ratio>>> = match (factor, step) {
            (Some(Some(factor)), None) if factor > Ratio::ONE && from.is_some() => {
                Box::new(move |at| at?.mul(factor).ok().map(Some))
            }
            (Some(_), None) => return bad("`factor` must be above 1, and `from` above 0"),
            (None, Some(Some(step))) => Box::new(move |at| sum(at, step).map(Some)),
            (None, Some(None)) => return bad("`step` must be above 0"),
            _ => return bad("a range needs either `factor` or `step`"),
        };
        let mut values = Vec::new();
        let mut at = Some(from);
        while let Some(now) = at.filter(|now| *now <= to) {
            if values.len() == VALUES_MAX {
                return bad(&format!("more than {VALUES_MAX} values"));
            }
            let kind = match now {
                None => Toml::Integer(0),
                Some(ratio) if ratio.den() == 1 => Toml::Integer(ratio.num().into()),
                Some(ratio) => Toml::Text(ratio.to_string()),
            };
            values.push(Value { kind, origin: origin.clone() });
            at = next(now);
        }
        Some(values)
    }

    /// `{ key = [values] }`: keys that are axes, values that stand on them.
    fn conditions(&mut self, table: &Table, axes: &[Axis], what: &str) -> Vec<Condition> {
        let mut conditions = Vec::new();
        for leaf in self.leaves(table, "") {
            let found = axes.iter().enumerate().find_map(|(axis, of)| {
                let key = of.keys.iter().position(|key| key.path == leaf.path)?;
                Some((axis, key))
            });
            let Some((axis, key)) = found else {
                self.refuse(&leaf.path, format!("{what} names a key that does not vary"), "legal: a key of [axes] or [[zip]]", &leaf.origin);
                continue;
            };
            let items: &[Value] = match &leaf.value.kind {
                Toml::Array(items) => items,
                _ => std::slice::from_ref(&leaf.value),
            };
            let Some(kind) = keys::find(&leaf.path).map(|key| key.kind) else { continue };
            let choices = &axes[axis].keys[key].choices;
            let mut values = Vec::new();
            for item in items {
                match plain::read(&leaf.path, kind, item) {
                    Ok(plain) if choices.iter().any(|choice| choice.plain == plain) => values.push(plain),
                    Ok(plain) => {
                        let legal: Vec<String> = choices.iter().map(|choice| choice.plain.label()).collect();
                        let text = format!("{what} names {}, which is not on the axis", short(&plain.label()));
                        self.refuse(&leaf.path, text, format!("values of the axis: {}", legal.join(", ")), &item.origin);
                    }
                    Err(error) => self.errors.push(error),
                }
            }
            if items.is_empty() {
                self.refuse(&leaf.path, "an empty list", "legal: one value or more", &leaf.value.origin);
            }
            conditions.push(Condition { axis, key, values });
        }
        conditions
    }

    fn only(&mut self, table: &Table, axes: &[Axis]) -> Vec<Only> {
        let mut rules: Vec<Only> = Vec::new();
        for (inner, origin) in self.tables(table, "only") {
            for entry in &inner.entries {
                if !["when", "axes"].contains(&entry.key.as_str()) {
                    let path = format!("only.{}", entry.key);
                    let near = nearest(&entry.key, ["when", "axes"]);
                    self.unknown("unknown key", "[[only]]", &path, near, &["when", "axes"], &entry.key_origin);
                }
            }
            let (Some(when), Some(list)) = (inner.get("when"), inner.get("axes")) else {
                self.refuse("only", "it needs both `when` and `axes`", "write when = { \"switch.scheme\" = [\"recn\"] } and axes = [\"recn.saqs\"]", origin);
                continue;
            };
            let when = match self.table(when, "only.when") {
                Some(table) => self.conditions(table, axes, "[[only]]"),
                None => continue,
            };
            if when.is_empty() {
                self.refuse("only.when", "no condition", "write when = { \"switch.scheme\" = [\"recn\"] }", origin);
            }
            let items: &[Value] = match &list.value.kind {
                Toml::Array(items) => items,
                _ => std::slice::from_ref(&list.value),
            };
            if items.is_empty() {
                self.refuse("only.axes", "an empty list", "legal: one key or more of [axes] or [[zip]]", &list.value.origin);
            }
            let mut named = Vec::new();
            for item in items {
                let Toml::Text(path) = &item.kind else {
                    let what = format!("expected a key as a string, found {}", item.type_name());
                    self.refuse("only.axes", what, "write axes = [\"recn.saqs\"]", &item.origin);
                    continue;
                };
                let found = axes.iter().position(|axis| axis.keys.iter().any(|key| key.path == *path));
                let Some(axis) = found else {
                    self.refuse("only.axes", format!("`{}` does not vary", short(path)), "legal: a key of [axes] or [[zip]]", &item.origin);
                    continue;
                };
                if rules.iter().any(|rule| rule.axes.contains(&axis)) {
                    self.refuse("only.axes", format!("`{}` stands in two [[only]]", short(path)), "put all values that it varies at into one `when`", &item.origin);
                }
                if when.iter().any(|condition| condition.axis == axis) {
                    self.refuse("only.axes", format!("`{}` cannot depend on itself", short(path)), "legal: another axis in `when`", &item.origin);
                }
                named.push(axis);
            }
            rules.push(Only { when, axes: named });
        }
        rules
    }

    fn skip(&mut self, table: &Table, axes: &[Axis]) -> Vec<Vec<Condition>> {
        let mut rules = Vec::new();
        for (inner, origin) in self.tables(table, "skip") {
            let conditions = self.conditions(inner, axes, "[[skip]]");
            if inner.entries.is_empty() {
                self.refuse("skip", "no condition: every point would be left out", "write \"switch.scheme\" = [\"voq-net\"]", origin);
            }
            rules.push(conditions);
        }
        rules
    }
}

/// `a + b`; `None` where 64 bits do not hold it.
fn sum(a: Option<Ratio>, b: Ratio) -> Option<Ratio> {
    let Some(a) = a else { return Some(b) };
    // a + b = b (a/b + 1).
    let quotient = a.div(b).ok()?;
    let num = quotient.num().checked_add(quotient.den())?;
    Ratio::new(num, quotient.den()).ok()?.mul(b).ok()
}
