//! What fabrics have beyond the plainest, and the modes in which the engine is compiled: what a
//! plain fabric lacks costs its packets nothing.

use super::records::Words;
use ecn::marking::Marking;
use hierarchy::LarDecision;
use plan::{FabricConfig, Organisation, Params, RoutingKind};
use std::marker::PhantomData;
use std::ops::Deref;

/// How the engine is compiled.
pub(crate) trait Mode: Send + Sync + 'static {
    /// What follows from a start is told at once, ahead of its tick.
    const EAGER: bool;
    /// Whether the fabric has SAQs, of one that has nothing else of [`Features`]; none of any.
    const SAQS: Option<bool>;
    /// The fabric has nothing of [`Features`] but SAQs, if these.
    const PLAIN: bool = Self::SAQS.is_some();
    /// What the fabric has, where it is known when this is compiled.
    const KNOWN: Option<Features> = match Self::SAQS {
        Some(saqs) => Some(Features { saqs, ..Features::NONE }),
        None => None,
    };
}

/// Eager, for fabrics with nothing of [`Features`].
#[derive(Debug)]
pub(crate) struct Plain;

/// Eager, for fabrics with SAQs and nothing else of [`Features`]: most.
#[derive(Debug)]
pub(crate) struct Saqs;

/// Eager, for all others.
#[derive(Debug)]
pub(crate) struct Eager;

/// Everything is told in its tick.
#[derive(Debug)]
pub(crate) struct Timed;

impl Mode for Plain {
    const EAGER: bool = true;
    const SAQS: Option<bool> = Some(false);
}

impl Mode for Saqs {
    const EAGER: bool = true;
    const SAQS: Option<bool> = Some(true);
}

impl Mode for Eager {
    const EAGER: bool = true;
    const SAQS: Option<bool> = None;
}

impl Mode for Timed {
    const EAGER: bool = false;
    const SAQS: Option<bool> = None;
}

/// What a fabric has beyond the plainest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Features {
    pub(super) saqs: bool,
    pub(super) is_iq: bool,
    pub(super) is_oq: bool,
    /// An input may send to several outputs at once.
    pub(super) multicast: bool,
    pub(super) oldest_first: bool,
    pub(super) store_and_forward: bool,
    /// Credit takes no time of the link.
    pub(super) out_of_band: bool,
    /// Ways by tables, not by turns.
    pub(super) tables: bool,
    /// Queues are those of destinations, not of outputs.
    pub(super) by_destination: bool,
    /// Queues of an ingress port share outputs.
    pub(super) shared: bool,
    /// Several virtual channels.
    pub(super) vcs: bool,
    /// There are marks, pauses or a bound on passing.
    pub(super) extras: bool,
    /// Stores are events.
    pub(super) stores_timed: bool,
    /// Packets are answered (ECN).
    pub(super) answers: bool,
    pub(super) two_level: bool,
    pub(super) faults: bool,
    /// There may be sets of queues or classes that fit no word.
    pub(super) wide: bool,
    /// Each queue has its room behind the crossbar, and there may be many ([`super::many`]).
    pub(super) many: bool,
}

impl Features {
    pub(super) const NONE: Features = Features {
        saqs: false,
        is_iq: false,
        is_oq: false,
        multicast: false,
        oldest_first: false,
        store_and_forward: false,
        out_of_band: false,
        tables: false,
        by_destination: false,
        shared: false,
        vcs: false,
        extras: false,
        stores_timed: false,
        answers: false,
        two_level: false,
        faults: false,
        wide: false,
        many: false,
    };

    pub(super) fn of(config: &FabricConfig, params: &Params) -> Features {
        let switch = &config.switch;
        let marks = switch.ecn.is_some_and(|ecn| ecn.marking != Marking::None);
        let is_oq = switch.organisation == Organisation::Oq;
        let decision = switch.adaptive.map(|adaptive| adaptive.decision);
        let decides_again = decision == Some(LarDecision::Head);
        let features = Features {
            saqs: params.recn.is_some(),
            is_iq: switch.organisation == Organisation::Iq,
            is_oq,
            multicast: switch.input_multicast_read,
            oldest_first: switch.arbiter.reads_ages(),
            store_and_forward: params.store_and_forward,
            out_of_band: params.credit_span.is_zero() && params.pause.is_none(),
            tables: config.routing != RoutingKind::Turns,
            by_destination: params.scheme.queues_share_outputs(),
            shared: params.shared_outputs || decides_again,
            vcs: params.vcs > 1,
            extras: marks || params.pause.is_some() || switch.max_bypass.is_some(),
            stores_timed: marks || is_oq,
            answers: config.endnode.ecn.is_some(),
            two_level: switch.adaptive.is_some() && config.network.hierarchy().is_some(),
            faults: !config.faults.is_none(),
            wide: params.scheme.queues_share_outputs() || params.vcs > 1 || params.saqs() >= 64,
            many: false,
        };
        let is_simple = !(features.is_iq || features.is_oq || features.vcs);
        let many = features.by_destination && is_simple && !(features.extras || features.two_level);
        Features { many, ..features }
    }

    /// A set as it may be.
    #[inline(always)]
    pub(super) fn words(&self, words: Words) -> Words {
        if self.wide { words } else { Words::default() }
    }
}

/// The [`Features`] of a fabric: those of its mode, if the compiler knows them.
#[derive(Debug)]
pub(super) struct Rare<M>(Features, PhantomData<M>);

impl<M: Mode> Rare<M> {
    /// # Panics
    /// If the mode is that of other fabrics.
    pub(super) fn new(features: Features) -> Rare<M> {
        assert!(M::KNOWN.is_none_or(|known| known == features), "another mode: {features:?}");
        Rare(features, PhantomData)
    }
}

impl<M: Mode> Deref for Rare<M> {
    type Target = Features;

    #[inline(always)]
    fn deref(&self) -> &Features {
        const { &M::KNOWN }.as_ref().unwrap_or(&self.0)
    }
}
