//! The marker, against searches of whole buffers.

mod red;
mod rules;
mod search;
