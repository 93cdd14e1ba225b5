//! The units of a part of a fabric, and what each phase of a tick does with one of them. Both engines call these and nothing else.

use crate::env::{Alarm, Asleep, Medium, TickEnv};
use crate::names::Names;
use crate::node::EndNode;
use crate::observer::Observer;
use crate::routing::Routing;
use switch::{Env, LinkGrant, Organisation, OutPort, Params, Switch};
use units::{Tick, broken};

/// Switches and end nodes. Elements: switches first, then end nodes, numbered within the part; ports have the dense numbers of
/// the whole fabric.
#[derive(Debug)]
pub(crate) struct Units {
    pub(crate) params: Params,
    pub(crate) routing: Routing,
    pub(crate) switches: Vec<Switch>,
    pub(crate) nodes: Vec<EndNode>,
    /// Dense port number of port 0 of each element.
    pub(crate) first_port: Vec<u32>,
    pub(crate) names: Names,
}

impl Units {
    #[inline]
    pub(crate) fn node_of(&self, element: u32) -> usize {
        element as usize - self.switches.len()
    }

    #[inline]
    pub(crate) fn is_switch(&self, element: u32) -> bool {
        (element as usize) < self.switches.len()
    }

    /// Evaluate: the link arbiter.
    #[inline(always)]
    pub(crate) fn evaluate_link<A: Alarm, O: Observer, const PLAIN: bool>(
        &mut self,
        element: u32,
        port: u8,
        env: &mut TickEnv<'_, A, O, PLAIN>,
    ) -> LinkGrant {
        let grant = match self.switches.get_mut(element as usize) {
            Some(switch) => switch.evaluate_link(&self.params, usize::from(port), env),
            None => {
                let node = self.node_of(element);
                self.nodes[node].injection.evaluate(&self.params, env)
            }
        };
        if grant.lacks_credit {
            return self.evaluate_link_again(element, port, grant, env);
        }
        grant
    }

    /// The same and step 1 in one. What starts here changes nothing for those who decide after it in this tick: who asks for
    /// credit finds credit packets started that could start before this tick, and those have started here already.
    #[inline(always)]
    pub(crate) fn evaluate_and_start_link<A: Alarm, O: Observer, const PLAIN: bool>(
        &mut self,
        element: u32,
        port: u8,
        env: &mut TickEnv<'_, A, O, PLAIN>,
    ) {
        let Some(switch) = self.switches.get_mut(element as usize) else {
            return self.evaluate_and_start_injection(element, env);
        };
        let grant = switch.evaluate_link(&self.params, usize::from(port), env);
        if grant.lacks_credit {
            return self.start_link_again(element, port, grant, env);
        }
        switch.start_link(&self.params, usize::from(port), grant, env);
    }

    /// The same for an end node.
    #[inline(never)]
    fn evaluate_and_start_injection<A: Alarm, O: Observer, const PLAIN: bool>(
        &mut self,
        element: u32,
        env: &mut TickEnv<'_, A, O, PLAIN>,
    ) {
        let node = self.node_of(element);
        let node = &mut self.nodes[node];
        let grant = node.injection.evaluate(&self.params, env);
        if grant.lacks_credit {
            return self.start_link_again(element, 0, grant, env);
        }
        node.start(&self.params, grant, env);
    }

    /// The same with all credit that the other end can give.
    #[inline(never)]
    fn start_link_again<A: Alarm, O: Observer, const PLAIN: bool>(
        &mut self,
        element: u32,
        port: u8,
        grant: LinkGrant,
        env: &mut TickEnv<'_, A, O, PLAIN>,
    ) {
        let grant = self.evaluate_link_again(element, port, grant, env);
        self.start_link(element, port, grant, env);
    }

    /// Evaluate, with all credit that the other end can give.
    fn evaluate_link_again<A: Alarm, O: Observer, const PLAIN: bool>(
        &mut self,
        element: u32,
        port: u8,
        grant: LinkGrant,
        env: &mut TickEnv<'_, A, O, PLAIN>,
    ) -> LinkGrant {
        let output = self.output(element, port);
        let link = (output.link.place.port, output.link.peer.to);
        self.ask_for_credit(link, env);
        self.output_mut(element, port).evaluate_again(grant, env)
    }

    /// Asks for what leads to the ports of an element ahead of its use ([`crate::engine`]: ahead).
    #[inline(always)]
    pub(crate) fn prefetch_ports(&self, element: u32) {
        match self.switches.get(element as usize) {
            Some(switch) => switch.prefetch_ports(),
            None => self.nodes[self.node_of(element)].prefetch(),
        }
    }

    /// The dense number of a port.
    #[inline(always)]
    pub(crate) fn port(&self, element: u32, port: u8) -> u32 {
        self.first_port[element as usize] + u32::from(port)
    }

    /// The sending side of a port.
    #[inline(always)]
    pub(crate) fn output(&self, element: u32, port: u8) -> &OutPort {
        match self.switches.get(element as usize) {
            Some(switch) => &switch.outputs[usize::from(port)],
            None => &self.nodes[self.node_of(element)].injection,
        }
    }

    fn output_mut(&mut self, element: u32, port: u8) -> &mut OutPort {
        if self.is_switch(element) {
            &mut self.switches[element as usize].outputs[usize::from(port)]
        } else {
            let node = self.node_of(element);
            &mut self.nodes[node].injection
        }
    }

    /// Port `at` lacks credit for the memory at the other end of its link, port `peer` (dense numbers): the credit that has
    /// started there by now is on the wire, and what comes starts promptly. It does so already if it is awaited, and always
    /// in another part.
    // The one place where an element reaches into another. All that it does there happened before this tick, or asks for a
    // wake-up that another evaluation would ask for too, so that it does not matter who comes first.
    fn ask_for_credit<A: Alarm, O: Observer, const PLAIN: bool>(
        &mut self,
        (at, peer): (u32, u32),
        env: &mut TickEnv<'_, A, O, PLAIN>,
    ) {
        let owner = env.medium.wires.owner(peer);
        if owner.is_away() || env.medium.wires.is_credit_awaited(at) {
            return;
        }
        if self.is_switch(owner.element) {
            let switch = &mut self.switches[owner.element as usize];
            switch.return_credit(&self.params, usize::from(owner.port), env);
        } else {
            let node = self.node_of(owner.element);
            let link = &mut self.nodes[node].injection.link;
            link.return_credit(&self.params, env);
        }
    }

    /// Step 1: a granted link starts.
    pub(crate) fn start_link(
        &mut self,
        element: u32,
        port: u8,
        grant: LinkGrant,
        env: &mut impl Env,
    ) {
        if self.is_switch(element) {
            self.switches[element as usize].start_link(&self.params, usize::from(port), grant, env);
        } else {
            let node = self.node_of(element);
            self.nodes[node].start(&self.params, grant, env);
        }
    }

    /// Step 2: a head is stored at an input.
    #[inline]
    pub(crate) fn store(&mut self, element: u32, port: u8, env: &mut impl Env) {
        let (at, now) = (self.port(element, port), env.now());
        let (switch, input) = (&mut self.switches[element as usize], usize::from(port));
        // Those before it, that were to be stored late.
        while env.stores_late()
            && let Some(id) = env.take_packet(at, now - 1)
        {
            switch.store_late(&self.params, input, id, env);
        }
        // None where it was awaited twice.
        if let Some(id) = env.take_packet(at, now) {
            if env.packets()[id].due != now {
                broken(switch.inputs[input].unit, now, &"a head comes late");
            }
            switch.store(&self.params, input, id, env);
        }
    }

    /// Evaluate, where heads are stored late: those that are visible by now at an input. Returns whether the crossbar is to be
    /// evaluated, and this is the first to say so in this tick.
    #[inline]
    pub(crate) fn store_late<A: Alarm, O: Observer, const PLAIN: bool>(
        &mut self,
        element: u32,
        port: u8,
        env: &mut TickEnv<'_, A, O, PLAIN>,
    ) -> bool {
        let at = self.port(element, port);
        let switch = &mut self.switches[element as usize];
        let (input, stored_by) = (usize::from(port), env.now - self.params.stages.arbitration);
        let mut outputs = None;
        while let Some(id) = env.take_packet(at, stored_by) {
            let requested = switch.store_late(&self.params, input, id, env);
            outputs = Some(outputs.unwrap_or(0) | requested);
        }
        // They were stored before, and the crossbar was not told: somebody has looked from outside, SAQs came, or a head behind
        // them that is stored in its tick.
        let outputs = outputs.unwrap_or_else(|| switch.requested_by(input));
        switch.heads_visible(input, outputs, env)
    }

    /// Step 2: a tail is ejected.
    #[inline]
    pub(crate) fn eject<A: Alarm, O: Observer, const PLAIN: bool>(
        &mut self,
        element: u32,
        env: &mut TickEnv<'_, A, O, PLAIN>,
    ) {
        let node = self.node_of(element);
        let (at, now) = (self.nodes[node].injection.link.place.port, env.now);
        let id = env.take_packet(at, now).expect("a packet is due");
        self.nodes[node].eject(&self.params, id, env);
    }

    /// Step 4: control packets that have arrived at a port.
    #[inline]
    pub(crate) fn control<A: Alarm, O: Observer, const PLAIN: bool>(
        &mut self,
        element: u32,
        port: u8,
        env: &mut TickEnv<'_, A, O, PLAIN>,
    ) {
        let at = self.port(element, port);
        while let Some((class, cells)) = env.medium.wires.take_credit(at, env.now + 1) {
            // What waited for credit looks again, and says so if it goes on waiting. A named packet ends no wait: it makes
            // nobody look. In `iq` the crossbar asks for credit too: there every credit packet is waited for.
            if self.params.config.organisation != Organisation::Iq {
                env.medium.wires.end_await(at);
            }
            if self.is_switch(element) {
                self.switches[element as usize].credit(
                    &self.params,
                    usize::from(port),
                    class,
                    cells,
                    env,
                );
            } else {
                let node = self.node_of(element);
                self.nodes[node].credit(class, cells, env);
            }
        }
        while let Some(control) = env.medium.wires.take_named(at, env.now) {
            if self.is_switch(element) {
                self.switches[element as usize].control(
                    &self.params,
                    usize::from(port),
                    control,
                    env,
                );
            } else {
                let node = self.node_of(element);
                self.nodes[node].control(&self.params, control, env);
            }
        }
    }

    /// What has left or come back before `end`, and that nobody had need to see yet: for looking at a fabric from outside.
    pub(crate) fn settle<O: Observer>(&mut self, medium: &mut Medium, observer: &mut O, end: Tick) {
        if self.params.is_plain() {
            self.settle_as::<O, true>(medium, observer, end);
        } else {
            self.settle_as::<O, false>(medium, observer, end);
        }
    }

    fn settle_as<O: Observer, const PLAIN: bool>(
        &mut self,
        medium: &mut Medium,
        observer: &mut O,
        end: Tick,
    ) {
        let switches = self.switches.len() as u32;
        let env = &mut TickEnv::<_, _, PLAIN> {
            now: end,
            medium,
            alarm: &mut Asleep(self.names.clone()),
            observer,
            switches,
        };
        self.finish(env);
        if env.stores_late() {
            self.store_all(env);
        }
        let medium = &mut *env.medium;
        let outputs = self
            .switches
            .iter_mut()
            .flat_map(|switch| &mut switch.outputs);
        for port in outputs.chain(self.nodes.iter_mut().map(|node| &mut node.injection)) {
            while let Some((class, cells)) = medium.wires.take_credit(port.link.place.port, end) {
                port.link.receive_credit(class, cells, end);
            }
        }
    }

    /// All heads that have come before this tick are stored.
    fn store_all<A: Alarm, O: Observer, const PLAIN: bool>(
        &mut self,
        env: &mut TickEnv<'_, A, O, PLAIN>,
    ) {
        let before = env.now.saturating_sub(1);
        for switch in &mut self.switches {
            for port in 0..switch.inputs.len() {
                let at = switch.inputs[port].place.port;
                while let Some(id) = env.take_packet(at, before) {
                    switch.store_late(&self.params, port, id, env);
                }
                let visible = before + self.params.stages.arbitration;
                switch.outputs[port].store_late(&self.params, visible, env);
            }
        }
    }

    /// What has left before this tick is gone, and credit packets have started that were free to.
    pub(crate) fn finish<A: Alarm, O: Observer, const PLAIN: bool>(
        &mut self,
        env: &mut TickEnv<'_, A, O, PLAIN>,
    ) {
        let now = env.now;
        for switch in &mut self.switches {
            switch.finish(&self.params, env);
        }
        for node in &mut self.nodes {
            node.injection.finish_tail(now);
            node.injection.link.catch_up(&self.params, now, env);
        }
    }

    /// Steps 5 to 8 of an element.
    #[inline]
    pub(crate) fn recn_step(&mut self, element: u32, all: bool, env: &mut impl Env) {
        if self.is_switch(element) {
            self.switches[element as usize].recn_step(&self.params, all, env);
        } else {
            let node = self.node_of(element);
            self.nodes[node].recn_step(&self.params, all, env);
        }
    }

    /// Messages wait in admittance somewhere.
    pub(crate) fn admittance_waits(&self) -> bool {
        self.nodes.iter().any(|n| n.admittance.is_waiting())
    }

    /// When anything will be generated again.
    pub(crate) fn next_generation(&self) -> Option<Tick> {
        self.nodes
            .iter()
            .filter_map(|n| n.generation_due(&self.params))
            .min()
    }
}
