//! When a run ends: at its duration, or with `run.drain` at the first check that finds all
//! measured messages arrived.

use super::history::{History, injection_stage, is_in};
use fabric::DRAIN_LOOK_NS;
use units::Tick;

pub(super) fn compare(history: &History<'_>) {
    let (config, end) = (history.config, history.end);
    let run = &config.run;
    // The last message is in its queue so much later: not before is it known that all have arrived.
    let stage = injection_stage(history.config);
    let requests = history.requests().into_iter();
    let answers = requests
        .filter(|(request, _)| is_in(request.born, history.measured()))
        .map(|(_, answer)| answer.unwrap_or(Tick::MAX));
    let last = history
        .messages
        .iter()
        .filter(|m| !m.refused && !m.is_reply() && is_in(m.born, history.measured()))
        .map(|m| m.delivered.unwrap_or(Tick::MAX))
        .chain(answers)
        .max();
    let interval = config.time_base.ns_to_ticks_ceil(DRAIN_LOOK_NS);
    let limit = run.duration + run.drain;
    let checks = (1..).map(|n| run.duration + interval * n);
    let expected = checks
        .take_while(|&at| at < limit)
        .find(|&at| at >= run.duration + stage && last.is_none_or(|last| last < at))
        .unwrap_or(limit);
    history.exact("ticks", &end, &expected);
}
