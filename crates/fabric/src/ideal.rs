//! What a workload could get over its routes: the bounds of [`topology::Flows`] over time.
//!
//! What the sources demand is constant between the starts and stops of their windows; random patterns count with their
//! expectation. For each such *piece* the max-min fair rates and the cut bound are reckoned, and weighted with its time. Links
//! alone are counted: no control packets, no phits that a packet does not fill, no queues. So what is delivered in a window is
//! above the bound of the window only by what stood in queues at its start.

use crate::config::FabricConfig;
use std::ops::Range;
use topology::{CUT_LOOKS, Flows, IdealError, MaxMin, Part};
use units::{Ratio, Tick};
use workload::Generator;

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
    /// `(source, destination, max-min fair rate in bytes/ns)` of each flow that demands something in the window, by source, then
    /// destination.
    pub flows: Vec<(u32, u32, f64)>,
}

/// Why a window has no bound.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NoIdeal {
    /// It has no tick.
    #[error("the window is empty")]
    Empty,
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

/// Pieces whose cut bounds are searched for with all of [`CUT_LOOKS`]; where the workload has more, each has less.
const PIECES_WITH_ALL_LOOKS: usize = 8;

/// The bound of a configuration's workload in the ticks `[start, end)`; `None` where [`Ideals::over`] gives a reason.
pub fn ideal(config: &FabricConfig, start: Tick, end: Tick) -> Option<Ideal> {
    Ideals::new(config).over(start, end).ok()
}

/// A time without starts and stops.
#[derive(Debug)]
struct Piece {
    /// By generator: it is in its window.
    active: Box<[bool]>,
    offered: f64,
    fair: MaxMin,
    cut: f64,
}

/// The bounds of one workload in any windows. What was reckoned for one window serves the next.
#[derive(Debug)]
pub struct Ideals<'a> {
    /// By source, as in the workload.
    generators: &'a [(u32, Generator)],
    nodes: usize,
    ticks_per_ns: f64,
    flows: Flows<'a>,
    /// The generators whose demands `flows` has.
    active: Box<[bool]>,
    pieces: Vec<Piece>,
    /// For the search for each cut bound: the same in all windows, so that a piece is worth the same in each.
    looks: usize,
    /// Why there are no bounds at all.
    failed: Option<IdealError>,
}

impl<'a> Ideals<'a> {
    /// Of this configuration.
    pub fn new(config: &'a FabricConfig) -> Ideals<'a> {
        let base = &config.time_base;
        let ticks_per_ns = base.ticks_per_ns();
        let rate = Ratio::new(base.phit_bytes().into(), base.link_phit_ticks())
            .and_then(|bytes_per_tick| bytes_per_tick.mul(ticks_per_ns))
            .expect("the time base was made from a link rate");
        let generators = &config.workload.generators;
        let windows = generators
            .iter()
            .flat_map(|(_, g)| [g.start_tick(), g.end_tick()]);
        let mut changes: Vec<Tick> = windows.collect();
        changes.sort_unstable();
        changes.dedup();
        Ideals {
            generators,
            nodes: config.network.nodes(),
            ticks_per_ns: ticks_per_ns.to_f64(),
            flows: Flows::new(&config.network, rate),
            active: vec![false; generators.len()].into(),
            pieces: Vec::new(),
            looks: (CUT_LOOKS * PIECES_WITH_ALL_LOOKS / changes.len().max(1)).min(CUT_LOOKS),
            failed: None,
        }
    }

    /// The bound in the ticks `[start, end)`.
    ///
    /// # Errors
    /// [`NoIdeal`]: an empty window, or a workload whose bounds would cost some seconds or hundreds of MB.
    pub fn over(&mut self, start: Tick, end: Tick) -> Result<Ideal, NoIdeal> {
        if end <= start {
            return Err(NoIdeal::Empty);
        }
        let mut bounds = vec![start, end];
        for (_, generator) in self.generators {
            let window = [generator.start_tick(), generator.end_tick()];
            bounds.extend(window.iter().filter(|&&tick| start < tick && tick < end));
        }
        bounds.sort_unstable();
        bounds.dedup();
        if bounds.len() > PIECES_MAX + 1 {
            return Err(NoIdeal::Pieces {
                given: bounds.len() - 2,
            });
        }
        // Each piece with its ticks, equal ones once.
        let mut ticks: Vec<(usize, Tick)> = Vec::new();
        for two in bounds.windows(2) {
            let piece = self.piece(two[0])?;
            match ticks.iter_mut().find(|known| known.0 == piece) {
                Some(known) => known.1 += two[1] - two[0],
                None => ticks.push((piece, two[1] - two[0])),
            }
        }
        let all = (end - start) as f64;
        let shares = ticks
            .iter()
            .map(|&(piece, ticks)| (piece, ticks as f64 / all));
        let parts: Vec<(&Piece, f64)> = shares
            .map(|(at, share)| (&self.pieces[at], share))
            .collect();
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

    /// The mean max-min fair rate of every flow.
    fn rates(&self, parts: &[(&Piece, f64)]) -> Vec<(u32, u32, f64)> {
        let sources = self.sources();
        // Room for all at once: 64 MB with 2048 nodes, of which no more is touched than is filled.
        let mut flows = Vec::with_capacity(sources.len() * self.nodes);
        for (source, own) in sources {
            // The pieces differ in the generators of others, mostly.
            let mut rows: Vec<(&[bool], Vec<f64>)> = Vec::new();
            for (piece, _) in parts {
                let active = &piece.active[own.clone()];
                if rows.iter().all(|row| row.0 != active) {
                    rows.push((active, self.row(own.clone(), active)));
                }
            }
            let parts = parts.iter().map(|&(piece, share)| {
                let active = &piece.active[own.clone()];
                let row = rows.iter().find(|row| row.0 == active);
                Part {
                    share,
                    max_min: &piece.fair,
                    demands: &row.expect("made above").1,
                }
            });
            let parts: Vec<Part<'_>> = parts.collect();
            let rates = self.flows.mean_rates(source, &parts);
            let sends = |destination: usize| rows.iter().any(|row| row.1[destination] > 0.0);
            let rates = rates
                .into_iter()
                .enumerate()
                .filter(|&(destination, _)| sends(destination));
            flows.extend(rates.map(|(destination, rate)| (source, destination as u32, rate)));
        }
        flows
    }

    /// The sources, each with its generators.
    fn sources(&self) -> Vec<(u32, Range<usize>)> {
        let mut at = 0;
        let of_one = self.generators.chunk_by(|a, b| a.0 == b.0);
        of_one
            .map(|own| {
                let range = at..at + own.len();
                at = range.end;
                (own[0].0, range)
            })
            .collect()
    }

    /// What a source demands of each destination by those of its generators that are active, bytes/ns.
    fn row(&self, own: Range<usize>, active: &[bool]) -> Vec<f64> {
        let mut row = vec![0.0; self.nodes];
        for ((_, generator), _) in self.generators[own].iter().zip(active).filter(|g| *g.1) {
            generator.each_destination(|destination, bytes_per_tick| {
                row[destination as usize] += bytes_per_tick * self.ticks_per_ns;
            });
        }
        row
    }

    /// The number of the piece that `tick` is in.
    fn piece(&mut self, tick: Tick) -> Result<usize, IdealError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let is_active = |g: &(u32, Generator)| g.1.start_tick() <= tick && tick < g.1.end_tick();
        let active: Box<[bool]> = self.generators.iter().map(is_active).collect();
        if let Some(known) = self.pieces.iter().position(|piece| piece.active == active) {
            return Ok(known);
        }
        for (source, own) in self.sources() {
            if self.active[own.clone()] != active[own.clone()] {
                let row = self.row(own.clone(), &active[own]);
                if let Err(error) = self.flows.set(source, &row) {
                    self.failed = Some(error.clone());
                    return Err(error);
                }
            }
        }
        let fair = self.flows.max_min();
        self.pieces.push(Piece {
            offered: self.flows.offered_bytes_per_ns(),
            cut: self.flows.cut_bound(&fair, self.looks),
            fair,
            active: active.clone(),
        });
        self.active = active;
        Ok(self.pieces.len() - 1)
    }
}
