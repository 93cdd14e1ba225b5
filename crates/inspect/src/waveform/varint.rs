//! Integers of as many bytes as they need: seven bits a byte, the lowest first, the top bit set
//! where more follow.

/// An unsigned one (LEB128).
pub(crate) fn unsigned(out: &mut Vec<u8>, mut value: u64) {
    while value > 0x7f {
        out.push(value as u8 & 0x7f | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// A signed one (SLEB128).
pub(crate) fn signed(out: &mut Vec<u8>, mut value: i64) {
    while !(-64..64).contains(&value) {
        out.push(value as u8 & 0x7f | 0x80);
        value >>= 7;
    }
    out.push(value as u8 & 0x7f);
}

#[cfg(test)]
mod tests {
    use super::*;

    // The examples of the DWARF standard, section 7.6.
    #[test]
    fn integers_of_the_standard() {
        let unsigned = |value| {
            let mut out = Vec::new();
            unsigned(&mut out, value);
            out
        };
        let signed = |value| {
            let mut out = Vec::new();
            signed(&mut out, value);
            out
        };
        assert_eq!(unsigned(2), [2]);
        assert_eq!(unsigned(127), [127]);
        assert_eq!(unsigned(128), [0x80, 1]);
        assert_eq!(unsigned(12857), [57 + 0x80, 100]);
        assert_eq!(signed(2), [2]);
        assert_eq!(signed(-2), [0x7e]);
        assert_eq!(signed(127), [127 + 0x80, 0]);
        assert_eq!(signed(-127), [1 + 0x80, 0x7f]);
        assert_eq!(signed(128), [0x80, 1]);
        assert_eq!(signed(-129), [0x7f + 0x80, 0x7e]);
    }
}
