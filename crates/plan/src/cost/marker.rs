//! The registers of the ECN marker at an output (spec: ecn.md, Marking; docs/units/marker.md).

use super::{PortSide, bits_up_to};
use crate::Params;
use ecn::marking::Marking;
use observe::Side;
use units::Span;

/// cnt1 and cnt2, each up to the packets of all inputs; whether its link is blocked and a timer
/// since when it is not, where a time is given. `naive` and `red` need no counters: they look at a
/// memory, and at a queue.
pub(super) fn marker_bits(params: &Params, port: &PortSide<'_>) -> u64 {
    let Some(ecn) = params.config.ecn.filter(|_| port.side == Side::Egress) else {
        return 0;
    };
    let slots = u64::from(port.ports) * u64::from(params.receive_cells());
    let counters = match ecn.marking {
        Marking::None => return 0,
        Marking::Naive | Marking::Red(_) => 0,
        Marking::InputTriggered | Marking::InputOutputTriggered { .. } => 2,
    };
    let phits = |ticks: Span| ticks.0.div_ceil(params.link_phit.0);
    let blocked = match ecn.calm {
        Span::ZERO => 0,
        calm => 1 + bits_up_to(phits(calm)),
    };
    counters * bits_up_to(slots) + blocked
}
