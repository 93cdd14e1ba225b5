//! Sets of ports: one bit for each.

use units::PortId;

/// The ports of a set, lowest first.
#[inline]
pub(crate) fn ports(mask: u64) -> impl Iterator<Item = PortId> {
    units::bits::ones(mask).map(PortId::at)
}

/// The ports of a set from `pointer` on, cyclic.
#[inline]
pub(crate) fn ports_from(mask: u64, pointer: PortId) -> impl Iterator<Item = PortId> {
    units::bits::ones_from(mask, pointer.0.into()).map(PortId::at)
}

/// Single-resource round robin: the first port of a set at or after `pointer`, cyclic.
#[inline]
pub(crate) fn first_port(mask: u64, pointer: PortId) -> Option<PortId> {
    units::bits::first_from(mask, pointer.0.into(), |_| true).map(PortId::at)
}

#[inline]
pub(crate) fn has(mask: u64, port: PortId) -> bool {
    mask >> port.0 & 1 == 1
}
