//! MU: the normal queue that takes an arriving packet.

use crate::params::Params;
use crate::scheme::QueueScheme;
use saq::QueueId;

/// Ingress queue by the scheme, SAQs aside.
#[inline]
pub(crate) fn normal_queue(params: &Params, output: u8, destination: &u32) -> QueueId {
    params.scheme.ingress_queue(u32::from(output), destination) as QueueId
}
