//! Networks: who is behind which port, and the tables of minimal routes.

use hierarchy::TwoLevelTable;
use hierarchy::recovery::{Address, Configured, Region};
use std::collections::VecDeque;
use std::sync::Arc;

pub(crate) type End = (usize, u8);

/// A network without faults. Router `s * nodes + i` is node i of super node s.
#[derive(Debug, Clone)]
pub(crate) struct Shape {
    pub(crate) nodes: usize,
    pub(crate) super_nodes: usize,
    /// Both ends of each link, the lower router first.
    pub(crate) links: Vec<[End; 2]>,
    /// By router and port: the link, and which end of it this is.
    pub(crate) ports: Vec<Vec<(usize, usize)>>,
    pub(crate) tables: Vec<Arc<Configured>>,
}

pub(crate) fn complete(nodes: usize) -> Vec<(usize, usize)> {
    let pairs = (0..nodes).flat_map(|a| (a + 1..nodes).map(move |b| (a, b)));
    pairs.collect()
}

pub(crate) fn ring(nodes: usize) -> Vec<(usize, usize)> {
    (0..nodes).map(|a| (a, (a + 1) % nodes)).collect()
}

/// Edges of a rook's graph of `side` times `side` fields.
pub(crate) fn rook(side: usize) -> Vec<(usize, usize)> {
    let together = |&(a, b): &(usize, usize)| a / side == b / side || a % side == b % side;
    complete(side * side).into_iter().filter(together).collect()
}

/// Global links as `palm-tree-spread` has them: `each` for each pair of super nodes.
pub(crate) fn spread(nodes: usize, super_nodes: usize, each: usize) -> Vec<(usize, usize)> {
    let mut links = Vec::new();
    let end = |s: usize, d: usize, j: usize| {
        let offset = (d + super_nodes - s - 1) % super_nodes;
        s * nodes + (offset * each + j) % nodes
    };
    for (s, d) in complete(super_nodes) {
        links.extend((0..each).map(|j| (end(s, d, j), end(d, s, j))));
    }
    links
}

pub(crate) fn complete_by(nodes: usize, super_nodes: usize, each: usize) -> Shape {
    let global = spread(nodes, super_nodes, each);
    Shape::new((nodes, &complete(nodes)), super_nodes, &global, false)
}

pub(crate) fn c4() -> Shape {
    Shape::new((4, &ring(4)), 1, &[], false)
}

impl Shape {
    /// A network of super nodes with these local edges, and global links between routers. With
    /// `one` each entry names its lowest port only, as dimension order does, else all minimal
    /// ones.
    pub(crate) fn new(
        (nodes, local): (usize, &[(usize, usize)]),
        super_nodes: usize,
        global: &[(usize, usize)],
        one: bool,
    ) -> Shape {
        let routers = nodes * super_nodes;
        let mut shape = Shape {
            nodes,
            super_nodes,
            links: Vec::new(),
            ports: vec![Vec::new(); routers],
            tables: Vec::new(),
        };
        for s in 0..super_nodes {
            for &(a, b) in local {
                shape.link(s * nodes + a, s * nodes + b);
            }
        }
        for &(a, b) in global {
            shape.link(a, b);
        }
        let tables = (0..routers).map(|router| Arc::new(shape.configure(router, one)));
        shape.tables = tables.collect();
        shape
    }

    fn link(&mut self, a: usize, b: usize) {
        let (a, b) = (a.min(b), a.max(b));
        let link = self.links.len();
        let ends = [a, b].map(|router| (router, self.ports[router].len() as u8));
        for (end, (router, _)) in ends.into_iter().enumerate() {
            self.ports[router].push((link, end));
        }
        self.links.push(ends);
    }

    pub(crate) fn peer(&self, router: usize, port: usize) -> usize {
        let (link, end) = self.ports[router][port];
        self.links[link][1 - end].0
    }

    pub(crate) fn super_node(&self, router: usize) -> usize {
        router / self.nodes
    }

    pub(crate) fn place(&self, router: usize) -> Address {
        Address { super_node: self.super_node(router) as u16, node: (router % self.nodes) as u16 }
    }

    pub(crate) fn router(&self, place: Address) -> usize {
        usize::from(place.super_node) * self.nodes + usize::from(place.node)
    }

    /// Whether a router is, or is in, what an entry of `of` leads to.
    pub(crate) fn is_in(&self, router: usize, of: usize, region: Region) -> bool {
        match region {
            Region::Node(node) => {
                self.super_node(router) == self.super_node(of)
                    && router % self.nodes == usize::from(node)
            }
            Region::SuperNode(super_node) => self.super_node(router) == usize::from(super_node),
        }
    }

    fn mask(&self, router: usize, keep: impl Fn(usize) -> bool) -> u64 {
        let ports = 0..self.ports[router].len();
        let bit = |port: usize| u64::from(keep(self.peer(router, port))) << port;
        ports.map(bit).sum()
    }

    fn configure(&self, router: usize, one: bool) -> Configured {
        let own = self.super_node(router);
        let is_local = |peer: usize| self.super_node(peer) == own;
        // Ports to routers that are one hop nearer.
        let nearer = |far: &[usize]| self.mask(router, |peer| far[peer] + 1 == far[router]);
        let least = |ports: u64| if one { ports & ports.wrapping_neg() } else { ports };
        // T1: one step nearer to the node, inside the super node.
        let t1 = (0..self.nodes)
            .map(|node| least(nearer(&self.distances(own, &[own * self.nodes + node]))));
        // T2: into a super node that is nearer, else nearer to the routers from which that goes.
        let t2 = (0..self.super_nodes).map(|target| {
            let far = self.super_distances(target);
            let enters = |peer: usize| far[self.super_node(peer)] + 1 == far[own];
            let gates: Vec<usize> = (own * self.nodes..(own + 1) * self.nodes)
                .filter(|&r| own != target && self.mask(r, enters) != 0)
                .collect();
            least(match gates.contains(&router) {
                true => self.mask(router, enters),
                false => nearer(&self.distances(own, &gates)),
            })
        });
        let local = self.mask(router, is_local);
        let global = self.mask(router, |peer| !is_local(peer));
        let peers = (0..self.ports[router].len()).map(|port| self.place(self.peer(router, port)));
        let tables = Configured::new(TwoLevelTable::new(t1.collect(), t2.collect()), local, global);
        let tables = tables.expect("legal tables");
        tables.with_places(self.place(router), peers.collect())
    }

    /// Hops from each router of a super node to the nearest of these, on local links.
    fn distances(&self, super_node: usize, to: &[usize]) -> Vec<usize> {
        let next = |r: usize| (0..self.ports[r].len()).map(move |port| self.peer(r, port));
        breadth_first(self.ports.len(), to, |r| {
            next(r).filter(|&peer| self.super_node(peer) == super_node).collect()
        })
    }

    /// Hops from each super node to one.
    fn super_distances(&self, to: usize) -> Vec<usize> {
        breadth_first(self.super_nodes, &[to], |s| {
            let pairs = self.links.iter().map(|ends| ends.map(|end| self.super_node(end.0)));
            let both = pairs.flat_map(|[a, b]| [(a, b), (b, a)]);
            both.filter(|&(from, _)| from == s).map(|(_, to)| to).collect()
        })
    }
}

/// More hops than there are: not connected.
const NEVER: usize = usize::MAX / 2;

fn breadth_first(count: usize, from: &[usize], next: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let mut far = vec![NEVER; count];
    let mut queue: VecDeque<usize> = from.iter().copied().collect();
    from.iter().for_each(|&at| far[at] = 0);
    while let Some(at) = queue.pop_front() {
        for to in next(at) {
            if far[to] == NEVER {
                far[to] = far[at] + 1;
                queue.push_back(to);
            }
        }
    }
    far
}
