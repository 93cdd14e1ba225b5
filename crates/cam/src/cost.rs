use turnpool::PoolKind;

/// Bits of storage of one CAM line: turns and mask, V, B, R, then the leaf bit where the version
/// has one, and the service level. RECN without the leaf bit in AS: 62 + 3 = 65
/// (priya-recn-iq-2017).
pub fn line_bits(pool: PoolKind, leaf: bool, service_level_bits: u32) -> u32 {
    2 * pool.bits() + 3 + u32::from(leaf) + service_level_bits
}

#[cfg(test)]
mod tests {
    use super::*;

    // "65 bits a line = 62 + V, B, R [paper priya, for RECN without the leaf bit]; leaf and SL are
    // bits more"
    #[test]
    fn as_line_has_65_bits() {
        assert_eq!(line_bits(PoolKind::As31, false, 0), 65);
        assert_eq!(line_bits(PoolKind::As31, true, 0), 66);
        assert_eq!(line_bits(PoolKind::Extended, false, 0), 259);
        assert_eq!(line_bits(PoolKind::As31, true, 4), 70);
    }
}
