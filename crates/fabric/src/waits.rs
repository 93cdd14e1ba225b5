//! Who waits for whom: the dump of a run that is stuck.

use crate::part::Whole;
use std::fmt::Write as _;
use switch::{InPort, OutPort, Packets, RecnPort};

const LINES_MAX: usize = 200;

/// One line for each queue that holds packets: its head, and what it waits for.
pub(crate) fn dump(whole: Whole<'_>) -> String {
    let mut text = String::new();
    let mut lines = 0;
    let mut line = |what: String| {
        lines += 1;
        if lines <= LINES_MAX {
            text.push_str("  ");
            text.push_str(&what);
            text.push('\n');
        }
    };
    for (part, switch) in whole.switches() {
        let packets = &part.medium.packets;
        for input in switch.inputs.iter() {
            for queue in 0..input.memory.queues() as u16 {
                if let Some(what) = waits_at_input(packets, &switch.outputs, input, queue) {
                    line(what);
                }
            }
        }
        for output in switch.outputs.iter() {
            output_lines(packets, output, &mut line);
        }
    }
    for (part, node) in whole.nodes() {
        output_lines(&part.medium.packets, &node.injection, &mut line);
    }
    if lines > LINES_MAX {
        let _ = writeln!(text, "  and {} queues more", lines - LINES_MAX);
    }
    text
}

fn head(packets: &Packets, id: u32) -> String {
    let p = &packets[id];
    format!("n{}->n{} #{}", p.source, p.destination, p.sequence)
}

/// Why a SAQ does not request, if it does not.
fn saq_state(recn: Option<&RecnPort>, queue: u16) -> Option<&'static str> {
    let recn = recn?;
    let line = recn.line(queue)?;
    if !recn.cam.ready(line) {
        Some("its marker")
    } else if recn.cam.blocked(line) {
        Some("Xon")
    } else {
        None
    }
}

fn waits_at_input(
    packets: &Packets,
    outputs: &[OutPort],
    input: &InPort,
    queue: u16,
) -> Option<String> {
    let id = input.memory.front(queue)?;
    let p = &packets[id];
    let output = &outputs[usize::from(p.output)];
    let why = saq_state(input.recn.as_deref(), queue)
        .map(str::to_string)
        .unwrap_or_else(|| {
            let available = output.behind_crossbar().available(p.class);
            if available < u32::from(p.cells) {
                format!(
                    "room behind {} ({available} of {} cells of class {})",
                    output.link.unit, p.cells, p.class
                )
            } else {
                format!("the crossbar to {}", output.link.unit)
            }
        });
    Some(format!(
        "{} queue {queue}: {} packets, head {} waits for {why}",
        input.unit,
        input.memory.packets(queue),
        head(packets, id)
    ))
}

fn output_lines(packets: &Packets, output: &OutPort, line: &mut impl FnMut(String)) {
    for queue in 0..output.memory.queues() as u16 {
        let Some(id) = output.memory.front(queue) else {
            continue;
        };
        let p = &packets[id];
        let why = saq_state(output.recn.as_deref(), queue)
            .map(str::to_string)
            .unwrap_or_else(|| {
                let available = output.link.credits.available(p.class);
                if available < u32::from(p.cells) {
                    format!(
                        "credit ({available} of {} cells of class {})",
                        p.cells, p.class
                    )
                } else {
                    "the link".to_string()
                }
            });
        line(format!(
            "{} queue {queue}: {} packets, head {} waits for {why}",
            output.link.unit,
            output.memory.packets(queue),
            head(packets, id)
        ));
    }
}
