//! Windows of time with results of their own: those given, else by the workload.

use crate::draft::Draft;
use crate::keys::{self, WINDOW};
use crate::plain::Plain;
use crate::scenario::Scenario;
use plan::{RunConfig, WindowConfig};
use units::{Tick, TimeBase};
use workload::{GroupConfig, Sources, WorkloadConfig};

pub(crate) const WINDOWS_MAX: usize = 16;

/// Length of the window after the last stop (spec: scenarios.md, `garcia-trees-2005`).
const AFTER_NS: u64 = 200_000;

pub(crate) fn given(draft: &Draft, time_base: &TimeBase, run: &RunConfig) -> Vec<WindowConfig> {
    let before = draft.found();
    let mut windows: Vec<(Tick, Tick, &str)> = Vec::new();
    for path in draft.windows() {
        let known = draft.found();
        let Some(Plain::Span(span)) = draft.plain(path) else { continue };
        let [start, end] = span.map(|ns| Tick::ZERO + draft.ticks_of(path, ns));
        if end <= start && draft.found() == known {
            let what = format!("{} does not end after its start", draft.show(path));
            draft.refuse(&[path], what, "legal: [start, end] in ns, the end above the start");
        }
        windows.push((start, end, path));
    }
    if windows.len() > WINDOWS_MAX {
        let what = format!("{} windows", windows.len());
        draft.refuse(&[WINDOW.path], what, format!("legal: up to {WINDOWS_MAX}"));
    }
    if draft.found() > before {
        return Vec::new();
    }
    windows.sort_unstable();
    for pair in windows.windows(2) {
        if let [(.., end, a), (start, _, b)] = *pair
            && start < end
        {
            let what = format!("{a} = {} overlaps {b} = {}", draft.show(a), draft.show(b));
            let help = "legal: windows apart from each other; one may start where another ends";
            draft.refuse(&[b, a], what, help);
        }
    }
    let run_ends = format!("the run ends at {} ns", time_base.tick_to_ns(run.duration));
    let cut = |(start, end, path): (Tick, Tick, &str)| WindowConfig {
        name: keys::window_name(path).unwrap_or(path).to_owned(),
        start: start.min(run.duration),
        end: end.min(run.duration),
        note: (end > run.duration).then(|| run_ends.clone()),
    };
    windows.into_iter().map(cut).collect()
}

pub(crate) fn sources(group: &GroupConfig, nodes: u32) -> u64 {
    match &group.sources {
        Sources::List(list) => list.len() as u64,
        Sources::Count(count) => u64::from(*count),
        Sources::Share(share) => {
            let nodes = u128::from(nodes) * u128::from(share.num());
            u64::try_from(nodes / u128::from(share.den())).unwrap_or(0)
        }
    }
}

/// A group that starts or stops: its name, the start of its first source, the stop of its last one.
struct Changes {
    name: String,
    start_ns: u64,
    stop_ns: Option<u64>,
}

impl Changes {
    fn of(group: &GroupConfig, nodes: u32) -> Changes {
        let last = sources(group, nodes).saturating_sub(1).saturating_mul(group.step_ns);
        Changes {
            name: group.name.clone(),
            start_ns: group.start_ns,
            stop_ns: group.end_ns.map(|end| end.saturating_add(last)),
        }
    }

    fn is_there_all_the_time(&self) -> bool {
        self.start_ns == 0 && self.stop_ns.is_none()
    }
}

/// `before`, `during` and `after` the time in which sources of groups start and stop; none where no
/// group does.
pub(crate) fn of_workload(
    workload: &WorkloadConfig,
    nodes: u32,
    time_base: &TimeBase,
    run: &RunConfig,
) -> Vec<WindowConfig> {
    let changes: Vec<Changes> = workload
        .all_groups()
        .map(|group| Changes::of(&group, nodes))
        .filter(|changes| !changes.is_there_all_the_time())
        .collect();
    // Of equal ones the first.
    let Some(first) = changes.iter().min_by_key(|c| c.start_ns) else {
        return Vec::new();
    };
    let stop_ns = |c: &&Changes| std::cmp::Reverse(c.stop_ns.unwrap_or(u64::MAX));
    let last = changes.iter().min_by_key(stop_ns).unwrap_or(first);
    let tick = |ns| Tick::ZERO + time_base.ns_to_ticks_ceil(ns);
    let (start, stop) = (tick(first.start_ns), last.stop_ns.map_or(Tick::MAX, tick));
    let end = run.duration;
    let run_ends = format!("the run ends at {} ns", time_base.tick_to_ns(end));
    let starts = format!("the first source of `{}` starts at {} ns", first.name, first.start_ns);
    let stops = match last.stop_ns {
        Some(ns) => format!("the last source of `{}` stops at {ns} ns", last.name),
        None => format!("`{}` does not stop", last.name),
    };
    let warm = format!("the warm-up ends at {} ns", time_base.tick_to_ns(run.warmup));
    let half = Tick::ZERO + start.since(Tick::ZERO) / 2;
    let before_note = if start > end {
        Some(format!("{run_ends}, {starts}"))
    } else if start == Tick::ZERO {
        Some(starts.clone())
    } else {
        (run.warmup > half).then(|| format!("{warm}, {starts}"))
    };
    let during_note = if start >= end {
        Some(format!("{run_ends}, {starts}"))
    } else {
        (last.stop_ns.is_some() && stop > end).then(|| format!("{run_ends}, {stops}"))
    };
    let whole = end.saturating_sub(time_base.ns_to_ticks_ceil(AFTER_NS));
    let after = stop.max(start);
    let after_note = (after > whole).then(|| format!("{run_ends}, {stops}"));
    [
        ("before", half.max(run.warmup), start, before_note),
        ("during", start, stop, during_note),
        ("after", whole.max(after), end, after_note),
    ]
    .map(|(name, from, to, note)| {
        let from = from.min(to).min(end);
        WindowConfig { name: name.to_owned(), start: from, end: to.min(end).max(from), note }
    })
    .into()
}

impl Scenario {
    /// From the first start to the last stop of sources of groups, ns, the end of the run where one
    /// has none; `None` without groups: the *during* window (spec scenarios.md).
    pub fn hot_window_ns(&self) -> Option<(u64, u64)> {
        let (duration, resolved) = (self.duration_ns(), &self.resolved);
        let run_end = duration.num() / duration.den();
        let changes =
            resolved.workload.all_groups().map(|group| Changes::of(&group, resolved.nodes));
        changes
            .map(|c| (c.start_ns, c.stop_ns.unwrap_or(run_end)))
            .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_about_statistics_states_the_constants() {
        let page = include_str!("../../../docs/statistics.md");
        let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
        let most = format!("spans of their own, up to {WINDOWS_MAX}, apart");
        let after = format!("`after` the last {} us of the run", AFTER_NS / 1000);
        assert!(page.contains(&most) && page.contains(&after), "{most}; {after}");
    }
}
