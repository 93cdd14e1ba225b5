//! `cargo xtask memory-table`: what each scheme needs of queues and bits, a port and a switch, by
//! network size. Every number comes from the layouts that the model itself is built from.

use crate::page::Made;
use crate::reproduce::{Page, head};
use observe::Side;
use plan::scheme::PortView;
use plan::{
    Common, ConfigError, MemoryLayout, Organisation, Params, PortBits, PortSide, SAQ_REGISTERS,
    SchemeKind, VoqNetMemory, port_bits,
};
use setaside::Failure;
use setaside_tests::base::switch_config;
use turnpool::PoolKind;
use units::{Ratio, TimeBase, grouped};

/// Nodes of the BMIN, as in the papers.
const NODES: [u32; 4] = [64, 256, 512, 2048];
/// Ports of its switches.
const PORTS: u32 = 8;
const SAQS: u8 = 8;
const CELL_BYTES: u32 = 64;
const KB: u32 = 1024;

const SCHEMES: [SchemeKind; 9] = [
    SchemeKind::OneQueue,
    SchemeKind::VoqNet,
    SchemeKind::VoqSw,
    SchemeKind::Damq,
    SchemeKind::Dbbm,
    SchemeKind::RecnBasic,
    SchemeKind::Recn,
    SchemeKind::RecnDd,
    SchemeKind::RecnDdIq,
];

/// Defaults of `recn.saq_timer_ns`, `recn.retry_ns` and `recn.xoff_repeat_ns`.
const TIMER_NS: u64 = 1000;

/// One port of a switch between switches.
struct Port {
    params: Params,
    ingress_memory: MemoryLayout,
    egress_memory: Option<MemoryLayout>,
    ingress: PortBits,
    egress: PortBits,
}

impl Port {
    /// `memory_bytes` for each memory of a port: input and output, or (`recn-dd-iq`) input alone.
    fn new(scheme: SchemeKind, nodes: u32, memory_bytes: u32) -> Result<Port, ConfigError> {
        let iq = scheme == SchemeKind::RecnDdIq;
        let mut config = switch_config(scheme);
        config.organisation = if iq { Organisation::Iq } else { Organisation::Cioq };
        config.port_memory_bytes = memory_bytes;
        config.cell_bytes = CELL_BYTES;
        config.dbbm_queues = 8;
        config.voq_net_memory = VoqNetMemory::Grow;
        let time_base = TimeBase::new(2, Ratio::ONE, Ratio::ONE)
            .map_err(|e| ConfigError::Impossible { what: e.to_string() })?;
        let timer = time_base.ns_to_ticks_ceil(TIMER_NS);
        config.recn.saqs = SAQS;
        config.recn.saq_timer = timer;
        config.recn.retry = timer;
        config.recn.xoff_repeat = timer;
        config.recn.ppu_interval = time_base.link_phit_ticks();
        let common = Common {
            time_base,
            control_packet_bytes: 6,
            named_control_bytes: 6,
            packet_bytes: 64,
            nodes,
        };
        let params = Params::new(&config, common)?;
        let view = PortView { ports: PORTS, peer_ports: Some(PORTS), nodes };
        // The next switch is like this one.
        let ingress_memory = params.ingress_layout(view)?;
        let egress_memory = if iq { None } else { Some(params.egress_layout(view)?) };
        let counted: Vec<MemoryLayout> =
            [ingress_memory].into_iter().chain(egress_memory).collect();
        let pool = pool(nodes);
        let ingress = side(Side::Ingress, Some(ingress_memory), &[]);
        let egress = side(Side::Egress, egress_memory, &counted);
        Ok(Port {
            ingress: port_bits(&params, ingress, pool),
            egress: port_bits(&params, egress, pool),
            params,
            ingress_memory,
            egress_memory,
        })
    }

    fn both(&self) -> PortBits {
        self.ingress.plus(&self.egress)
    }

    /// How many bits of each register beside the CAM there are on both sides.
    fn registers(&self) -> Vec<u64> {
        let sides = [
            side(Side::Ingress, Some(self.ingress_memory), &[]),
            side(Side::Egress, self.egress_memory, &[]),
        ];
        let bits = |r: &plan::Register| sides.iter().map(|s| r.bits(&self.params, s)).sum();
        SAQ_REGISTERS.iter().map(bits).collect()
    }
}

fn side(side: Side, memory: Option<MemoryLayout>, counted: &[MemoryLayout]) -> PortSide<'_> {
    PortSide { side, memory, ports: PORTS, counted }
}

/// The smallest pool for the longest route: up through all stages but the last and down again.
fn pool(nodes: u32) -> PoolKind {
    let up = PORTS / 2;
    let stages = (1..).find(|&s| up.pow(s) >= nodes).expect("a power is as large");
    let bits = (2 * stages - 1) * turnpool::turn_width(PORTS, false);
    if bits <= PoolKind::As31.bits() { PoolKind::As31 } else { PoolKind::Extended }
}

/// Queues in and out; bits of a port and of a switch: a row for all sizes with the same.
fn table(memory: impl Fn(SchemeKind) -> u32) -> Result<String, ConfigError> {
    let mut text = String::new();
    for scheme in SCHEMES {
        let mut rows = Vec::new();
        for nodes in NODES {
            let port = Port::new(scheme, nodes, memory(scheme))?;
            let (both, ports) = (port.both(), u64::from(PORTS));
            let all = both.control() + both.data;
            let bits = [
                both.data,
                both.queue_registers,
                both.cam,
                both.saq,
                both.credits,
                all,
                ports * both.control(),
                ports * all,
            ];
            let (queues, bits) = (port.egress.queues, bits.map(grouped).join(" | "));
            rows.push((nodes, format!("{} | {queues} | {bits}", port.ingress.queues)));
        }
        for same in rows.chunk_by(|a, b| a.1 == b.1) {
            let nodes: Vec<String> = same.iter().map(|(nodes, _)| nodes.to_string()).collect();
            text += &format!("| `{scheme}` | {} | {} |\n", nodes.join(", "), same[0].1);
        }
    }
    Ok(text)
}

/// Every register beside the CAM: who has it, how wide it is, and what it costs each version.
fn registers() -> Result<String, ConfigError> {
    const VERSIONS: [SchemeKind; 4] =
        [SchemeKind::RecnBasic, SchemeKind::Recn, SchemeKind::RecnDd, SchemeKind::RecnDdIq];
    let columns = VERSIONS
        .iter()
        .map(|&scheme| Ok(Port::new(scheme, 64, memory_of(scheme))?.registers()))
        .collect::<Result<Vec<_>, ConfigError>>()?;
    let schemes = VERSIONS.map(|scheme| format!("`{scheme}`"));
    let heads = ["register", "holds", "side", "one for each", "bits"].into_iter();
    let mut text = head(heads.chain(schemes.iter().map(String::as_str)));
    for (at, register) in SAQ_REGISTERS.iter().enumerate() {
        let sides = match register.sides {
            [Side::Ingress] => "in",
            [Side::Egress] => "out",
            _ => "both",
        };
        let (name, holds, width) = (register.name, register.holds, register.width.name());
        text += &format!("| {name} | {holds} | {sides} | {} | {width} |", register.per.name());
        for (scheme, column) in VERSIONS.iter().zip(&columns) {
            text += &match register.schemes.contains(scheme) {
                true => format!(" {} |", grouped(column[at])),
                false => " |".to_string(),
            };
        }
        text.push('\n');
    }
    let sums = columns.iter().map(|column| grouped(column.iter().sum::<u64>()));
    Ok(format!("{text}| all | | | | | {} |\n", sums.collect::<Vec<_>>().join(" | ")))
}

fn memory_of(scheme: SchemeKind) -> u32 {
    if scheme == SchemeKind::RecnDdIq { 4 * KB } else { 32 * KB }
}

fn text() -> Result<String, Failure> {
    let mut page = Page::read("memory-table")?;
    for (name, number) in [
        ("ports", PORTS),
        ("saqs", SAQS.into()),
        ("cell_bytes", CELL_BYTES),
        ("timer_ns", TIMER_NS as u32),
        ("extended", PoolKind::Extended.bits()),
    ] {
        page.put(name, &number.to_string());
    }
    page.put("registers", &registers()?);
    page.put("papers", &table(memory_of)?);
    page.put("same", &table(|_| 4 * KB)?);
    let at = |scheme, memory| {
        Port::new(scheme, 64, memory).map(|p| (p.both().control() + p.both().data) as f64)
    };
    let iq = at(SchemeKind::RecnDdIq, 4 * KB)?;
    for kilobytes in [32, 8, 4] {
        let times = at(SchemeKind::Recn, kilobytes * KB)? / iq;
        page.put(&format!("at-{kilobytes}"), &format!("{times:.1}"));
    }
    page.finish()
}

pub(crate) fn pages() -> Result<Vec<Made>, Failure> {
    Ok(vec![("docs/memory-table.md".to_string(), text()?)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page;

    /// Every figure of the page on memory cost that the model computes.
    #[test]
    fn the_worked_examples_are_what_the_model_computes() {
        let page = page::read("docs/memory-cost.md").expect("the page");
        let row = |start: &str| {
            let row = page.lines().find(|line| line.starts_with(start));
            row.unwrap_or_else(|| panic!("a row `{start}`")).to_string()
        };
        let holds = |row: &str, number: u64| {
            let number = grouped(number);
            let words = row.split(|c: char| !c.is_ascii_digit() && c != ',');
            let found = words.map(|w| w.trim_matches(',')).any(|w| w == number);
            assert!(found, "{number} in: {row}");
        };
        let port = Port::new(SchemeKind::Recn, 64, 32 * KB).expect("legal");
        let (both, ports) = (port.both(), u64::from(PORTS));
        for side in [&port.ingress, &port.egress] {
            holds(&row("| queues |"), side.queues.into());
            holds(&row("| data | 512"), side.data);
            holds(&row("| queue registers | (512"), side.queue_registers);
            holds(&row("| CAM | 8"), side.cam);
            holds(&row("| SAQ registers | 6"), side.saq);
        }
        holds(&row("| credit counters | |"), both.credits);
        holds(&row("- Switch, control:"), ports * both.control());
        holds(&row("- Switch, data:"), ports * both.data);
        let of_saqs = row("- CAM and SAQ registers:");
        holds(&of_saqs, ports * (both.cam + both.saq));
        let share = 100.0 * both.control() as f64 / both.data as f64;
        assert!(of_saqs.contains(&format!("{share:.2} %")), "{share}");
        for scheme in [
            SchemeKind::OneQueue,
            SchemeKind::VoqSw,
            SchemeKind::Damq,
            SchemeKind::Dbbm,
            SchemeKind::VoqNet,
            SchemeKind::Recn,
        ] {
            let port = Port::new(scheme, 64, 32 * KB).expect("legal");
            let (row, both) = (row(&format!("| `{scheme}`")), port.both());
            holds(&row, port.ingress.queue_registers);
            holds(&row, port.egress.queue_registers);
            for bits in [both.cam, both.saq, both.credits, ports * both.control()] {
                holds(&row, bits);
            }
        }
    }
}
