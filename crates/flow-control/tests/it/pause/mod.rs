//! Pause of virtual channels: registers, and the headroom against a model of a link, tick by tick.

mod headroom;
mod model;
mod registers;
