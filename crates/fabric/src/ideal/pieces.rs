//! Times without starts and stops, and the bounds in them.

use plan::FabricConfig;
use std::ops::Range;
use topology::{CUT_LOOKS, Flows, IdealError, MaxMin};
use units::{Ratio, Tick};
use workload::Generator;

/// So many pieces have all of [`CUT_LOOKS`] for their cut bounds; of more each has less.
const PIECES_WITH_ALL_LOOKS: usize = 8;

/// A time without starts and stops.
#[derive(Debug)]
pub(super) struct Piece {
    /// By generator: it is in its window.
    pub(super) active: Box<[bool]>,
    /// Bytes/ns.
    pub(super) offered: f64,
    pub(super) fair: MaxMin,
    /// Bytes/ns.
    pub(super) cut: f64,
}

/// All that were looked at so far.
#[derive(Debug)]
pub(super) struct Pieces<'a> {
    /// By source, as in the workload.
    generators: &'a [(u32, Generator)],
    pub(super) nodes: usize,
    ticks_per_ns: f64,
    pub(super) flows: Flows<'a>,
    /// The generators whose demands `flows` has.
    active: Box<[bool]>,
    pub(super) pieces: Vec<Piece>,
    /// For the search for each cut bound: equal in all windows.
    looks: usize,
    /// Why there are no bounds at all.
    failed: Option<IdealError>,
}

impl<'a> Pieces<'a> {
    pub(super) fn new(config: &'a FabricConfig) -> Pieces<'a> {
        let base = &config.time_base;
        let ticks_per_ns = base.ticks_per_ns();
        let rate = Ratio::new(base.phit_bytes().into(), base.link_phit_ticks().0)
            .and_then(|bytes_per_tick| bytes_per_tick.mul(ticks_per_ns))
            .expect("the time base was made from a link rate");
        let generators = &config.workload.generators;
        let mut pieces = Pieces {
            generators,
            nodes: config.network.nodes(),
            ticks_per_ns: ticks_per_ns.to_f64(),
            flows: Flows::new(&config.network, rate),
            active: vec![false; generators.len()].into(),
            pieces: Vec::new(),
            looks: 0,
            failed: None,
        };
        let mut changes: Vec<Tick> = pieces.changes().collect();
        changes.sort_unstable();
        changes.dedup();
        let looks = CUT_LOOKS * PIECES_WITH_ALL_LOOKS / changes.len().max(1);
        pieces.looks = looks.min(CUT_LOOKS);
        pieces
    }

    /// Starts and stops of all generators.
    pub(super) fn changes(&self) -> impl Iterator<Item = Tick> + use<'a> {
        let generators = self.generators.iter();
        generators.flat_map(|(_, g)| [g.start_tick(), g.end_tick()])
    }

    /// The sources, each with its generators.
    pub(super) fn sources(&self) -> Vec<(u32, Range<usize>)> {
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

    /// What the active generators of a source demand of each destination, bytes/ns.
    pub(super) fn row(&self, own: Range<usize>, active: &[bool]) -> Vec<f64> {
        let mut row = vec![0.0; self.nodes];
        for ((_, generator), _) in self.generators[own].iter().zip(active).filter(|g| *g.1) {
            generator.each_destination(|destination, bytes_per_tick| {
                row[destination as usize] += bytes_per_tick * self.ticks_per_ns;
            });
        }
        row
    }

    /// The number of the piece that `tick` is in.
    pub(super) fn at(&mut self, tick: Tick) -> Result<usize, IdealError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let is_active = |g: &(u32, Generator)| g.1.start_tick() <= tick && tick < g.1.end_tick();
        let active: Box<[bool]> = self.generators.iter().map(is_active).collect();
        if let Some(known) = self.pieces.iter().position(|piece| piece.active == active) {
            return Ok(known);
        }
        self.demand(&active).inspect_err(|error| {
            self.failed = Some(error.clone());
        })?;
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

    /// Tells `flows` what changes when these generators are active.
    fn demand(&mut self, active: &[bool]) -> Result<(), IdealError> {
        for (source, own) in self.sources() {
            if self.active[own.clone()] != active[own.clone()] {
                let row = self.row(own.clone(), &active[own]);
                self.flows.set(source, &row)?;
            }
        }
        Ok(())
    }
}
