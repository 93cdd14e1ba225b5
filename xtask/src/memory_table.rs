//! `cargo xtask memory-table`: what each scheme needs of queues and bits, a port and a switch, by network size. Every number
//! comes from the layouts that the model itself is built from.

use crate::page::{self, grouped};
use setaside::Failure;
use setaside_tests::base::switch_config;
use std::fmt::Write as _;
use switch::scheme::PortView;
use switch::{
    ConfigError, Organisation, Params, PortBits, SERVICE_LEVEL_BITS, SchemeKind, VoqNetMemory,
    port_bits,
};
use turnpool::PoolKind;
use units::{Ratio, TimeBase};

const PAGE: &str = "docs/memory-table.md";

/// Nodes of the BMIN, as in the papers.
const NODES: [u32; 4] = [64, 256, 512, 2048];
/// Ports of its switches.
const PORTS: u32 = 8;
const SAQS: u8 = 8;
const CELL_BYTES: u32 = 64;
const KB: u32 = 1024;

const SCHEMES: [SchemeKind; 7] = [
    SchemeKind::VoqNet,
    SchemeKind::VoqSw,
    SchemeKind::Dbbm,
    SchemeKind::RecnBasic,
    SchemeKind::Recn,
    SchemeKind::RecnDd,
    SchemeKind::RecnDdIq,
];

/// Ingress and egress side of one port of a switch between switches.
struct Port {
    ingress: PortBits,
    egress: PortBits,
}

impl Port {
    fn sum(&self, of: impl Fn(&PortBits) -> u64) -> u64 {
        of(&self.ingress) + of(&self.egress)
    }

    fn control(&self) -> u64 {
        self.sum(|b| b.queue_registers + b.cam)
    }

    fn total(&self) -> u64 {
        self.control() + self.sum(|b| b.data)
    }
}

/// `memory_bytes` for each memory of a port: input and output, or (`recn-dd-iq`) input alone.
fn port(scheme: SchemeKind, nodes: u32, memory_bytes: u32) -> Result<Port, ConfigError> {
    let iq = scheme == SchemeKind::RecnDdIq;
    let mut config = switch_config(scheme);
    config.organisation = if iq {
        Organisation::Iq
    } else {
        Organisation::Cioq
    };
    config.port_memory_bytes = memory_bytes;
    config.cell_bytes = CELL_BYTES;
    config.dbbm_queues = 8;
    config.voq_net_memory = VoqNetMemory::Grow;
    config.recn.saqs = SAQS;
    let time_base =
        TimeBase::new(2, Ratio::ONE, Ratio::ONE).map_err(|e| ConfigError::Impossible {
            what: e.to_string(),
        })?;
    let params = Params::new(&config, time_base, 6, 6, 64, nodes)?;
    let view = PortView {
        ports: PORTS,
        peer_ports: Some(PORTS),
        nodes,
    };
    let leaf = params.rules.is_some_and(|rules| rules.tokens);
    let pool = pool(nodes);
    let side = |layout| port_bits(layout, CELL_BYTES, params.saqs(), pool, leaf);
    Ok(Port {
        ingress: side(params.ingress_layout(view)?),
        egress: if iq {
            PortBits::default()
        } else {
            side(params.egress_layout(view)?)
        },
    })
}

/// The smallest pool that holds the longest route: up through all stages but the last and down again, a turn a switch.
fn pool(nodes: u32) -> PoolKind {
    let up = PORTS / 2;
    let stages = (1..)
        .find(|&s| up.pow(s) >= nodes)
        .expect("a power is as large");
    let bits = (2 * stages - 1) * turnpool::turn_width(PORTS, false);
    if bits <= PoolKind::As31.bits() {
        PoolKind::As31
    } else {
        PoolKind::Extended
    }
}

fn table(text: &mut String, memory: impl Fn(SchemeKind) -> u32) -> Result<(), ConfigError> {
    text.push_str(
        "| scheme | nodes | queues in | queues out | data, bits/port | registers, bits/port | CAM, bits/port | all, bits/port | control, bits/switch | all, bits/switch |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    for scheme in SCHEMES {
        for nodes in NODES {
            let port = port(scheme, nodes, memory(scheme))?;
            let ports = u64::from(PORTS);
            let _ = writeln!(
                text,
                "| `{scheme}` | {nodes} | {} | {} | {} | {} | {} | {} | {} | {} |",
                port.ingress.queues,
                port.egress.queues,
                grouped(port.sum(|b| b.data)),
                grouped(port.sum(|b| b.queue_registers)),
                grouped(port.sum(|b| b.cam)),
                grouped(port.total()),
                grouped(ports * port.control()),
                grouped(ports * port.total()),
            );
        }
    }
    Ok(())
}

/// The page.
pub(crate) fn text() -> Result<String, ConfigError> {
    let dd = cam::line_bits(PoolKind::As31, false, SERVICE_LEVEL_BITS);
    let tokens = cam::line_bits(PoolKind::As31, true, SERVICE_LEVEL_BITS);
    let extended = PoolKind::Extended.bits();
    let mut text = format!(
        "# Queues and memory by scheme and network size\n\n\
         Written by `cargo xtask memory-table` from the layouts that the model is built from; a test compares. BMIN of {PORTS}-port \
         switches, cells of {CELL_BYTES} bytes, packets of one cell, {SAQS} SAQs, `dbbm` with 8 queues; turn pool of 31 bits (AS), but of {extended} bits (`extended`) with 2048 nodes, whose longest route of 33 \
         bits AS cannot hold. \
         A row is a port between two switches, its input and output memory added; `recn-dd-iq` has the input memory only.\n\n\
         ## Formulas\n\n\
         For each memory of a port, with C cells, Q queues (SAQs included) and S SAQs, n = bits that name one of C cells:\n\n\
         | part | bits |\n|---|---|\n\
         | data | C x {CELL_BYTES} x 8 |\n\
         | registers | (C + 2 Q) n: a next-slot register for each cell, head and tail for each queue |\n\
         | CAM | S x line |\n\
         | line, `recn-basic`, `recn` | pool turns + pool mask + V + B + R + leaf = {tokens} with 31 bits |\n\
         | line, `recn-dd`, `recn-dd-iq` | pool turns + pool mask + V + B + R = {dd} with 31 bits; service level {SERVICE_LEVEL_BITS} bits, there is one |\n\n\
         | scheme | normal queues in | out | cells |\n|---|---|---|---|\n\
         | `voq-net` | nodes | nodes | memory, but two packets a queue (`voq_net.memory = \"grow\"`) |\n\
         | `voq-sw` | ports | ports of the next switch | memory |\n\
         | `dbbm` | 8 | 8 | memory |\n\
         | `recn-basic` | 1 | 1 | memory |\n\
         | `recn`, `recn-dd` | ports (detection queues) | 1 | memory |\n\
         | `recn-dd-iq` | 1 (cold queue) | none | memory |\n\n\
         Not counted: what a line has beside the CAM (marker record, child ports or owner, Xoff in force, age), counters of the CDU, \
         and credit counters, of which `voq-net` has one a queue. With `recn.iq_egress_lines` an output \
         of `recn-dd-iq` has {SAQS} lines more.\n\n\
         ## Memories as in the papers\n\n\
         32 KB for each memory of `cioq` (garcia-trees-2005), 4 KB for that of `recn-dd-iq` (priya-recn-iq-2017).\n\n"
    );
    table(&mut text, |scheme| {
        if scheme == SchemeKind::RecnDdIq {
            4 * KB
        } else {
            32 * KB
        }
    })?;
    text.push_str("\n## The same memory for all\n\n4 KB for each memory.\n\n");
    table(&mut text, |_| 4 * KB)?;
    let at = |scheme, memory| port(scheme, 64, memory).map(|p| p.total() as f64);
    let iq = at(SchemeKind::RecnDdIq, 4 * KB)?;
    let _ = writeln!(
        text,
        "\n## Beside the paper\n\n\
         priya-recn-iq-2017 states that a port of RECN-DD-IQ needs 5 times less memory than one of RECN-CIOQ. Which memories the paper compares is not \
         printed. Here `recn` needs {:.1} times the bits of `recn-dd-iq` with 32 KB memories, {:.1} times with 8 KB, and {:.1} times with 4 KB. \
         In queues, `voq-net` grows with the network and is far above the RECN family, whose numbers do not depend on it.",
        at(SchemeKind::Recn, 32 * KB)? / iq,
        at(SchemeKind::Recn, 8 * KB)? / iq,
        at(SchemeKind::Recn, 4 * KB)? / iq,
    );
    Ok(text)
}

/// Writes the page.
pub(crate) fn write() -> Result<(), Failure> {
    page::write(PAGE, &text()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// "Queues and memory needed per port and per switch by scheme and network size [...] as a computed table" (issue): the page
    /// is what the model computes.
    #[test]
    fn the_page_is_what_the_model_computes() {
        let page = page::read(PAGE).expect("the page");
        assert_eq!(
            page,
            text().expect("legal layouts"),
            "`cargo xtask memory-table` writes it anew"
        );
    }

    /// "65 bits a line" (recn.md), by hand: 8 lines; 64 cells named by 7 bits, 9 queues.
    #[test]
    fn a_port_of_recn_dd_iq_by_hand() {
        let port = port(SchemeKind::RecnDdIq, 64, 4 * KB).expect("legal");
        assert_eq!(port.sum(|b| b.cam), 8 * 65);
        assert_eq!(port.sum(|b| b.queue_registers), (64 + 2 * 9) * 7);
        assert_eq!(port.sum(|b| b.data), 64 * 64 * 8);
    }
}
