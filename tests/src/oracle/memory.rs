//! Bits of a port and of a switch, from the pages on memory cost and the specification (switch.md,
//! recn.md).

use super::history::History;
use crate::prelude::*;
use observe::MemoryBits;
use plan::{PfcQueues, VoqSwOutput};
use turnpool::PoolKind;

/// One port memory: its cells, and its normal queues.
#[derive(Clone, Copy)]
struct Memory {
    cells: u64,
    queues: u64,
}

/// Of the ports that cost the most the one that was printed stands.
pub(super) fn expected(history: &History<'_>, printed: &MemoryBits) -> MemoryBits {
    let config = history.config;
    let graph = config.network.graph();
    let (mut ports, mut control, mut data) = (Vec::new(), 0, 0);
    for switch in 0..graph.switches() as u32 {
        let own = u64::from(graph.ports(switch));
        let of_switch = (0..graph.ports(switch) as u8).filter_map(|port| {
            let peer = match graph.peer(switch, port) {
                Endpoint::None => return None,
                Endpoint::Node(_) => None,
                Endpoint::Port { switch, .. } => Some(u64::from(graph.ports(switch))),
            };
            Some(port_bits(config, own, peer))
        });
        let of_switch: Vec<MemoryBits> = of_switch.collect();
        control = control.max(of_switch.iter().map(control_bits).sum());
        data = data.max(of_switch.iter().map(|bits| bits.port_data_bits).sum());
        ports.extend(of_switch);
    }
    let all = |bits: &MemoryBits| control_bits(bits) + bits.port_data_bits;
    let most = ports.iter().map(all).max();
    let of_port = MemoryBits { switch_control_bits: 0, switch_data_bits: 0, ..*printed };
    let mut largest = ports.into_iter().filter(|bits| Some(all(bits)) == most);
    let first = largest.next().unwrap_or_default();
    let bits = if largest.any(|bits| bits == of_port) { of_port } else { first };
    MemoryBits { switch_control_bits: control, switch_data_bits: data, ..bits }
}

fn control_bits(bits: &MemoryBits) -> u64 {
    bits.port_queue_bits + bits.port_cam_bits + bits.port_saq_bits + bits.port_credit_bits
}

fn port_bits(config: &FabricConfig, ports: u64, peer: Option<u64>) -> MemoryBits {
    let sides = [(ingress(config, ports), true), (egress(config, ports, peer), false)];
    let mut bits = MemoryBits::default();
    for (memory, is_ingress) in sides {
        let saqs = saqs(config);
        // `iq`: outputs have lines alone, where asked for.
        let lines = if memory.is_some() || config.switch.recn.iq_egress_lines { saqs } else { 0 };
        bits.port_cam_bits += lines * line_bits(config);
        bits.port_saq_bits += saq_bits(config, memory, is_ingress, ports);
        let Some(memory) = memory else { continue };
        let queues = memory.queues + saqs;
        match is_ingress {
            true => bits.queues_ingress = queues as u32,
            false => bits.queues_egress = queues as u32,
        }
        bits.port_data_bits += memory.cells * u64::from(config.switch.cell_bytes) * 8;
        // A next-slot register a cell, head and tail a queue.
        bits.port_queue_bits += (memory.cells + 2 * queues) * bits_to(memory.cells);
    }
    // Free cells of the memory behind the link, and of the own output memory.
    let next = match peer {
        Some(ports) if config.switch.organisation != Organisation::Oq => ingress(config, ports),
        _ => None,
    };
    bits.port_credit_bits = match next {
        Some(next) => credit_bits(config, next),
        None => bits_to(port_cells(config)),
    };
    if let Some(own) = egress(config, ports, peer) {
        bits.port_credit_bits += if is_split(config) {
            // Of the memory, one FIFO a virtual channel is used.
            vcs(config) * bits_to(own.cells / own.queues)
        } else {
            credit_bits(config, own)
        };
    }
    bits
}

/// Bits that hold 0 to `most`.
fn bits_to(most: u64) -> u64 {
    let mut bits = 0;
    while (1_u64 << bits) <= most {
        bits += 1;
    }
    bits
}

fn is_recn(scheme: SchemeKind) -> bool {
    matches!(
        scheme,
        SchemeKind::RecnBasic | SchemeKind::Recn | SchemeKind::RecnDd | SchemeKind::RecnDdIq
    )
}

fn is_split(config: &FabricConfig) -> bool {
    let switch = &config.switch;
    (switch.scheme, switch.voq_sw_output) == (SchemeKind::VoqSw, VoqSwOutput::SplitFifo)
}

fn saqs(config: &FabricConfig) -> u64 {
    match is_recn(config.switch.scheme) {
        true => u64::from(config.switch.recn.saqs),
        false => 0,
    }
}

/// Turns and mask, V, B, R, and the leaf bit where there are tokens.
fn line_bits(config: &FabricConfig) -> u64 {
    let pool = match config.network.options().pool {
        PoolKind::As31 => 31,
        PoolKind::Extended => 128,
    };
    let tokens = matches!(config.switch.scheme, SchemeKind::RecnBasic | SchemeKind::Recn);
    2 * pool + 3 + u64::from(tokens)
}

/// Virtual channels, those of replies included.
fn vcs(config: &FabricConfig) -> u64 {
    let of_replies = if config.switch.reply_vcs { 2 } else { 1 };
    of_replies * u64::from(config.switch.vcs)
}

/// One counter a class: a class a queue with schemes that split the memory, else one a virtual
/// channel.
fn credit_bits(config: &FabricConfig, memory: Memory) -> u64 {
    match config.switch.scheme {
        SchemeKind::VoqSw | SchemeKind::VoqNet | SchemeKind::Dbbm => {
            memory.queues * bits_to(memory.cells / memory.queues)
        }
        _ => vcs(config) * bits_to(memory.cells / vcs(config)),
    }
}

/// Registers beside the CAM, and counters of detection: the table of the page, line by line.
fn saq_bits(config: &FabricConfig, memory: Option<Memory>, is_ingress: bool, ports: u64) -> u64 {
    use SchemeKind::{Recn, RecnBasic, RecnDdIq};
    let (scheme, recn, saqs) = (config.switch.scheme, &config.switch.recn, saqs(config));
    if saqs == 0 {
        return 0;
    }
    let phit = config.time_base.link_phit_ticks();
    let timer = |ticks: Span| bits_to(ticks.0.div_ceil(phit.0));
    let Some(memory) = memory else {
        // An output of `iq`: the input of the last packet through it, where there are no lines.
        let needed = scheme == RecnDdIq && !is_ingress && !recn.iq_egress_lines;
        return if needed { bits_to(ports) } else { 0 };
    };
    let (cell, line) = (bits_to(memory.cells), bits_to(saqs));
    let queue = bits_to(memory.queues + saqs);
    // Occupancy, Xoff in force, age; position, host and successor of its marker.
    let mut per_saq = cell + 1 + timer(recn.saq_timer.max(Span::TICK)) + cell + queue + line;
    let mut others = 0;
    if matches!(scheme, RecnBasic | Recn) {
        if is_ingress {
            // Owned, notified, when to notify again.
            per_saq += 1 + 1 + timer(recn.retry);
        } else {
            // Children of each SAQ and of the root, Xoff of the root.
            per_saq += ports;
            others += ports + u64::from(recn.root_xoff_packets.is_some());
        }
    } else {
        // When Xoff is repeated.
        per_saq += timer(recn.xoff_repeat);
    }
    if scheme == RecnDdIq {
        // First and last marker of a SAQ; packets of the cold queue by output; when the PPU moves.
        per_saq += 2 * line;
        others += ports * cell + timer(recn.ppu_interval);
    } else {
        // First and last marker of every queue.
        others += (memory.queues + saqs) * 2 * line;
        // Packets of each detection queue, and of the normal queue at an egress port.
        if !is_ingress || scheme != RecnBasic {
            others += memory.queues * cell;
        }
    }
    saqs * per_saq + others
}

fn port_cells(config: &FabricConfig) -> u64 {
    u64::from(config.switch.port_memory_bytes / config.switch.cell_bytes)
}

/// A port memory with so many normal queues in each virtual channel; `voq-net` may ask for two
/// packets a queue.
fn memory(config: &FabricConfig, queues: u64) -> Option<Memory> {
    let switch = &config.switch;
    let queues = queues * vcs(config);
    let mut cells = port_cells(config);
    if switch.scheme == SchemeKind::VoqNet && switch.voq_net_memory == VoqNetMemory::Grow {
        let packet = u64::from(config.packet_bytes.div_ceil(switch.cell_bytes));
        cells = cells.max(2 * packet * queues);
    }
    Some(Memory { cells, queues })
}

fn ingress(config: &FabricConfig, ports: u64) -> Option<Memory> {
    let switch = &config.switch;
    if switch.organisation == Organisation::Oq {
        return None;
    }
    let queues = match switch.scheme {
        SchemeKind::OneQueue | SchemeKind::RecnBasic | SchemeKind::RecnDdIq => 1,
        SchemeKind::VoqSw
        | SchemeKind::Damq
        | SchemeKind::VoqPerVc
        | SchemeKind::Recn
        | SchemeKind::RecnDd => ports,
        SchemeKind::Pfc => match switch.pfc.map(|pfc| pfc.queues) {
            Some(PfcQueues::VoqSw) => ports,
            _ => 1,
        },
        SchemeKind::VoqNet => config.network.nodes() as u64,
        SchemeKind::Dbbm => u64::from(switch.dbbm_queues),
    };
    memory(config, queues)
}

fn egress(config: &FabricConfig, ports: u64, peer_ports: Option<u64>) -> Option<Memory> {
    let switch = &config.switch;
    match switch.organisation {
        Organisation::Iq => return None,
        // A share of a whole port memory for every input.
        Organisation::Oq => {
            return Some(Memory { cells: ports * port_cells(config), queues: 1 });
        }
        Organisation::Cioq => {}
    }
    let queues = match (switch.scheme, switch.voq_sw_output) {
        (SchemeKind::VoqSw, VoqSwOutput::SplitFifo) => ports,
        (SchemeKind::VoqSw, VoqSwOutput::SingleFifo) => 1,
        (SchemeKind::VoqSw | SchemeKind::Damq, _) => peer_ports.unwrap_or(1),
        (SchemeKind::VoqNet, _) => config.network.nodes() as u64,
        (SchemeKind::Dbbm, _) => u64::from(switch.dbbm_queues),
        _ => 1,
    };
    memory(config, queues)
}
