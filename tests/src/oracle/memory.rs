//! Bits of a port and of a switch, from the pages on memory cost and the specification (switch.md,
//! recn.md).

use super::Findings;
use fabric::{FabricConfig, MemoryBits, Record};
use switch::{Organisation, SchemeKind, VoqNetMemory, VoqSwOutput};
use topology::Endpoint;
use turnpool::PoolKind;

/// One port memory.
#[derive(Clone, Copy, Default)]
struct Memory {
    queues: u64,
    data: u64,
    registers: u64,
    cam: u64,
}

pub(super) fn compare(config: &FabricConfig, record: &Record, findings: &mut Findings) {
    let switch = &config.switch;
    let split =
        (switch.scheme, switch.voq_sw_output) == (SchemeKind::VoqSw, VoqSwOutput::SplitFifo);
    if split {
        return;
    }
    let printed = &record.summary.memory;
    let graph = config.network.graph();
    let (mut most, mut largest) = (0, Vec::new());
    let (mut control, mut data) = (0, 0);
    for switch in 0..graph.switches() as u32 {
        let (mut switch_control, mut switch_data) = (0, 0);
        for port in 0..graph.ports(switch) as u8 {
            let peer = match graph.peer(switch, port) {
                Endpoint::None => continue,
                Endpoint::Node(_) => None,
                Endpoint::Port { switch, .. } => Some(u64::from(graph.ports(switch))),
            };
            let ports = u64::from(graph.ports(switch));
            let (ingress, egress) = (ingress(config, ports), egress(config, ports, peer));
            let bits = MemoryBits {
                queues_ingress: ingress.queues as u32,
                queues_egress: egress.queues as u32,
                port_data_bits: ingress.data + egress.data,
                port_queue_bits: ingress.registers + egress.registers,
                port_cam_bits: ingress.cam + egress.cam,
                ..MemoryBits::default()
            };
            let all = bits.port_data_bits + bits.port_queue_bits + bits.port_cam_bits;
            if all > most {
                (most, largest) = (all, Vec::new());
            }
            if all == most {
                largest.push(bits);
            }
            switch_control += bits.port_queue_bits + bits.port_cam_bits;
            switch_data += bits.port_data_bits;
        }
        control = control.max(switch_control);
        data = data.max(switch_data);
    }
    let of_port = MemoryBits {
        switch_control_bits: 0,
        switch_data_bits: 0,
        ..*printed
    };
    if !largest.contains(&of_port) {
        findings.exact(
            "memory of the costliest port",
            &Some(&of_port),
            &largest.first(),
        );
    }
    let name = "memory.switch_control_bits";
    findings.exact(name, &printed.switch_control_bits, &control);
    findings.exact("memory.switch_data_bits", &printed.switch_data_bits, &data);
}

fn is_recn(scheme: SchemeKind) -> bool {
    matches!(
        scheme,
        SchemeKind::RecnBasic | SchemeKind::Recn | SchemeKind::RecnDd | SchemeKind::RecnDdIq
    )
}

/// Memory of so many cells and normal queues, with the SAQs of the scheme.
fn memory(config: &FabricConfig, cells: u64, normal: u64) -> Memory {
    let switch = &config.switch;
    let saqs = if is_recn(switch.scheme) {
        u64::from(switch.recn.saqs)
    } else {
        0
    };
    // Names for 0 to `cells`.
    let mut name_bits = 0;
    while (1_u64 << name_bits) <= cells {
        name_bits += 1;
    }
    let pool = match config.network.options().pool {
        PoolKind::As31 => 31,
        PoolKind::Extended => 128,
    };
    // V, B, R, and the leaf bit where there are tokens.
    let leaf = u64::from(matches!(
        switch.scheme,
        SchemeKind::RecnBasic | SchemeKind::Recn
    ));
    Memory {
        queues: normal + saqs,
        data: cells * u64::from(switch.cell_bytes) * 8,
        registers: (cells + 2 * (normal + saqs)) * name_bits,
        cam: saqs * (2 * pool + 3 + leaf),
    }
}

/// Cells of a port memory; `voq-net` may ask for two packets a queue.
fn cells(config: &FabricConfig, queues: u64) -> u64 {
    let switch = &config.switch;
    let cells = u64::from(switch.port_memory_bytes / switch.cell_bytes);
    if switch.scheme == SchemeKind::VoqNet && switch.voq_net_memory == VoqNetMemory::Grow {
        let packet = u64::from(config.packet_bytes.div_ceil(switch.cell_bytes));
        cells.max(2 * packet * queues)
    } else {
        cells
    }
}

fn ingress(config: &FabricConfig, ports: u64) -> Memory {
    let switch = &config.switch;
    if switch.organisation == Organisation::Oq {
        return Memory::default();
    }
    let queues = match switch.scheme {
        SchemeKind::OneQueue | SchemeKind::RecnBasic | SchemeKind::RecnDdIq => 1,
        SchemeKind::VoqSw | SchemeKind::Damq | SchemeKind::Recn | SchemeKind::RecnDd => ports,
        SchemeKind::VoqNet => config.network.nodes() as u64,
        SchemeKind::Dbbm => u64::from(switch.dbbm_queues),
    };
    memory(config, cells(config, queues), queues)
}

fn egress(config: &FabricConfig, ports: u64, peer_ports: Option<u64>) -> Memory {
    let switch = &config.switch;
    match switch.organisation {
        Organisation::Iq => return Memory::default(),
        // A share of a whole port memory for every input.
        Organisation::Oq => return memory(config, ports * cells(config, 1), 1),
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
    memory(config, cells(config, queues), queues)
}
