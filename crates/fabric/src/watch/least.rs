//! How often a watchdog may look.

use plan::{LinkConfig, Params};
use units::Span;

/// The least time between two looks: in a healthy network that holds packets one of them moves in
/// it (starts on a link or over a crossbar, is admitted, ejected or moved by a PPU) while no
/// control packet is under way.
///
/// After the last move all that is on its way lands: the longest packet, its wire and the stages up
/// to a stored head. The room that it left is told upstream: its tail, the control packets ahead, a
/// credit packet (or RESUME of each VC), a wire and the stage of the receiver. Then some head has
/// what it needs, since routes that could lock are refused, and starts after arbitration, or goes
/// through a PPU first.
pub fn least_watchdog(params: &Params, link: &LinkConfig) -> Span {
    let overrides = link.wire_overrides.iter().map(|o| o.1);
    let wire = overrides.fold(link.wire, Span::max);
    let lengths = params.lengths(params.packet_bytes);
    let packet = lengths.link.max(lengths.crossbar) + params.link_phit;
    let words = params.pause.map_or(Span::ZERO, |pause| pause.span * u64::from(params.vcs));
    let stages = params.stages;
    let there = packet + wire + stages.ingress + stages.egress;
    let back =
        packet + params.named_span + params.credit_span + words + wire + stages.credit_return;
    let moved = params.recn.map_or(Span::ZERO, |recn| recn.ppu_interval);
    there + back + moved + (stages.arbitration + stages.injection) * 2 + Span(2)
}
