//! The section `[workload]`: from keys to a workload, and its errors back to keys.

use crate::draft::Draft;
use crate::error::ScenarioError;
use crate::keys::{HOT, MOVING};
use crate::plain::Plain;
use crate::settings::{Settings, join};
use units::Ratio;
use workload::{
    GroupConfig, MOVING_GROUP, MessageBytes, MovingConfig, Pattern, Sources, WorkloadConfig,
    WorkloadError,
};

/// The workload as configured, but for the size of blocks, which is the network's.
pub(crate) fn config(draft: &Draft) -> WorkloadConfig {
    let before = draft.found();
    let groups: Vec<Option<GroupConfig>> =
        draft.group_paths().iter().map(|path| group(draft, path)).collect();
    if draft.found() > before {
        return WorkloadConfig::default();
    }
    let mut groups = groups.into_iter().flatten();
    let hot = if draft.has_section(HOT) { groups.next() } else { None };
    let moving = if draft.has_section(MOVING) { groups.next_back() } else { None };
    WorkloadConfig {
        load: draft.ratio("workload.load"),
        pattern: draft.word("workload.pattern").parse().unwrap_or(Pattern::Uniform),
        destinations: draft.nodes("workload.destinations"),
        block_nodes: None,
        self_traffic: draft.flag("workload.self"),
        arrivals: draft.named("workload.arrivals"),
        message_bytes: draft.sizes("workload.message_bytes").unwrap_or_default(),
        hot,
        groups: groups.collect(),
        moving: moving.map(|group| self::moving(draft, group)),
    }
}

fn group(draft: &Draft, path: &str) -> Option<GroupConfig> {
    let at = |name: &str| join(path, name);
    let ns = |name: &str| draft.integer(&at(name));
    let sources = sources(draft, &at("sources"), &at("share"));
    let pattern = draft.word(&at("pattern")).parse().unwrap_or(Pattern::Hot);
    let destinations = at("destinations");
    if !draft.given(&destinations) && pattern.needs_destinations() {
        draft.refuse(
            &[&destinations],
            format!("missing; pattern = \"{pattern}\" needs it"),
            "legal: a node, such as 32, or nodes, such as [32, 201] or \"0-3\"",
        );
    }
    for name in
        ["start_ns", "end_ns", "step_ns", "reply_delay_ns", "think_ns", "dwell_ns", "period_ns"]
    {
        draft.ticks_of(&at(name), ns(name).and_then(|ns| Ratio::new(ns, 1).ok()));
    }
    let name = match path {
        HOT => "hot",
        MOVING => MOVING_GROUP,
        _ => draft.word(&at("name")),
    };
    Some(GroupConfig {
        name: name.to_owned(),
        load: draft.ratio(&at("load")),
        pattern,
        destinations: draft.nodes(&destinations),
        sources: sources?,
        placement: draft.named(&at("placement")),
        start_ns: ns("start_ns").unwrap_or(0),
        end_ns: ns("end_ns"),
        step_ns: ns("step_ns").unwrap_or(0),
        arrivals: draft.word(&at("arrivals")).parse().ok(),
        message_bytes: draft.sizes(&at("message_bytes")),
        reply_bytes: draft.number(&at("reply_bytes")),
        reply_delay_ns: ns("reply_delay_ns").unwrap_or(0),
        window: draft.number(&at("window")).filter(|&window| window > 0),
        think_ns: ns("think_ns").unwrap_or(0),
    })
}

fn sources(draft: &Draft, sources: &str, share: &str) -> Option<Sources> {
    match (draft.plain(sources), draft.plain(share)) {
        (Some(_), Some(_)) => {
            let what = format!("both {sources} and {share} are given");
            draft.refuse(&[share], what, "legal: one of them");
        }
        (None, None) => draft.refuse(
            &[sources],
            "missing",
            format!(
                "legal: how many nodes, such as 16, or which, such as [0, 1, 16] or \"all\"; \
                 or {share}, such as 0.25"
            ),
        ),
        (Some(_), None) => {
            let count = draft.number(sources).map(Sources::Count);
            return Some(count.unwrap_or_else(|| Sources::List(draft.nodes(sources))));
        }
        (None, Some(_)) => match draft.ratio(share) {
            Some(share) => return Some(Sources::Share(share)),
            None => draft.refuse(&[share], "0 holds no node", "legal: above 0 and up to 1"),
        },
    }
    None
}

fn moving(settings: &Settings, group: GroupConfig) -> MovingConfig {
    let at = |name: &str| join(MOVING, name);
    let ns = |name: &str| settings.integer(&at(name)).unwrap_or(0);
    MovingConfig {
        group,
        overlap: settings.small(&at("overlap")),
        skips_itself: !matches!(settings.plain(&at("sources")), Some(Plain::Nodes(_))),
        dwell_ns: ns("dwell_ns"),
        period_ns: ns("period_ns"),
    }
}

/// The messages of each group, then the replies, each with its key.
pub(crate) fn messages(settings: &Settings) -> impl Iterator<Item = (String, MessageBytes)> {
    let groups = settings.group_paths();
    let at = |name| {
        std::iter::once("workload")
            .chain(groups.iter().map(String::as_str))
            .map(move |group| join(group, name))
    };
    let sent = at("message_bytes").map(|path| (settings.sizes(&path), path));
    let replies =
        at("reply_bytes").map(|path| (settings.number(&path).map(MessageBytes::Fixed), path));
    let all: Vec<_> = sent.chain(replies).collect();
    all.into_iter().filter_map(|(bytes, path)| Some((path, bytes?)))
}

/// The longest message of each group, and its reply, each with its key.
pub(crate) fn longest_messages(settings: &Settings) -> impl Iterator<Item = (String, u32)> {
    messages(settings).map(|(path, bytes)| match bytes {
        MessageBytes::Fixed(bytes) | MessageBytes::Uniform { max: bytes, .. } => (path, bytes),
        MessageBytes::Weighted(list) => {
            let drawn = list.iter().filter(|l| l.1 > 0).map(|l| l.0);
            (path, drawn.max().unwrap_or(0))
        }
    })
}

/// An error of the workload at the key that it names.
pub(crate) fn located(settings: &Settings, error: &WorkloadError) -> ScenarioError {
    let mut key = error.key().replace('[', ".").replace(']', "");
    if settings.plain(&key).is_none() && key == "workload.group" {
        key = join("workload.group.0", "name");
    }
    // The text repeats the key and ends with what is legal; both have a place of their own here.
    let text = error.to_string();
    let text = text.strip_prefix(&format!("{}: ", error.key())).unwrap_or(&text);
    let (what, legal) = match text.split_once("; legal: ") {
        Some((what, legal)) => (what.to_owned(), format!("legal: {legal}")),
        None => (text.to_owned(), String::new()),
    };
    settings.error(&[&key], what, legal)
}
