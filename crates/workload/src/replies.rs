//! Groups whose messages are requests: what they ask for, checked.

use units::Span;

use crate::closed::Closed;
use crate::config::GroupConfig;
use crate::error::WorkloadError;
use crate::placed::Replies;
use crate::scale::TimeScale;
use crate::size::MESSAGE_BYTES_MAX;

/// What a group asks for; `key` is that of the group.
pub(crate) fn replies(
    key: &str,
    group: &GroupConfig,
    scale: &dyn TimeScale,
) -> Result<Option<Replies>, WorkloadError> {
    let needs = |name: &str, needs: &str| WorkloadError::Needs {
        key: format!("{key}.{name}"),
        needs: format!("{key}.{needs}"),
    };
    let span = |name: &str, given: u64| match scale.ns_to_ticks(given) {
        Span::MAX => Err(WorkloadError::Time { key: format!("{key}.{name}"), given }),
        span => Ok(span),
    };
    match (group.reply_bytes, group.window) {
        (None, Some(_)) => return Err(needs("window", "reply_bytes")),
        (None, None) if group.reply_delay_ns > 0 => {
            return Err(needs("reply_delay_ns", "reply_bytes"));
        }
        (_, None) if group.think_ns > 0 => return Err(needs("think_ns", "window")),
        (_, Some(0)) => {
            return Err(WorkloadError::NoWindow { key: format!("{key}.window"), given: 0 });
        }
        _ => {}
    }
    let Some(bytes) = group.reply_bytes else {
        return Ok(None);
    };
    if !(1..=MESSAGE_BYTES_MAX).contains(&bytes) {
        return Err(WorkloadError::ReplyBytes { key: format!("{key}.reply_bytes"), given: bytes });
    }
    let think = span("think_ns", group.think_ns)?;
    Ok(Some(Replies {
        bytes,
        delay: span("reply_delay_ns", group.reply_delay_ns)?,
        closed: group.window.map(|window| Closed { window, think }),
    }))
}
