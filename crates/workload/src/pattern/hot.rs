//! `hot`: with several hot destinations source j goes to number j mod their count
//! (garcia-trees-2005).

use super::Rule;

pub(super) const RULE: Rule = Rule::Listed(|j, count| j % count);
