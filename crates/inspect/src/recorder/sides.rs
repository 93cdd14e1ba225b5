//! Sides of ports, by number.

use observe::Place;
use units::WireId;

pub(super) const SIDES: [&str; 3] = ["ingress", "egress", "injection"];

/// Index of one side of a port.
pub(super) fn slot(place: Place) -> usize {
    2 * place.port.index() + place.side as usize
}

/// Index into [`SIDES`] of the side that a slot stands for.
pub(super) fn side_of(slot: usize, first_node_port: WireId) -> usize {
    match slot % 2 {
        0 => 0,
        _ if slot / 2 >= first_node_port.index() => 2,
        _ => 1,
    }
}
