use crate::VcId;

/// Which virtual channel a packet takes on the link that follows a hop: one register of a routing
/// unit for each egress port of its switch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum VcStep {
    /// That of the link by which the packet came.
    #[default]
    Keep,
    /// This one.
    Set(VcId),
}

impl VcStep {
    /// The virtual channel of the next link for a packet that came over `vc`.
    #[inline(always)]
    pub fn next(self, vc: VcId) -> VcId {
        match self {
            Self::Keep => vc,
            Self::Set(next) => next,
        }
    }
}
