//! What is legal but seldom meant.

use crate::keys::{GROUPS, HOT, MOVING};
use crate::resolve::Resolved;
use crate::scenario::Scenario;
use crate::traced::Checked;
use crate::windows::sources;
use ecn::marking::Marking;
use ecn::response::Algorithm;
use plan::{SaqPriority, SchemeKind};
use recn::Rules;
use units::Tick;
use workload::{GroupConfig, MovingConfig};

impl Scenario {
    /// What is legal but seldom meant: sentences for people.
    pub fn warnings(&self) -> Vec<String> {
        let resolved = &self.resolved;
        let switch = &resolved.switch;
        let mut found = Vec::new();
        // "SAQs alone can fill a port [...] the knob is Xoff x SAQs < slots; a warning says when it
        // does not hold." (recn.md)
        if switch.scheme == SchemeKind::RecnDdIq {
            let packet_cells = resolved.packet_bytes.div_ceil(switch.cell_bytes).max(1);
            let slots = u64::from(switch.port_memory_bytes / switch.cell_bytes / packet_cells);
            let (saqs, xoff) =
                (u64::from(switch.recn.saqs), u64::from(switch.recn.thresholds.xoff));
            if saqs * xoff >= slots && saqs > 0 {
                let most = (slots - 1) / saqs;
                let help = if most > 0 {
                    format!(
                        "recn.xoff_packets of at most {most}, or fewer recn.saqs, leave it room"
                    )
                } else {
                    "fewer recn.saqs leave it room".to_string()
                };
                found.push(format!(
                "recn.saqs x recn.xoff_packets = {saqs} x {xoff} packets reach the {slots} slots of a port: SAQs alone can fill it, and nothing is left for the cold queue; {help}"
            ));
            }
        }
        let tokens = switch.scheme.version().is_some_and(|v| Rules::of(v).tokens);
        if switch.recn.root_xoff_packets.is_some() && !tokens {
            found.push(format!(
            "recn.root_xoff_packets has no effect with `{}`: only `recn-basic` and `recn` read it",
            switch.scheme.name()
        ));
        }
        if switch.saq_priority == SaqPriority::Strict {
            let why = match (switch.scheme.version(), switch.wait_bound_packets) {
                (None, _) => format!("`{}` has no SAQs", switch.scheme.name()),
                (_, None) => "without a waiting bound no head is ever overdue".to_string(),
                _ => String::new(),
            };
            if !why.is_empty() {
                found.push(format!("switch.saq_priority = \"strict\" has no effect: {why}"));
            }
        }
        found.extend(ecn(resolved));
        let checked = resolved.trace.as_ref().map(|trace| trace.checked());
        if let Some(Ok(Checked { cut: Some(cut), .. })) = checked {
            found.push(format!("workload.trace: {cut}; what is before is used"));
        }
        let hot = resolved.workload.hot.iter();
        found.extend(hot.filter_map(|group| silent_group(resolved, HOT, group)));
        for (n, group) in resolved.workload.groups.iter().enumerate() {
            found.extend(silent_group(resolved, &format!("{GROUPS}[{n}]"), group));
        }
        let moving = resolved.workload.moving.iter();
        found.extend(moving.filter_map(|moving| {
            silent_group(resolved, MOVING, &moving.group()).or_else(|| never_hot(resolved, moving))
        }));
        found
    }
}

fn ecn(resolved: &Resolved) -> Vec<String> {
    let (Some(marks), Some(answers)) = (&resolved.switch.ecn, &resolved.endnode.ecn) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let response = answers.response.algorithm().name();
    if marks.marking == Marking::None && *answers.response.algorithm() != Algorithm::None {
        found.push(format!(
            "ecn.response = \"{response}\" with ecn.marking = \"none\": no packet is marked, so no rate falls"
        ));
    }
    let memory = resolved.switch.port_memory_bytes;
    if let Marking::Red(red) = marks.marking
        && red.kmin() >= memory
    {
        found.push(format!(
            "ecn.red_kmin_bytes = {}: a port memory of {memory} bytes never holds more, so no packet is marked",
            red.kmin()
        ));
    }
    let slowest = answers.response.slowest(resolved.packet_bytes);
    if slowest >= resolved.run.duration.since(Tick::ZERO) {
        found.push(format!(
            "ecn.response = \"{response}\": at its lowest rate a source starts a packet every {} ns, which is longer than the run",
            resolved.time_base.tick_to_ns(Tick(slowest.0))
        ));
    }
    found
}

/// Hot spots that move of which some are never hot.
fn never_hot(resolved: &Resolved, moving: &MovingConfig) -> Option<String> {
    let end = resolved.time_base.tick_to_ns(resolved.run.duration);
    let count = moving.group.destinations.len();
    let is_late = |i: &usize| moving.hot_from_ns(*i).is_none_or(|ns| ns as f64 >= end);
    let late = (0..count).filter(is_late).count();
    (late > 0).then(|| {
        format!(
            "{MOVING}.period_ns = {}: the run ends at {end} ns, before {late} of the {count} destinations become hot",
            moving.period_ns
        )
    })
}

/// A group of which all or some sources send nothing.
fn silent_group(resolved: &Resolved, key: &str, group: &GroupConfig) -> Option<String> {
    // A load of 0 is a point of a sweep, and the sources are the same at all its points: taking
    // them back among the random ones at 0 alone would change two things at once.
    if group.load.is_none() {
        return Some(format!(
            "{key}.load = 0: the sources of group `{}` send nothing, and are kept out of the random sources all the same; a scenario without [{key}] has them send random traffic",
            group.name
        ));
    }
    let ns = |ticks| resolved.time_base.tick_to_ns(ticks);
    let end = ns(resolved.run.duration);
    let start = group.start_ns;
    if start as f64 >= end {
        return Some(format!(
            "{key}.start_ns = {start}: the run ends at {end} ns, so nothing of group `{}` is measured, and its sources are kept out of the random sources all the same",
            group.name
        ));
    }
    let sources = sources(group, resolved.nodes);
    let starts = |j: &u64| start as f64 + *j as f64 * group.step_ns as f64 >= end;
    let silent = (0..sources).filter(starts).count();
    (silent > 0).then(|| {
        format!(
            "{key}.step_ns = {}: the run ends at {end} ns, before {silent} of the {sources} sources of group `{}` start",
            group.step_ns, group.name
        )
    })
}
