//! The sources of every group: lists first, then the placed groups on what is left.

use crate::config::{GroupConfig, Sources};
use crate::error::WorkloadError;
use crate::pattern::Pattern;
use crate::placed::GroupSummary;

/// Sources of each group beside `random`.
pub(crate) fn place(
    set: &[(String, &GroupConfig)],
    nodes: u32,
    seed: u64,
) -> Result<Vec<GroupSummary>, WorkloadError> {
    let mut taken = vec![false; nodes as usize];
    for (key, config) in set {
        if config.pattern == Pattern::Hot {
            config.destinations.iter().for_each(|&node| taken[node as usize] = true);
        }
        if let Sources::List(list) = &config.sources {
            let key = format!("{key}.sources");
            check_nodes(&key, list, nodes)?;
            let mut sorted = list.clone();
            sorted.sort_unstable();
            if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(WorkloadError::RepeatedSource { key, given: pair[0] });
            }
            list.iter().for_each(|&node| taken[node as usize] = true);
        }
    }
    set.iter()
        .map(|(key, config)| {
            let (what, count, share_rounded) = match &config.sources {
                Sources::List(list) => {
                    return Ok(GroupSummary { sources: list.clone(), ..Default::default() });
                }
                Sources::Count(count) => ("sources", *count, None),
                Sources::Share(share) => {
                    let whole = u128::from(nodes) * u128::from(share.num());
                    let (count, rest) =
                        (whole / u128::from(share.den()), whole % u128::from(share.den()));
                    if count == 0 || whole > u128::from(nodes) * u128::from(share.den()) {
                        return Err(WorkloadError::Share {
                            key: format!("{key}.share"),
                            given: *share,
                            nodes,
                        });
                    }
                    ("share", count as u32, (rest > 0).then_some(*share))
                }
            };
            let limit = taken.iter().filter(|&&t| !t).count() as u32;
            match config.placement.place(count, &mut taken, seed, &config.name) {
                Some(sources) if count > 0 => {
                    Ok(GroupSummary { sources, silent: Vec::new(), share_rounded, replies: None })
                }
                _ => Err(WorkloadError::SourceCount {
                    key: format!("{key}.{what}"),
                    given: count.into(),
                    limit,
                }),
            }
        })
        .collect()
}

pub(crate) fn check_nodes(key: &str, list: &[u32], nodes: u32) -> Result<(), WorkloadError> {
    match list.iter().find(|&&node| node >= nodes) {
        Some(&given) => Err(WorkloadError::NoSuchNode { key: key.to_owned(), given, nodes }),
        None => Ok(()),
    }
}
