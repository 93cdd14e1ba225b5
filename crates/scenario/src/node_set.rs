//! A set of nodes as a word: `"all"`, `"0-63"`, `"0-511/4"`, `"5, 8-15"`, `"all but 5"`.

use crate::error::short;
use topology::NODES_MAX;

/// What may be written, for messages.
pub(crate) const LEGAL: &str = "\"all\", \"0-63\", \"0-511/4\", \"5, 8-15\" or \"all but 5\"";

/// What may be written, as a regular expression. A number alone is none: in `sources` it would be
/// how many.
pub(crate) fn pattern() -> String {
    let range = "[0-9]+-[0-9]+(/[0-9]+)?";
    let part = format!("([0-9]+|{range})");
    format!("^(all|all but {part}( *, *{part})*|{range}|{part}( *, *{part})+)$")
}

/// Which nodes, before their number is fixed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NodeSet {
    text: String,
    is_complement: bool,
    /// In the order written, each once.
    named: Vec<u32>,
}

impl NodeSet {
    pub(crate) fn read(text: &str) -> Result<NodeSet, String> {
        let shown = || short(&format!("\"{}\"", text.escape_debug()));
        let (is_complement, list) = match text.strip_prefix("all but ") {
            Some(list) => (true, Some(list)),
            None if text == "all" => (true, None),
            None => (false, Some(text)),
        };
        if list.is_some_and(|list| list.trim() != list) {
            return Err(format!("{}: a blank too many", shown()));
        }
        if !is_complement && text.bytes().all(|b| b.is_ascii_digit()) && !text.is_empty() {
            return Err(format!("{} is a number in quotes; node {text} is [{text}]", shown()));
        }
        let mut named = Vec::new();
        let mut is_named = vec![false; NODES_MAX as usize];
        for part in list.iter().flat_map(|list| list.split(',')) {
            for node in
                range(part.trim_matches(' ')).map_err(|why| format!("{}: {why}", shown()))?
            {
                if std::mem::replace(&mut is_named[node as usize], true) {
                    return Err(format!("{}: node {node} is named twice", shown()));
                }
                named.push(node);
            }
        }
        Ok(NodeSet { text: text.to_owned(), is_complement, named })
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Its nodes where there are so many; of a complement in ascending order.
    pub(crate) fn of(&self, nodes: u32) -> Vec<u32> {
        if !self.is_complement {
            return self.named.clone();
        }
        let mut is_left = vec![true; nodes as usize];
        for &node in &self.named {
            if let Some(left) = is_left.get_mut(node as usize) {
                *left = false;
            }
        }
        let left = (0..nodes).zip(is_left);
        left.filter_map(|(node, is)| is.then_some(node)).collect()
    }

    /// Why it is none where there are so many nodes.
    pub(crate) fn problem(&self, nodes: u32) -> Option<String> {
        if let Some(node) = self.named.iter().find(|&&node| node >= nodes) {
            return Some(format!("there is no node {node}, the nodes are 0 to {}", nodes - 1));
        }
        let is_empty = self.of(nodes).is_empty();
        is_empty.then(|| format!("no node is left of {nodes}"))
    }
}

/// `5`, `0-63`, or every fourth of them, `0-63/4`.
fn range(part: &str) -> Result<impl Iterator<Item = u32> + use<>, String> {
    let (ends, step) = part.split_once('/').map_or((part, None), |(ends, step)| (ends, Some(step)));
    let (first, last) = ends.split_once('-').map_or((ends, None), |(a, b)| (a, Some(b)));
    let number = |text: &str| {
        let is_plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let number = is_plain.then(|| text.parse::<u32>().unwrap_or(u32::MAX));
        number.ok_or_else(|| "a node is a number".to_owned())
    };
    let first = number(first)?;
    let last = last.map(number).transpose()?;
    let step = step.map(number).transpose()?;
    if last.is_none() && step.is_some() {
        return Err("a step is of a range".to_owned());
    }
    let last = last.unwrap_or(first);
    if let Some(node) = [first, last].into_iter().find(|&node| node >= NODES_MAX) {
        return Err(format!("{node} is above {}", NODES_MAX - 1));
    }
    if last < first {
        return Err(format!("{last} is below {first}"));
    }
    let step = step.unwrap_or(1);
    if step == 0 || step > 1.max(last - first) {
        return Err(format!("a step of {step} in {first} to {last}"));
    }
    Ok((first..=last).step_by(step as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    // Which nodes does each way to write a set name, of eight?
    #[test]
    fn sets_name_their_nodes() {
        let set = |text: &str| NodeSet::read(text).map(|set| set.of(8));
        for (text, nodes) in [
            ("all", vec![0, 1, 2, 3, 4, 5, 6, 7]),
            ("2-4", vec![2, 3, 4]),
            ("0-7/3", vec![0, 3, 6]),
            ("6, 0-1", vec![6, 0, 1]),
            ("all but 5", vec![0, 1, 2, 3, 4, 6, 7]),
            ("all but 0-3, 7", vec![4, 5, 6]),
        ] {
            assert_eq!(set(text), Ok(nodes), "{text}");
        }
        let wrong = "|al|allbut 5|all but|-1|3-|3-1|0-7/0|5/2|1,,2|1, 0-3|+1|0-4294967296|1.5";
        for text in wrong.split('|') {
            assert!(set(text).is_err(), "{text}");
        }
    }

    // Is a set that does not fit the number of nodes refused?
    #[test]
    fn sets_fit_the_nodes_there_are() {
        let problem = |text: &str| NodeSet::read(text).ok().and_then(|set| set.problem(8));
        assert_eq!(problem("all"), None);
        assert_eq!(problem("0-7"), None);
        for text in ["0-8", "all but 8", "all but 0-7"] {
            assert!(problem(text).is_some(), "{text}");
        }
    }

    // Does the pattern of the schema take what is read?
    #[test]
    fn pattern_is_what_is_read() {
        let schema = serde_json::json!({ "pattern": pattern() });
        let is_of_pattern = |text: &str| jsonschema::is_valid(&schema, &text.into());
        for text in
            ["all", "0-63", "0-511/4", "5, 8-15", "all but 5", "5", "al", "all but", "3-", "a"]
        {
            assert_eq!(is_of_pattern(text), NodeSet::read(text).is_ok(), "{text}");
        }
    }
}
