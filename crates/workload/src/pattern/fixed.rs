//! `fixed`: a destination for each source; the list is as long as that of the sources.

use super::Rule;

pub(super) const RULE: Rule = Rule::Listed(|j, _| j);
