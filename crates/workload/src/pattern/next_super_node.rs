//! `next-super-node`: nodes of block b send to every node of block b + 1 alike, modulo the number
//! of blocks. A block is the nodes of a super node: all of it shares the few links to the next one.

use super::Rule;

pub(super) const RULE: Rule = Rule::Block(|blocks, own| (own + 1) % blocks);
