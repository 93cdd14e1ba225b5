//! Long lines of Markdown, wrapped: generated text is written without regard to its width.

use study::lines::filled;

/// The widest line of a page or a comment, in characters.
pub(crate) const WIDTH_MAX: usize = 100;

/// `text` with every line of prose or of a list that is too wide as several lines. Tables,
/// headings, HTML and code stay, and so does every line that is narrow enough.
pub(crate) fn wrapped(text: &str) -> String {
    let mut code = false;
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        code ^= line.trim_start().starts_with("```");
        let whole = code || line.starts_with(['|', '#', '<']);
        if whole || line.trim_end().chars().count() <= WIDTH_MAX {
            out.push_str(line);
        } else {
            wrap(line.trim_end(), &mut out);
        }
    }
    out
}

/// One line as several, those after the first indented as the text of a list.
fn wrap(line: &str, out: &mut String) {
    let text = line.trim_start();
    let indent = line.len() - text.len();
    let rest = indent + if text.starts_with("- ") { 2 } else { 0 };
    let words = words(text);
    let words = words.iter().map(String::as_str);
    out.push_str(&filled(words, (indent, rest), WIDTH_MAX));
}

/// Words, with code between backquotes in one, and what may not begin a line with the word before.
fn words(text: &str) -> Vec<String> {
    let mut code = false;
    let mut words: Vec<String> = Vec::new();
    for word in text.split(|c| {
        code ^= c == '`';
        c == ' ' && !code
    }) {
        match words.last_mut() {
            Some(before) if begins_a_block(word) => {
                before.push(' ');
                before.push_str(word);
            }
            _ => words.push(word.to_string()),
        }
    }
    words
}

/// Whether a line that begins with the word would be another thing than prose.
fn begins_a_block(word: &str) -> bool {
    let number = word.trim_end_matches(['.', ')']);
    let listed = number.len() < word.len() && number.parse::<u32>().is_ok();
    listed || matches!(word, "-" | "+" | "*" | ">" | "=") || word.starts_with(['#', '|'])
}

#[cfg(test)]
mod tests {
    use super::{WIDTH_MAX, wrapped};

    /// What a reader sees stays: the words in their order, and every line that was narrow enough.
    #[test]
    fn prose_is_wrapped_and_its_words_stay() {
        let long = ["word"; 50].join(" ");
        let text = format!("Short.\n\n{long}\n\n- {long}\n");
        let wrapped = wrapped(&text);
        assert!(wrapped.split_whitespace().eq(text.split_whitespace()));
        assert!(wrapped.lines().all(|l| l.chars().count() <= WIDTH_MAX));
        assert!(wrapped.starts_with("Short.\n\nword"));
        assert!(wrapped.contains("\n  word"), "a list is indented");
        assert_eq!(super::wrapped(&wrapped), wrapped);
    }

    /// Code in backquotes stays on one line, and no line begins with what starts a list.
    #[test]
    fn code_and_signs_keep_their_meaning() {
        let before = "a".repeat(95);
        assert_eq!(wrapped(&format!("{before} `b c d`\n")), format!("{before}\n`b c d`\n"));
        assert_eq!(wrapped(&format!("{before} word - c\n")), format!("{before}\nword - c\n"));
        assert_eq!(wrapped(&format!("{before}aaaa - c\n")), format!("{before}aaaa -\nc\n"));
    }

    #[test]
    fn tables_headings_and_code_stay() {
        let long = "x ".repeat(80);
        for text in [format!("| {long} |\n"), format!("# {long}\n"), format!("```\n{long}\n```\n")]
        {
            assert_eq!(wrapped(&text), text);
        }
    }
}
