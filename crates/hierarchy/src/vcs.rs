//! The VC of a hop (spec: rsi.md, Virtual channels). Local and global links number theirs apart.

use crate::kinds::{Algorithm, VcScheme};
use crate::node::PortKind;
use crate::trip::Trip;
use units::VcId;

impl VcScheme {
    /// VC of the link of this kind by which a packet with this state leaves. `diameter` is that of
    /// the local graph.
    pub fn vc(self, trip: &Trip, by: PortKind, diameter: u8) -> VcId {
        VcId(match by {
            PortKind::Node | PortKind::Unconnected => 0,
            PortKind::Global(_) => trip.globals,
            PortKind::Local => match self {
                VcScheme::HopCount => {
                    diameter.saturating_mul(trip.groups).saturating_add(trip.locals)
                }
                VcScheme::GlobalCount => trip.groups + trip.local_misroutes,
                VcScheme::PaperLiteral => trip.locals.min(1),
            },
        })
    }

    /// VCs that a link needs for a routing, local and global links alike.
    pub fn needed(self, algorithm: Algorithm, diameter: u8) -> u8 {
        let groups = match algorithm {
            Algorithm::Minimal => 2,
            Algorithm::Lar | Algorithm::Valiant | Algorithm::UgalL => 3,
            Algorithm::ValiantNode => 4,
        };
        match self {
            VcScheme::HopCount => diameter.saturating_mul(groups),
            VcScheme::GlobalCount => groups,
            VcScheme::PaperLiteral => 2,
        }
    }
}
