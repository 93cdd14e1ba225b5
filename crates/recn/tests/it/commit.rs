//! Steps 5 to 8 of the commit, in a switch of three ports with one normal queue each.

use crate::port::{A, B, IN_2, LATER, NORMAL, NOW, Port, config, point};
use flow_control::Control;
use recn::commit::{At, Effect, Moment, Ports};
use recn::commit::{carry_messages, carry_tokens, free_saqs, settle_markers};
use recn::{Internal, InternalKind, RecnConfig, RecnPort, Version};
use saq::Mmu;
use turnpool::Point;
use units::{PortId, QueueId, Tick};

const OUT_1: PortId = PortId(1);

/// Both sides of the ports, and what was carried out.
struct Switch {
    ingress: [Port; 3],
    egress: [Port; 3],
    effects: Vec<Effect>,
}

impl Switch {
    fn new(version: Version) -> Switch {
        let ports = || std::array::from_fn(|_| Port::new(version, 1));
        Switch { ingress: ports(), egress: ports(), effects: Vec::new() }
    }

    /// Step 5: output 1, congested itself, sends this.
    fn send(&mut self, kind: InternalKind) {
        self.send_about(NORMAL, Point::EMPTY, kind);
    }

    /// The same about a point, from a queue of output 1.
    fn send_about(&mut self, queue: QueueId, point: Point, kind: InternalKind) {
        let message = Internal { egress: OUT_1, queue, point, kind };
        carry_messages(self, &mut vec![message], &moment(NOW, &config())).unwrap();
    }
}

impl Ports for Switch {
    type Queues = Mmu;

    fn ports(&self) -> usize {
        3
    }

    fn width(&self) -> u32 {
        3
    }

    fn side(&mut self, at: At) -> Option<(&mut RecnPort, &mut Mmu)> {
        let port = match at {
            At::Ingress(port) => &mut self.ingress[port.index()],
            At::Egress(port) => &mut self.egress[port.index()],
        };
        Some((&mut port.recn, &mut port.memory))
    }

    fn lines(&mut self, egress: PortId) -> Option<&mut RecnPort> {
        Some(&mut self.egress[egress.index()].recn)
    }

    fn normal_queue(&self, _output: PortId) -> QueueId {
        NORMAL
    }

    fn carry(&mut self, effect: Effect) {
        self.effects.push(effect);
    }
}

fn moment(now: Tick, config: &RecnConfig) -> Moment<'_> {
    Moment { now, config, all: false }
}

// "notify the ingress port that sent it", by a point with the turn from there: (1 - 2 - 1) mod 3.
#[test]
fn notification_has_the_turn_of_its_ingress_port() {
    let mut switch = Switch::new(Version::Enhanced);
    switch.send(InternalKind::Notify { sender: IN_2 });
    let named = point(&[1]);
    let expected =
        [Effect::Sent(OUT_1, Control::Notification(named)), Effect::Allocated(IN_2, A, named)];
    assert_eq!(switch.effects, expected);
}

// "An egress SAQ keeps the set of its child ingress ports", the normal queue of a root too.
#[test]
fn accepted_notification_makes_a_child() {
    let mut switch = Switch::new(Version::Enhanced);
    switch.egress[1] = Port::with_saq(Version::Enhanced, point(&[1]));
    let saq = switch.egress[1].queue(A);
    switch.send_about(saq, point(&[1]), InternalKind::Notify { sender: IN_2 });
    let (ingress, egress) = (&switch.ingress[2].recn, &switch.egress[1].recn);
    assert_eq!(egress.registers(A).children, 1 << 2);
    assert!(!egress.cam().leaf(A));
    assert_eq!((ingress.registers(A).owned, ingress.cam().blocked(A)), (true, false));
    assert_eq!(switch.egress[1].recn.root_children(), 0);
    let mut switch = Switch::new(Version::Enhanced);
    switch.send(InternalKind::Notify { sender: IN_2 });
    assert_eq!(switch.egress[1].recn.root_children(), 1 << 2);
}

// "A notification sent while `xoff_sent` is set is followed by Xoff."
#[test]
fn child_of_a_queue_at_xoff_starts_blocked() {
    let mut switch = Switch::new(Version::Enhanced);
    switch.egress[1] = Port::with_saq(Version::Enhanced, point(&[1]));
    let saq = switch.egress[1].queue(A);
    switch.egress[1].recn.egress_rose(saq, 5, IN_2, NOW, &config());
    switch.send_about(saq, point(&[1]), InternalKind::Notify { sender: IN_2 });
    assert!(switch.ingress[2].recn.cam().blocked(A));
    assert_eq!(switch.egress[1].recn.registers(A).children, 1 << 2);
}

// A refusal leaves the notifier as it was: "the next packet from there tries again".
#[test]
fn refused_notification_makes_no_child() {
    let mut switch = Switch::new(Version::Enhanced);
    switch.ingress[2] = Port::full(Version::Enhanced);
    switch.egress[1] = Port::with_saq(Version::Enhanced, point(&[1]));
    let saq = switch.egress[1].queue(A);
    switch.send_about(saq, point(&[1]), InternalKind::Notify { sender: IN_2 });
    let named = point(&[1, 1]);
    let sent = Effect::Sent(OUT_1, Control::Notification(named));
    assert_eq!(switch.effects, [sent, Effect::Refused(IN_2, named)]);
    let egress = &switch.egress[1].recn;
    assert_eq!(egress.registers(A).children, 0);
    assert!(egress.cam().leaf(A));
}

// Where the notifying queue is at Xoff the new SAQ, here the second of the port, is blocked at
// once, and its queue is the one that changed.
#[test]
fn notification_of_a_root_at_xoff_names_the_blocked_queue() {
    let on = RecnConfig { root_xoff_packets: Some(1), ..config() };
    let mut switch = Switch::new(Version::Enhanced);
    switch.ingress[2].set_aside(point(&[2]), NOW);
    let root = &mut switch.egress[1].recn;
    assert!(root.egress_rose(NORMAL, 1, IN_2, NOW, &on).changed);
    switch.send(InternalKind::Notify { sender: IN_2 });
    let queue = switch.ingress[2].queue(B);
    assert_eq!(queue, QueueId(2));
    let changed = Effect::Changed(At::Ingress(IN_2), queue);
    assert_eq!(switch.effects.last(), Some(&changed));
    assert_eq!(switch.egress[1].recn.root_children(), 1 << 2);
}

// DD versions: Xoff inside the switch goes "to all ingress ports, and the sender allocates where it
// has no match".
#[test]
fn xoff_of_dd_versions_goes_to_all_ingress_ports() {
    let mut switch = Switch::new(Version::Dd);
    let sender = Some(IN_2);
    switch.send(InternalKind::Xoff { sender });
    let sent = |turn| Effect::Sent(OUT_1, Control::Xoff(point(&[turn])));
    let allocated = Effect::Allocated(IN_2, A, point(&[1]));
    assert_eq!(switch.effects, [sent(0), sent(2), sent(1), allocated]);
}

// "each queue that this makes ready" may request from now on: that of the second line.
#[test]
fn queue_that_became_ready_is_named() {
    let mut switch = Switch::new(Version::Enhanced);
    let port = &mut switch.ingress[2];
    port.set_aside(point(&[1]), NOW);
    port.fill(NORMAL, 1);
    port.set_aside(point(&[2]), NOW);
    port.leave(NORMAL);
    let queue = port.queue(B);
    settle_markers(&mut switch, &moment(NOW, &config())).unwrap();
    let changed = Effect::Changed(At::Ingress(IN_2), queue);
    assert_eq!(switch.effects, [changed]);
}

// A freed ingress SAQ returns its token to the egress port that notified it.
#[test]
fn token_of_a_freed_saq_goes_back_to_its_root() {
    let mut switch = Switch::new(Version::Enhanced);
    switch.send(InternalKind::Notify { sender: IN_2 });
    switch.ingress[2].recn.mark_check(A);
    switch.effects.clear();
    let mut tokens = Vec::new();
    free_saqs(&mut switch, &mut tokens, &moment(LATER, &config())).unwrap();
    carry_tokens(&mut switch, &mut tokens).unwrap();
    let token = Effect::Sent(OUT_1, Control::Token(point(&[1])));
    assert_eq!(switch.effects.last(), Some(&token));
    assert_eq!(switch.egress[1].recn.root_children(), 0);
}
