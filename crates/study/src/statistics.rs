//! What values say of the process that they come from: intervals of means, differences on the same
//! seeds, the end of a warm-up, batch means of one long run.
//!
//! Pure functions over `&[f64]`, in any unit: a mean has that of its values. Which procedures these
//! are, and how often their intervals cover known truths: `docs/statistics.md`.

mod batches;
mod interval;
mod warmup;

pub use batches::{BATCHES_MIN, Batches, batch_means};
pub use interval::{CONFIDENCE, Interval, paired, ratio};
pub use warmup::{VALUES_MIN, mser5};
