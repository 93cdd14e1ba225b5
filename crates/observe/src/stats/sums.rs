//! Sums by place.

/// Adds the others to the own, place by place.
pub(super) fn add(own: &mut [u64], others: &[u64]) {
    for (own, others) in own.iter_mut().zip(others) {
        *own += others;
    }
}
