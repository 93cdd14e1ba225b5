//! What differs from point to point of a sweep, told once.

/// Values in the order of the points, none twice. Where they differ in one number alone, what they
/// share is said once: `0.2, 0.5 or 0.8 of link rate, uniform`, of more than `max` the range:
/// `0.2 to 0.95 of link rate (8 values), uniform`. Others stand `between` each other, or more than
/// `max` are counted.
pub fn listed(values: &[impl AsRef<str>], max: usize, between: &str) -> String {
    let values: Vec<&str> = values.iter().map(AsRef::as_ref).collect();
    if let Some(text) = by_number(&values, max) {
        return text;
    }
    match values[..] {
        [first, .., last] if values.len() > max => {
            format!("{} values, {first} to {last}", values.len())
        }
        _ => values.join(between),
    }
}

/// What differs, in the order in which it comes.
pub(crate) fn distinct<T: PartialEq>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut found: Vec<T> = Vec::new();
    for one in all {
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found
}

/// The values, where one number is all that they differ in.
fn by_number(values: &[&str], max: usize) -> Option<String> {
    let words: Vec<Vec<&str>> = values.iter().map(|value| value.split(' ').collect()).collect();
    let [first, others @ ..] = &words[..] else {
        return None;
    };
    if others.is_empty() || others.iter().any(|other| other.len() != first.len()) {
        return None;
    }
    let differs = |at: &usize| others.iter().any(|other| other[*at] != first[*at]);
    let mut places = (0..first.len()).filter(differs);
    let (Some(place), None) = (places.next(), places.next()) else {
        return None;
    };
    let bare = |words: &Vec<&str>| words[place].trim_end_matches(',').to_string();
    let texts: Vec<String> = words.iter().map(bare).collect();
    let numbers: Option<Vec<f64>> = texts.iter().map(|text| number(text)).collect();
    let numbers = numbers?;
    // one of a list of numbers would read as a longer list
    let beside = [place.checked_sub(1), Some(place + 1)].into_iter().flatten();
    let is_number = |word: &&str| number(word.trim_end_matches(',')).is_some();
    if beside.filter_map(|at| first.get(at)).any(is_number) {
        return None;
    }
    let is_range = values.len() > max;
    let (last, rest) = texts.split_last()?;
    let mut told = format!("{} or {last}", rest.join(", "));
    if is_range {
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]));
        told = format!("{} to {}", texts[order[0]], texts[order[texts.len() - 1]]);
    }
    if first[place].ends_with(',') {
        told.push(',');
    }
    let mut words: Vec<String> = first.iter().map(|word| (*word).to_string()).collect();
    words[place] = told;
    if is_range {
        // behind what the number is of
        let count = format!(" ({} values)", values.len());
        let end = words[place..].iter().position(|word| word.ends_with(','));
        let word = &mut words[end.map_or(first.len() - 1, |end| place + end)];
        word.insert_str(word.trim_end_matches(',').len(), &count);
    }
    Some(words.join(" "))
}

/// A number as scenarios write it: `0.5` or `3/2`.
fn number(text: &str) -> Option<f64> {
    match text.split_once('/') {
        Some((over, under)) => Some(number(over)? / number(under)?),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::listed;

    // "the printed workload says `load 0.2 of link rate, uniform; 0.4 of ...` for every value of an
    // axis": what the values share is said once.
    #[test]
    fn values_that_differ_in_a_number_share_their_words() {
        let rates = |numbers: &[&str]| -> Vec<String> {
            let text = |number: &&str| format!("{number} of link rate, uniform");
            numbers.iter().map(text).collect()
        };
        let told = |values: &[String]| listed(values, 6, "; ");
        assert_eq!(told(&rates(&["0.2"])), "0.2 of link rate, uniform");
        assert_eq!(told(&rates(&["0.2", "1/4"])), "0.2 or 1/4 of link rate, uniform");
        assert_eq!(told(&rates(&["0.2", "0.4", "0.6"])), "0.2, 0.4 or 0.6 of link rate, uniform");
        let many = ["0.9", "0.2", "0.4", "10", "0.7", "1/8", "0.8"];
        assert_eq!(told(&rates(&many)), "1/8 to 10 of link rate (7 values), uniform");
        for (values, text) in [
            (&["1q"][..], "1q"),
            (&["1q", "recn"], "1q; recn"),
            (&["bmin, 16 end nodes", "bmin, 64 end nodes"], "bmin, 16 or 64 end nodes"),
            (&["bmin, 16 end nodes", "mesh, 9 end nodes"], "bmin, 16 end nodes; mesh, 9 end nodes"),
            (&["to 5, 9, on", "to 5, 8, on"], "to 5, 9, on; to 5, 8, on"),
            (&["1", "2", "3", "4", "5", "6", "7"], "1 to 7 (7 values)"),
            (&["a", "b", "c", "d", "e", "f", "g"], "7 values, a to g"),
        ] {
            assert_eq!(listed(values, 6, "; "), text);
        }
    }
}
