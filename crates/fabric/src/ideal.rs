//! What a workload could get over its routes: the bounds of [`topology::Flows`] over time, of links
//! alone. Demand is constant in each *piece* between starts and stops; its max-min fair rates and
//! cut bound are weighted with its time. What is delivered in a window is above its bound only by
//! what stood in queues at its start.

mod pieces;

use pieces::{Piece, Pieces};
use plan::{FabricConfig, Overtaking};
use topology::{IdealError, Part};
use units::{Span, Tick};

/// What a workload could get over its routes in a window of time.
#[derive(Debug, Clone, PartialEq)]
pub struct Ideal {
    /// What is offered on average, refused included.
    pub offered_bytes_per_ns: f64,
    /// The bound: the larger of the next two, which is the second, or both are equal.
    pub bytes_per_ns: f64,
    /// Total of the max-min fair rates.
    pub max_min_bytes_per_ns: f64,
    /// Upper bound on the total of any rates.
    pub cut_bytes_per_ns: f64,
    /// `(source, destination, max-min fair rate in bytes/ns)` of each flow that demands something
    /// in the window, by source, then destination.
    pub flows: Vec<(u32, u32, f64)>,
}

/// Why a window has no bound.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NoIdeal {
    /// It has no tick.
    #[error("the window is empty")]
    Empty,
    /// What is offered follows from round trips.
    #[error("messages ask for replies: what is offered follows from the round trips")]
    Replies,
    /// What is offered is not known before it is read.
    #[error("the messages are those of a trace")]
    Trace,
    /// The bounds are those of one route for each pair of nodes.
    #[error("packets of a pair of nodes take several ways, chosen at each hop")]
    Chosen,
    /// Too many flows or demands.
    #[error(transparent)]
    Flows(#[from] IdealError),
    /// The workload changes too often.
    #[error("the workload changes {given} times; bounds are reckoned for at most {PIECES_MAX}")]
    Pieces {
        /// Changes in the window.
        given: usize,
    },
}

/// The most pieces of constant demand in a window.
pub const PIECES_MAX: usize = 1024;

/// The bound of a workload in the ticks `[start, end)`; `None` where [`Ideals::over`] has none.
pub fn ideal(config: &FabricConfig, start: Tick, end: Tick) -> Option<Ideal> {
    Ideals::new(config).over(start, end).ok()
}

/// The bounds of one workload in any windows. What was reckoned for one window serves the next.
#[derive(Debug)]
pub struct Ideals<'a> {
    pieces: Pieces<'a>,
    /// Why no window has a bound.
    none: Option<NoIdeal>,
}

impl<'a> Ideals<'a> {
    /// Of this configuration.
    pub fn new(config: &'a FabricConfig) -> Ideals<'a> {
        let replies = config.workload.summaries.iter().any(|group| group.replies.is_some());
        let chosen = Overtaking::without_faults(config.network.ways(), &config.switch).is_some();
        let none = match &config.workload.trace {
            _ if replies => Some(NoIdeal::Replies),
            Some(_) => Some(NoIdeal::Trace),
            None => chosen.then_some(NoIdeal::Chosen),
        };
        Ideals { pieces: Pieces::new(config), none }
    }

    /// The bound in the ticks `[start, end)`.
    ///
    /// # Errors
    /// [`NoIdeal`]: an empty window, or a workload whose bounds would cost some seconds or hundreds
    /// of MB.
    pub fn over(&mut self, start: Tick, end: Tick) -> Result<Ideal, NoIdeal> {
        if end <= start {
            return Err(NoIdeal::Empty);
        }
        if let Some(why) = &self.none {
            return Err(why.clone());
        }
        let mut bounds = vec![start, end];
        bounds.extend(self.pieces.changes().filter(|&tick| start < tick && tick < end));
        bounds.sort_unstable();
        bounds.dedup();
        if bounds.len() > PIECES_MAX + 1 {
            return Err(NoIdeal::Pieces { given: bounds.len() - 2 });
        }
        let spans = self.spans(&bounds)?;
        let all = (end - start).0 as f64;
        let shares = spans.iter().map(|&(at, span)| (at, span.0 as f64 / all));
        let parts: Vec<(&Piece, f64)> =
            shares.map(|(at, share)| (&self.pieces.pieces[at], share)).collect();
        let mean =
            |of: fn(&Piece) -> f64| parts.iter().map(|&(piece, share)| of(piece) * share).sum();
        Ok(Ideal {
            offered_bytes_per_ns: mean(|piece| piece.offered),
            bytes_per_ns: mean(|piece| piece.cut.max(piece.fair.bytes_per_ns())),
            max_min_bytes_per_ns: mean(|piece| piece.fair.bytes_per_ns()),
            cut_bytes_per_ns: mean(|piece| piece.cut),
            flows: self.rates(&parts),
        })
    }

    /// The number of each piece between these bounds with its time, equal ones once.
    fn spans(&mut self, bounds: &[Tick]) -> Result<Vec<(usize, Span)>, IdealError> {
        let mut spans: Vec<(usize, Span)> = Vec::new();
        for two in bounds.windows(2) {
            let (piece, span) = (self.pieces.at(two[0])?, two[1] - two[0]);
            match spans.iter_mut().find(|known| known.0 == piece) {
                Some(known) => known.1 += span,
                None => spans.push((piece, span)),
            }
        }
        Ok(spans)
    }

    /// The mean max-min fair rate of every flow.
    fn rates(&self, parts: &[(&Piece, f64)]) -> Vec<(u32, u32, f64)> {
        let sources = self.pieces.sources();
        // Room for all at once: 64 MB with 2048 nodes, of which no more is touched than is filled.
        let mut flows = Vec::with_capacity(sources.len() * self.pieces.nodes);
        for (source, own) in sources {
            // The pieces differ in the generators of others, mostly.
            let mut rows: Vec<(&[bool], Vec<f64>)> = Vec::new();
            for (piece, _) in parts {
                let active = &piece.active[own.clone()];
                if rows.iter().all(|row| row.0 != active) {
                    rows.push((active, self.pieces.row(own.clone(), active)));
                }
            }
            let parts = parts.iter().map(|&(piece, share)| {
                let active = &piece.active[own.clone()];
                let row = rows.iter().find(|row| row.0 == active);
                Part { share, max_min: &piece.fair, demands: &row.expect("made above").1 }
            });
            let parts: Vec<Part<'_>> = parts.collect();
            let rates = self.pieces.flows.mean_rates(source, &parts);
            let sends = |destination: usize| rows.iter().any(|row| row.1[destination] > 0.0);
            let rates =
                rates.into_iter().enumerate().filter(|&(destination, _)| sends(destination));
            flows.extend(rates.map(|(destination, rate)| (source, destination as u32, rate)));
        }
        flows
    }
}
