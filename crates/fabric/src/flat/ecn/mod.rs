//! ECN (spec: ecn.md; pfc.md for `red` and DCQCN): marks in switches, answers and rates at end
//! nodes. What is marked and when a flow may start is decided by `marking` and `response`; here is
//! what they are told of the records.

mod buffer;
mod ends;
mod marks;

pub(crate) use ends::Ends;
pub(crate) use marks::Marks;
