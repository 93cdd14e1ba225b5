/// The widest turn, in bits.
pub const TURN_WIDTH_MAX: u32 = 32;

/// Bits of a turn in a switch of `ports` ports: turns 0..=P-2, or 0..=P-1 where a packet may leave
/// through the port it came by (`self_turn`). At least 1.
#[inline]
pub fn turn_width(ports: u32, self_turn: bool) -> u32 {
    let turns = if self_turn { ports } else { ports.saturating_sub(1) };
    (u32::BITS - turns.saturating_sub(1).leading_zeros()).max(1)
}

/// The turn from `in_port` to `out_port`: (out - in - 1) mod P. P-1 is the way back.
#[inline]
pub fn turn(in_port: u32, out_port: u32, ports: u32) -> u32 {
    debug_assert!(in_port < ports && out_port < ports);
    wrap(out_port + ports - in_port - 1, ports)
}

/// The port that a forward packet leaves by: (in + turn + 1) mod P.
#[inline]
pub fn forward(in_port: u32, turn: u32, ports: u32) -> u32 {
    debug_assert!(in_port < ports);
    wrap(in_port + turn + 1, ports)
}

/// The port that a backward packet (D = 1) leaves by: (in - turn - 1) mod P.
#[inline]
pub fn backward(in_port: u32, turn: u32, ports: u32) -> u32 {
    debug_assert!(in_port < ports);
    // A turn of P or more does not occur in a legal route, but fits its bits.
    let turn = if turn < ports { turn } else { turn % ports };
    wrap(in_port + ports - turn - 1, ports)
}

/// `sum` mod P; legal turns sum to less than 2P, which spares the division.
#[inline]
fn wrap(sum: u32, ports: u32) -> u32 {
    if sum < ports {
        sum
    } else if sum - ports < ports {
        sum - ports
    } else {
        sum % ports
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // "Turn value, P-port switch: forward out = (in + turn + 1) mod P; backward out = (in - turn -
    // 1) mod P"
    #[test]
    fn forward_and_backward_undo_each_other() {
        for ports in 2..=64 {
            for in_port in 0..ports {
                for value in 0..ports {
                    let out = forward(in_port, value, ports);
                    assert_eq!(out, (in_port + value + 1) % ports);
                    assert_eq!(turn(in_port, out, ports), value);
                    assert_eq!(backward(out, value, ports), in_port);
                }
            }
        }
    }

    // "Turn in 0..P-2 (no U-turn), width = ceil(log2(P-1)) bits, at least 1.
    // With workload.self the turn P-1 is allowed, width ceil(log2 P)."
    #[test]
    fn width_is_the_least_that_holds_every_turn() {
        for ports in 2..=64u32 {
            for (self_turn, highest) in [(false, ports - 2), (true, ports - 1)] {
                let width = turn_width(ports, self_turn);
                assert!(highest < 1 << width, "{ports} ports");
                assert!(width == 1 || highest >= 1 << (width - 1), "{ports} ports");
            }
        }
        assert_eq!((turn_width(8, false), turn_width(8, true)), (3, 3));
        assert_eq!((turn_width(9, false), turn_width(9, true)), (3, 4));
    }

    // A header may carry any bits: a turn of P or more counts mod P.
    #[test]
    fn turn_beyond_the_ports_wraps() {
        for value in 0..64 {
            assert_eq!(forward(4, value, 5), (4 + value + 1) % 5);
            assert_eq!(backward(forward(4, value, 5), value, 5), 4);
        }
    }
}
