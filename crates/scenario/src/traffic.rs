//! The section `[workload]`: from keys to a workload, and its errors back to keys.

use crate::error::ScenarioError;
use crate::keys::{HOT, MOVING};
use crate::plain::Plain;
use crate::settings::{Settings, join};
use crate::times::ticks;
use units::{Ratio, TimeBase};
use workload::{
    GroupConfig, MOVING_GROUP, MessageBytes, MovingConfig, Sources, WorkloadConfig, WorkloadError,
};

/// The workload as configured; what is wrong with it is in `errors`.
pub(crate) fn config(
    settings: &Settings,
    time_base: Option<&TimeBase>,
    errors: &mut Vec<ScenarioError>,
) -> WorkloadConfig {
    let before = errors.len();
    let groups: Vec<Option<GroupConfig>> = settings
        .group_paths()
        .iter()
        .map(|path| group(settings, path, time_base, errors))
        .collect();
    if errors.len() > before {
        return WorkloadConfig::default();
    }
    let mut groups = groups.into_iter().flatten();
    let hot = if settings.hot { groups.next() } else { None };
    let moving = if settings.moving {
        groups.next_back().map(|group| moving(settings, group))
    } else {
        None
    };
    WorkloadConfig {
        load: settings.ratio("workload.load"),
        pattern: settings.word("workload.pattern").parse().unwrap_or(workload::Pattern::Uniform),
        destinations: settings.nodes("workload.destinations"),
        // That of the network.
        block_nodes: None,
        self_traffic: settings.flag("workload.self"),
        arrivals: settings.word("workload.arrivals").parse().unwrap_or_default(),
        message_bytes: settings.sizes("workload.message_bytes").unwrap_or_default(),
        hot,
        groups: groups.collect(),
        moving,
    }
}

fn group(
    settings: &Settings,
    path: &str,
    time_base: Option<&TimeBase>,
    errors: &mut Vec<ScenarioError>,
) -> Option<GroupConfig> {
    let at = |name: &str| join(path, name);
    let (sources_path, share_path) = (at("sources"), at("share"));
    let sources = match (settings.plain(&sources_path), settings.plain(&share_path)) {
        (Some(_), Some(_)) => {
            errors.push(settings.refuse(
                &share_path,
                format!("both {sources_path} and {share_path} are given"),
                "legal: one of them",
            ));
            None
        }
        (None, None) => {
            errors.push(settings.refuse(
                &sources_path,
                "missing",
                format!(
                    "legal: how many nodes, such as 16, or which, such as [0, 1, 16] or \"all\"; \
                     or {share_path}, such as 0.25"
                ),
            ));
            None
        }
        (Some(_), None) => Some(match settings.integer(&sources_path) {
            Some(_) => Sources::Count(settings.small(&sources_path)),
            None => Sources::List(settings.nodes(&sources_path)),
        }),
        (None, Some(_)) => match settings.ratio(&share_path) {
            Some(share) => Some(Sources::Share(share)),
            None => {
                errors.push(settings.refuse(
                    &share_path,
                    "0 holds no node",
                    "legal: above 0 and up to 1",
                ));
                None
            }
        },
    };
    let pattern = settings.word(&at("pattern")).parse().unwrap_or(workload::Pattern::Hot);
    let destinations = settings.nodes(&at("destinations"));
    if !settings.given(&at("destinations")) && pattern.needs_destinations() {
        errors.push(settings.refuse(
            &at("destinations"),
            format!("missing; pattern = \"{pattern}\" needs it"),
            "legal: a node, such as 32, or nodes, such as [32, 201] or \"0-3\"",
        ));
    }
    if let Some(time_base) = time_base {
        for name in
            ["start_ns", "end_ns", "step_ns", "reply_delay_ns", "think_ns", "dwell_ns", "period_ns"]
        {
            let ns = settings.integer(&at(name)).and_then(|ns| Ratio::new(ns, 1).ok());
            ticks(settings, &at(name), ns, time_base, errors);
        }
    }
    Some(GroupConfig {
        name: match path {
            HOT => "hot",
            MOVING => MOVING_GROUP,
            _ => settings.word(&at("name")),
        }
        .to_owned(),
        load: settings.ratio(&at("load")),
        pattern,
        destinations,
        sources: sources?,
        placement: settings.word(&at("placement")).parse().unwrap_or_default(),
        start_ns: settings.integer(&at("start_ns")).unwrap_or(0),
        end_ns: settings.integer(&at("end_ns")),
        step_ns: settings.integer(&at("step_ns")).unwrap_or(0),
        arrivals: settings.word(&at("arrivals")).parse().ok(),
        message_bytes: settings.sizes(&at("message_bytes")),
        reply_bytes: small(settings, &at("reply_bytes")),
        reply_delay_ns: settings.integer(&at("reply_delay_ns")).unwrap_or(0),
        window: small(settings, &at("window")).filter(|&window| window > 0),
        think_ns: settings.integer(&at("think_ns")).unwrap_or(0),
    })
}

/// Hot spots that move, of what they have in common with other groups.
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

/// An integer that the table bounds to 32 bits, where it is given.
fn small(settings: &Settings, path: &str) -> Option<u32> {
    settings.integer(path).map(|_| settings.small(path))
}

/// The longest message of each group, and its reply, each with the key that says so.
pub(crate) fn longest_messages(settings: &Settings) -> Vec<(String, u32)> {
    let mut prefixes = vec!["workload".to_owned()];
    prefixes.extend(settings.group_paths());
    let paths = prefixes.iter().map(|prefix| join(prefix, "message_bytes"));
    let replies = prefixes.iter().filter_map(|prefix| {
        let path = join(prefix, "reply_bytes");
        small(settings, &path).map(|bytes| (path, bytes))
    });
    let messages = paths.filter_map(|path| {
        let longest = match settings.sizes(&path)? {
            MessageBytes::Fixed(bytes) => bytes,
            MessageBytes::Uniform { max, .. } => max,
            MessageBytes::Weighted(list) => {
                let drawn = list.iter().filter(|l| l.1 > 0).map(|l| l.0);
                drawn.max().unwrap_or(0)
            }
        };
        Some((path, longest))
    });
    messages.chain(replies).collect()
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
    settings.refuse(&key, what, legal)
}
