//! What was made of the groups, and what they ask for if their messages are requests.

use units::{Ratio, Span, TimeBase};

use crate::closed::Closed;
use crate::config::GroupConfig;
use crate::error::WorkloadError;
use crate::size::MESSAGE_BYTES_MAX;

/// What was made of a group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupSummary {
    /// Its sources, source j at j.
    pub sources: Vec<u32>,
    /// Sources that would send to themselves alone; without `workload.self` they send nothing.
    pub silent: Vec<u32>,
    /// The share asked for, where it is no whole number of nodes and was rounded down.
    pub share_rounded: Option<Ratio>,
    /// What its messages ask for, if they are requests.
    pub replies: Option<Replies>,
}

/// The replies that a group asks for, from destination to source (switch.md, request and reply).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replies {
    /// Length of a reply, bytes.
    pub bytes: u32,
    /// From the ejection of the request to the generation of the reply.
    pub delay: Span,
    /// Closed loop, if it is one; held by the generators.
    pub closed: Option<Closed>,
}

pub(crate) fn replies(
    key: &str,
    group: &GroupConfig,
    scale: &TimeBase,
) -> Result<Option<Replies>, WorkloadError> {
    let needs = |name: &str, needs: &str| {
        let given = format!("given without {key}.{needs}");
        Err(WorkloadError::new(format!("{key}.{name}"), given, "both, or neither"))
    };
    let refuse = |name: &str, given: u32, legal: String| {
        Err(WorkloadError::new(format!("{key}.{name}"), format!("{given} given"), legal))
    };
    let span = |name: &str, given: u64| match scale.ns_to_ticks_ceil(given) {
        Span::MAX => Err(WorkloadError::time(format!("{key}.{name}"), given)),
        span => Ok(span),
    };
    match (group.reply_bytes, group.window) {
        (None, Some(_)) => return needs("window", "reply_bytes"),
        (None, None) if group.reply_delay_ns > 0 => return needs("reply_delay_ns", "reply_bytes"),
        (_, None) if group.think_ns > 0 => return needs("think_ns", "window"),
        (_, Some(0)) => return refuse("window", 0, "1 or more requests".to_owned()),
        _ => {}
    }
    let Some(bytes) = group.reply_bytes else {
        return Ok(None);
    };
    if !(1..=MESSAGE_BYTES_MAX).contains(&bytes) {
        return refuse("reply_bytes", bytes, format!("1 to {MESSAGE_BYTES_MAX} bytes"));
    }
    let think = span("think_ns", group.think_ns)?;
    Ok(Some(Replies {
        bytes,
        delay: span("reply_delay_ns", group.reply_delay_ns)?,
        closed: group.window.map(|window| Closed { window, think }),
    }))
}
