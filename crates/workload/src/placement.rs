//! The sources of every group: lists first, then the placed groups on what is left.

use crate::config::{GroupConfig, Placement, Sources};
use crate::error::WorkloadError;
use crate::pattern::Pattern;
use crate::replies::GroupSummary;
use crate::rng::{below, stream};

impl Placement {
    /// `count` free nodes, ascending, which are `taken` (a flag for each node) then; `None`, and
    /// nothing is taken, where there are fewer.
    pub fn place(
        self,
        count: u32,
        taken: &mut [bool],
        seed: u64,
        group_name: &str,
    ) -> Option<Vec<u32>> {
        let mut free: Vec<u32> = (0..taken.len() as u32).filter(|&n| !taken[n as usize]).collect();
        if (count as usize) > free.len() {
            return None;
        }
        let mut sources = match self {
            Self::Block => free[..count as usize].to_vec(),
            Self::Random => {
                let mut rng = stream(seed, &format!("{group_name}.placement"));
                for j in 0..count as usize {
                    let other = j + below(&mut rng, (free.len() - j) as u64) as usize;
                    free.swap(j, other);
                }
                free[..count as usize].to_vec()
            }
            Self::Spread => {
                let nodes = taken.len() as u64;
                let mut occupied = taken.to_vec();
                (0..u64::from(count))
                    .map(|j| {
                        let mut node = ((2 * j + 1) * nodes / (2 * u64::from(count))) as usize;
                        while occupied[node] {
                            node = (node + 1) % occupied.len();
                        }
                        occupied[node] = true;
                        node as u32
                    })
                    .collect()
            }
        };
        sources.sort_unstable();
        for &node in &sources {
            taken[node as usize] = true;
        }
        Some(sources)
    }
}

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
                let given = format!("node {} given twice", pair[0]);
                return Err(WorkloadError::new(key, given, "each node once"));
            }
            list.iter().for_each(|&node| taken[node as usize] = true);
        }
    }
    let place_one = |(key, config): &(String, &GroupConfig)| {
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
                    let given = format!("{share} of {nodes} nodes given");
                    let legal = format!("1/{nodes} to 1");
                    return Err(WorkloadError::new(format!("{key}.share"), given, legal));
                }
                ("share", count as u32, (rest > 0).then_some(*share))
            }
        };
        let limit = taken.iter().filter(|&&t| !t).count();
        match config.placement.place(count, &mut taken, seed, &config.name) {
            Some(sources) if count > 0 => {
                Ok(GroupSummary { sources, share_rounded, ..Default::default() })
            }
            _ => Err(WorkloadError::new(
                format!("{key}.{what}"),
                format!("{count} sources given"),
                format!(
                    "1 to {limit} (nodes that are no hot destination and send in no other \
                     group), or a list of nodes"
                ),
            )),
        }
    };
    set.iter().map(place_one).collect()
}

pub(crate) fn check_nodes(key: &str, list: &[u32], nodes: u32) -> Result<(), WorkloadError> {
    match list.iter().find(|&&node| node >= nodes) {
        Some(node) => {
            let legal = format!("0 to {}", nodes.saturating_sub(1));
            Err(WorkloadError::new(key, format!("node {node} given"), legal))
        }
        None => Ok(()),
    }
}
