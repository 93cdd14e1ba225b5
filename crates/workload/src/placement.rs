//! Which nodes are the sources of a group of which only the number is given.

use crate::rng::{below, stream};
use units::named;

/// Placement of sources (key `workload.hot.placement`; scenarios.md, garcia-mesh-2005). The
/// papers do not print theirs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Placement {
    /// Source j of H among N nodes is node floor((j + 1/2) N / H); one that is taken moves to
    /// the next free node.
    #[default]
    Spread,
    /// Every set of H free nodes alike, from the stream `GROUP.placement`.
    Random,
    /// The first H free nodes.
    Block,
}

named!(Placement, "placement", Spread = "spread", Random = "random", Block = "block");

impl Placement {
    /// `count` nodes among those that are not `taken` (a flag for each node), in ascending
    /// order; they are taken then.
    ///
    /// A node is taken beforehand if it is a hot destination or a source of another group.
    /// `None`, and nothing is taken, where fewer than `count` nodes are free.
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
