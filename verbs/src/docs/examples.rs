//! Examples of what a golden model calls: an operation that changes registers has one of its own;
//! every other public function of the unit crates is called in some example of its crate.

use std::collections::{BTreeMap, BTreeSet};

/// The unit crates, and the units of the switch.
const UNITS: [&str; 23] = [
    "crates/units/src/bits/",
    "crates/cam/src/",
    "crates/crossbar/src/",
    "crates/flow-control/src/",
    "crates/hierarchy/src/",
    "crates/ecn/src/",
    "crates/recn/src/",
    "crates/saq/src/",
    "crates/turnpool/src/",
    "crates/switch/src/egress/fcu.rs",
    "crates/switch/src/egress/link_arbiter.rs",
    "crates/switch/src/egress/paused.rs",
    "crates/switch/src/ingress/cdu.rs",
    "crates/switch/src/ingress/pauser.rs",
    "crates/switch/src/ingress/ppu.rs",
    "crates/switch/src/ingress/ru.rs",
    "crates/switch/src/ingress/two_level.rs",
    "crates/switch/src/link.rs",
    "crates/switch/src/memory.rs",
    "crates/switch/src/mu.rs",
    "crates/switch/src/scheduler/evaluate.rs",
    "crates/switch/src/scheduler/mod.rs",
    "crates/switch/src/scheduler/requests.rs",
];

/// Not of the hardware: hints to the simulating machine, and the test benches of arbiters.
const OTHERS: [&str; 1] = ["testkit"];

/// Types that hold units and call them: a golden model has its own.
const GLUE: [&str; 3] = ["Egress", "Ingress", "Switch"];

/// A public function.
#[derive(Debug, PartialEq, Eq)]
struct Function {
    /// Where, as `FILE:LINE`.
    place: String,
    /// As an example calls it: `.take(`, `Cam::new(`, `turn_width(`.
    call: String,
    /// It takes `&mut self`.
    changes: bool,
    /// Its documentation has an example.
    has_example: bool,
}

/// Public functions and examples seen so far, by crate.
#[derive(Debug)]
pub(super) struct Examples {
    /// How the names of the sources of the units begin.
    units: &'static [&'static str],
    /// Those of `units` by which a source was found.
    found: BTreeSet<&'static str>,
    crates: BTreeMap<String, (Vec<Function>, String)>,
}

impl Examples {
    /// Nothing is read yet.
    pub(super) fn new() -> Examples {
        Examples::of(&UNITS)
    }

    /// The same, with other sources of units.
    fn of(units: &'static [&'static str]) -> Examples {
        Examples {
            units,
            found: BTreeSet::new(),
            crates: BTreeMap::new(),
        }
    }

    /// Reads a source file of this name.
    pub(super) fn read(&mut self, name: &str, text: &str) {
        let of_crate = name.split("/src/").next().unwrap_or_default();
        let (functions, examples) = self.crates.entry(of_crate.to_string()).or_default();
        let (found, code) = parse(name, text);
        examples.push_str(&code);
        let mut is_unit = false;
        for unit in self.units.iter().filter(|unit| name.starts_with(**unit)) {
            self.found.insert(unit);
            is_unit = true;
        }
        if is_unit && !OTHERS.iter().any(|other| name.contains(other)) {
            functions.extend(found);
        }
    }

    /// How many functions are shown, and what is missing, once all sources are read.
    pub(super) fn missing(&self) -> (usize, Vec<String>) {
        let units = self.units.iter();
        let absent = units.filter(|unit| !self.found.contains(**unit));
        let mut wrong: Vec<String> = absent
            .map(|unit| format!("{unit}: of the list of units; no source is there"))
            .collect();
        let mut count = 0;
        for (functions, examples) in self.crates.values() {
            count += functions.len();
            for function in functions.iter().filter(|f| !f.has_example) {
                let Function { place, call, .. } = function;
                let call = call.trim_start_matches('.');
                if function.changes {
                    wrong.push(format!("{place}: {call}...) has no example of its own"));
                } else if !examples.contains(&function.call) {
                    wrong.push(format!("{place}: {call}...) is in no example of its crate"));
                }
            }
        }
        (count, wrong)
    }
}

/// Public functions of a file, and the code of the examples in its comments.
fn parse(name: &str, text: &str) -> (Vec<Function>, String) {
    let (mut functions, mut examples) = (Vec::new(), String::new());
    let (mut is_code, mut has_example) = (false, false);
    let mut of_type = "";
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text);
    let lines: Vec<&str> = text.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let (line, indent) = (line.trim_start(), line.len() - line.trim_start().len());
        if let Some(doc) = line.strip_prefix("///").or(line.strip_prefix("//!")) {
            if doc.trim_start().starts_with("```") {
                is_code = !is_code && doc.trim() == "```";
                has_example |= is_code;
            } else if is_code {
                examples.push_str(doc);
                examples.push('\n');
            }
            continue;
        }
        if line.is_empty() || line == "}" {
            has_example = false;
        }
        if indent == 0 && line.starts_with("impl") {
            of_type = type_of(line);
        }
        let public = line
            .strip_prefix("pub fn ")
            .or(line.strip_prefix("pub const fn "));
        let Some((function, _)) = public.and_then(|rest| rest.split_once(['(', '<'])) else {
            continue;
        };
        let is_other = OTHERS.iter().any(|other| function.starts_with(other));
        if function.starts_with('$') || is_other || indent > 0 && GLUE.contains(&of_type) {
            continue;
        }
        let end = (at..lines.len()).find(|&at| lines[at].contains('{'));
        let signature = lines[at..=end.unwrap_or(at)].concat();
        let call = if indent == 0 {
            format!("{function}(")
        } else if signature.contains("self") {
            format!(".{function}(")
        } else {
            format!("{of_type}::{function}(")
        };
        functions.push(Function {
            place: format!("{name}:{}", at + 1),
            call,
            changes: signature.contains("&mut self"),
            has_example,
        });
    }
    (functions, examples)
}

/// The type of `impl<T> Type<T> {` or `impl Trait for Type {`.
fn type_of(line: &str) -> &str {
    let line = line.trim_end_matches([' ', '{']);
    let last = line.rsplit(' ').next().unwrap_or_default();
    last.split('<').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::Examples;

    const SHOWN: &str = "impl<H> Mmu<H> {\n    /// Stores.\n    ///\n    /// ```\n    \
        /// mmu.push(1);\n    /// assert!(mmu.is_full());\n    /// ```\n    #[inline]\n    \
        pub fn push(&mut self, n: u8) {}\n\n    /// Is.\n    pub fn is_full(&self) -> bool {}\n}\n";

    #[test]
    fn what_is_shown_nowhere_is_told() {
        let read = |more: &str| {
            let mut examples = Examples::of(&["crates/saq/src/"]);
            examples.read("crates/saq/src/mmu.rs", &(SHOWN.to_string() + more));
            examples.missing()
        };
        assert_eq!(read(""), (2, Vec::new()));
        // Called in an example, but it changes registers.
        let pop = "impl<H> Mmu<H> {\n    /// Takes `push(`.\n    pub fn push(\n        \
            &mut self,\n    ) {}\n}\n";
        let own = "crates/saq/src/mmu.rs:16: push(...) has no example of its own";
        assert_eq!(read(pop), (3, vec![own.to_string()]));
        let new = "impl Mmu {\n    /// New.\n    pub const fn new() -> Mmu {}\n}\n";
        let none = "crates/saq/src/mmu.rs:16: Mmu::new(...) is in no example of its crate";
        assert_eq!(read(new), (3, vec![none.to_string()]));
        assert_eq!(read("pub(crate) fn other() {}\n").0, 2);
    }

    #[test]
    fn a_unit_without_a_source_is_told() {
        let mut examples = Examples::of(&["crates/saq/src/", "crates/sag/src/", "crates/saq/"]);
        examples.read("crates/saq/src/mmu.rs", SHOWN);
        examples.read("crates/cam/src/lib.rs", "");
        let absent = "crates/sag/src/: of the list of units; no source is there";
        assert_eq!(examples.missing(), (2, vec![absent.to_string()]));
    }
}
