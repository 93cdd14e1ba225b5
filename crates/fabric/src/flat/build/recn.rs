//! What a scheme with SAQs has at every port and switch.

use super::ports::Built;
use super::{arbiter, ticks};
use crate::flat::NONE;
use crate::flat::recn::{Commits, Recn, SaqRequests, Side};
use ::recn::{IngressDetection, RecnPort};
use plan::{FabricConfig, Params, SaqPriority};
use std::collections::VecDeque;
use units::QueueId;

/// Sides of ports and registers of switches, where the scheme has SAQs. `timed`: all
/// sides are, always.
pub(super) fn recn(config: &FabricConfig, params: &Params, built: &Built, timed: bool) -> Recn {
    let (Some(thresholds), Some(rules)) = (params.recn, params.rules) else {
        let mut recn = Recn::default();
        if let Some(pause) = &params.pause {
            recn.have_named(built.port.len(), ticks(pause.span));
        }
        return recn;
    };
    let saqs = params.saqs() as usize;
    let ingress = built.port.iter().map(|port| {
        let normal = usize::from(port.ingress_queues);
        let lines = (normal > 0 && saqs > 0)
            .then(|| RecnPort::new(saqs, QueueId::at(normal), rules, rules.moves()));
        let outputs = if rules.moves() { port.ports.into() } else { 0 };
        Side::new(lines, (normal, saqs), outputs)
    });
    let without_queues = config.switch.recn.iq_egress_lines;
    let egress = built.port.iter().map(|port| {
        let normal = usize::from(port.egress_queues);
        let lines = ((normal > 0 || without_queues) && saqs > 0)
            .then(|| RecnPort::new(saqs, QueueId::at(normal), rules, false));
        Side::new(lines, (normal, saqs), 0)
    });
    let sides: Vec<Side> = ingress.chain(egress).collect();
    let graph = config.network.graph();
    let switches = (0..graph.switches() as u32).map(|s| {
        let radix = graph.ports(s) as usize;
        Commits {
            messages: Vec::with_capacity(2 * radix),
            tokens: Vec::with_capacity(radix),
            next_timer: NONE,
            wanted: 0,
            arbiter: arbiter(config, s, 0x5a90_0000_0000_0001),
        }
    });
    let (mut pairs, mut count) = (vec![0; built.port.len()], 0);
    for (pair, port) in pairs.iter_mut().zip(&built.port) {
        if port.at_switch {
            *pair = count;
            count += u32::from(port.ports);
        }
    }
    let below_root = thresholds.root_xoff_packets.filter(|_| rules.tokens);
    let ports = built.port.len();
    Recn {
        config: Some((thresholds, rules)),
        xoff_packets: thresholds.thresholds.xoff,
        moves: rules.moves(),
        named_span: ticks(params.named_span),
        strict: config.switch.saq_priority == SaqPriority::Strict,
        timed: vec![timed || rules.moves(); sides.len()],
        ingress_below: match rules.ingress_detection {
            IngressDetection::None => u32::MAX,
            _ => thresholds.detection_ingress_packets,
        },
        egress_below: below_root
            .unwrap_or(u32::MAX)
            .min(thresholds.detection_egress_packets.saturating_add(1)),
        calm: Vec::with_capacity(sides.len()),
        ahead: Vec::new(),
        requests: vec![SaqRequests::default(); ports],
        switches: switches.collect(),
        pairs,
        saqs_of: vec![0; count as usize],
        pointers: vec![0; count as usize],
        saq_of: vec![0; count as usize],
        inputs_of: vec![0; 64],
        waiting: (0..ports).map(|_| VecDeque::new()).collect(),
        wires: (0..ports).map(|_| VecDeque::new()).collect(),
        asked: vec![NONE; graph.switches() + config.network.nodes()],
        due: Vec::new(),
        sides,
    }
}
