//! The routes to one destination as a tree: what becomes of a packet follows from where it is,
//! since routes merge ([`Routes`]). A *state* is the switch port that it came in by, with the
//! virtual channel. Each is followed once a destination: in a mesh of n switches some 2n states in
//! the place of n routes of about 2/3 sqrt(n) switches.

use crate::graph::Endpoint;
use crate::ground::Ground;
use crate::path::{DEAD_END, LOOP, RouteError, U_TURN, astray};
use crate::routes::Routes;
use crate::survey::Survey;

/// No state follows: the packet is at its node.
const EJECTED: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, Default)]
struct State {
    /// Number of the destination, from 1, that the rest is about.
    seen_for: u32,
    /// Switches from here on; 0 while the route is being followed.
    hops: u32,
    bits: u32,
    pairs: u32,
    /// Port by which they leave, among all ports.
    out: u32,
    out_port: u8,
    /// Virtual channel of the link by that port.
    vc: u8,
    /// State that follows, or [`EJECTED`].
    next: u32,
}

/// Room for the tree of one destination, used for one after the other.
#[derive(Debug)]
pub struct Tree {
    states: Vec<State>,
    /// States of the tree, each after the one that follows it.
    order: Vec<u32>,
    /// States on the route that is being followed, with their switches.
    open: Vec<(u32, u32)>,
}

impl Tree {
    pub(crate) fn new(ground: &Ground) -> Self {
        let states = vec![State::default(); ground.places()];
        Self { states, order: Vec::new(), open: Vec::new() }
    }

    #[inline]
    pub(crate) fn survey<R: Routes + ?Sized>(
        &mut self,
        routes: &R,
        ground: &Ground,
        destination: u32,
        survey: &mut Survey,
    ) -> Result<(), RouteError> {
        let graph = &ground.graph;
        self.order.clear();
        // The node itself is last: only its own packets may turn back.
        let others = (0..graph.nodes() as u32).filter(|&source| source != destination);
        for source in others.chain(survey.self_traffic.then_some(destination)) {
            let (switch, port) = graph.node_port(source);
            self.follow(routes, ground, (source, destination))?;
            let entry = &mut self.states[ground.place(switch, port, 0)];
            entry.pairs += 1;
            survey.add_route(source, destination, entry.hops as usize, entry.bits);
        }
        for &index in self.order.iter().rev() {
            let State { pairs, out, out_port, vc, next, .. } = self.states[index as usize];
            survey.turns[index as usize] |= 1 << out_port;
            survey.see_vc(vc);
            survey.loads[out as usize] += u64::from(pairs);
            if next != EJECTED {
                self.states[next as usize].pairs += pairs;
            }
        }
        Ok(())
    }

    /// Follows the route of `source` up to the first known state.
    #[inline]
    fn follow<R: Routes + ?Sized>(
        &mut self,
        routes: &R,
        ground: &Ground,
        pair @ (source, destination): (u32, u32),
    ) -> Result<(), RouteError> {
        let graph = &ground.graph;
        let (mut switch, mut in_port) = graph.node_port(source);
        let mut in_vc = 0;
        self.open.clear();
        let (mut hops, mut bits) = loop {
            let index = ground.place(switch, in_port, in_vc);
            let state = &mut self.states[index];
            if state.seen_for == destination + 1 {
                if state.hops == 0 {
                    return Err(astray(pair, switch, LOOP));
                }
                break (state.hops, state.bits);
            }
            let out_port = routes.next_port(switch, in_port, destination, source);
            if out_port == in_port && source != destination {
                return Err(astray(pair, switch, U_TURN));
            }
            let (next, port) = match routes.peer(graph, switch, out_port) {
                Endpoint::None => return Err(astray(pair, switch, DEAD_END)),
                Endpoint::Node(node) if node != destination => {
                    return Err(astray(pair, switch, format_args!("ends at n{node}")));
                }
                Endpoint::Node(_) => (EJECTED, 0),
                Endpoint::Port { switch, port } => (switch, port),
            };
            let vc = ground.next_vc(switch, (in_port, in_vc), out_port);
            *state = State {
                seen_for: destination + 1,
                hops: 0,
                bits: 0,
                pairs: 0,
                out: graph.port_index(switch, out_port) as u32,
                out_port,
                vc,
                next: if next == EJECTED { next } else { ground.place(next, port, vc) as u32 },
            };
            self.open.push((index as u32, switch));
            if next == EJECTED {
                break (0, 0);
            }
            (switch, in_port, in_vc) = (next, port, vc);
        };
        for &(index, switch) in self.open.iter().rev() {
            hops += 1;
            bits += u32::from(ground.widths[switch as usize]);
            let state = &mut self.states[index as usize];
            (state.hops, state.bits) = (hops, bits);
            self.order.push(index);
        }
        Ok(())
    }
}
