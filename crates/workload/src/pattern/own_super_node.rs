//! `own-super-node`: every node of the own block alike, without the source itself unless
//! `workload.self`. A block is the nodes of a super node.

use super::Rule;

pub(super) const RULE: Rule = Rule::Block(|_, own| own);
