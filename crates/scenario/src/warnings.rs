//! What is legal but seldom meant.

use crate::resolve::Resolved;
use switch::{Rules, SchemeKind};

/// Sentences for stderr.
pub(crate) fn of(resolved: &Resolved) -> Vec<String> {
    let switch = &resolved.switch;
    let mut found = Vec::new();
    // "SAQs alone can fill a port [...] the knob is Xoff x SAQs < slots; a warning says when it does not hold." (recn.md)
    if switch.scheme == SchemeKind::RecnDdIq {
        let packet_cells = resolved.packet_bytes.div_ceil(switch.cell_bytes).max(1);
        let slots = u64::from(switch.port_memory_bytes / switch.cell_bytes / packet_cells);
        let (saqs, xoff) = (
            u64::from(switch.recn.saqs),
            u64::from(switch.recn.thresholds.xoff),
        );
        if saqs * xoff >= slots && saqs > 0 {
            let most = (slots - 1) / saqs;
            let help = if most > 0 {
                format!("recn.xoff_packets of at most {most}, or fewer recn.saqs, leave it room")
            } else {
                "fewer recn.saqs leave it room".to_string()
            };
            found.push(format!(
                "recn.saqs x recn.xoff_packets = {saqs} x {xoff} packets reach the {slots} slots of a port: SAQs alone can fill it, and nothing is left for the cold queue; {help}"
            ));
        }
    }
    let tokens = Rules::of(switch.scheme).is_some_and(|rules| rules.tokens);
    if switch.recn.root_xoff_packets.is_some() && !tokens {
        found.push(format!(
            "recn.root_xoff_packets has no effect with `{}`: only `recn-basic` and `recn` read it",
            switch.scheme.name()
        ));
    }
    found
}
