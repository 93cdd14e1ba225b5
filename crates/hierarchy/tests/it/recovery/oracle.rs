//! The tables from scratch: what they must be for what has failed, however that came about.
//!
//! A port belongs to an entry if it is configured there, its link and the router behind it work,
//! and that router is what the entry leads to, or in it, or reaches it by ports of its own entry.
//! Configured ports lead nearer, so that this is a recursion that ends: there is one solution.

use super::network::Network;
use super::shape::Shape;
use hierarchy::recovery::Region;
use units::bits::ones;

impl Network {
    fn works(&self, shape: &Shape, link: usize) -> bool {
        self.whole[link] && shape.links[link].iter().all(|end| self.working[end.0])
    }

    /// The entry of a router, from scratch.
    pub(crate) fn pruned(&self, shape: &Shape, router: usize, region: Region) -> u64 {
        let leads = |&port: &usize| {
            let peer = shape.peer(router, port);
            self.works(shape, shape.ports[router][port].0)
                && (shape.is_in(peer, router, region) || self.pruned(shape, peer, region) != 0)
        };
        let configured = shape.tables[router].table().entry(region);
        ones(configured).filter(leads).map(|port| 1 << port).sum()
    }

    /// Entries that are not as from scratch: router, entry, what it is, what it must be.
    pub(crate) fn wrong(&self, shape: &Shape) -> Vec<(usize, Region, u64, u64)> {
        let mut wrong = Vec::new();
        for router in 0..shape.tables.len() {
            for (region, _) in shape.tables[router].table().iter() {
                let is = self.routers[router].entry(region);
                let must = self.pruned(shape, router, region);
                if is != must {
                    wrong.push((router, region, is, must));
                }
            }
        }
        wrong
    }
}
