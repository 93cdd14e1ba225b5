//! Stand-in for the observers of plain values.
use std::sync::Arc;
pub use endnode::Offered;
pub use observe::Owner;
pub use switch::{PacketKind, Place, Side};
use units::{ClassId, PortId, QueueId, Span, Tick};

/// A packet as told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PacketView {
    pub source: u32,
    pub destination: u32,
    pub sequence: u32,
    pub payload: u32,
    pub bytes: u32,
    pub born: Tick,
    pub injected: Tick,
    pub asked: Tick,
    pub group: u8,
    pub kind: PacketKind,
    pub mark: bool,
    pub last: bool,
}

#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    pub now: Tick,
    pub owners: &'a [Owner],
}

pub trait Observer {
    fn is_ordered(&self) -> bool {
        true
    }
    fn stored(&mut self, view: View<'_>, place: Place, packet: PacketView, queue: QueueId);
    fn untold_stored(&mut self, view: View<'_>, place: Place, packet: PacketView, queue: QueueId);
    fn departed(&mut self, view: View<'_>, place: Place, packet: PacketView, queue: QueueId, output: PortId);
    fn hop(&mut self, _view: View<'_>, _place: Place, _at: Tick, _span: Span) {}
    fn credit_sent(&mut self, _view: View<'_>, _place: Place, _class: ClassId, _cells: u32) {}
    fn offered(&mut self, _view: View<'_>, _offered: Offered) {}
    fn ejected(&mut self, view: View<'_>, place: Place, packet: PacketView);
    fn other(&mut self, _view: View<'_>, _place: Place, _text: &dyn Fn() -> String, _value: Option<u64>) {}
}

#[derive(Default)]
pub struct Hash {
    pub sum: u64,
    pub hops: u64,
    pub delivered: u64,
    pub lines: Option<Vec<(u64, u32, String)>>,
    pub owners: Option<Arc<[Owner]>>,
}
const K: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0x6a09_e667_f3bc_c909];
fn mix(view: View<'_>, place: Place, value: u64) -> u64 {
    let place = u64::from(place.port.0) << 1 | place.side as u64;
    let w = view.now.0 << 24 ^ place;
    let p = u128::from(value ^ K[0]) * u128::from(w ^ K[1]);
    p as u64 ^ (p >> 64) as u64
}
impl Hash {
    fn line(&mut self, view: View<'_>, place: Place, what: impl Fn() -> String) {
        if let Some(lines) = &mut self.lines {
            let owner = view.owners[place.port.index()];
            let side = if place.side == Side::Ingress { "in" } else { "out" };
            lines.push((view.now.0, place.port.0 * 2 + place.side as u32, format!("{} e{}.{side}{} {}", view.now, owner.element, owner.port, what())));
        }
    }
}
fn name(p: &PacketView) -> String {
    let ack = match p.kind { PacketKind::Ack => " ACK", PacketKind::Cnp => " CNP", _ => "" };
    let mark = if p.mark { " marked" } else { "" };
    format!("n{}->n{}#{}{ack}{mark}", p.source, p.destination, p.sequence)
}
impl Observer for Hash {
    fn is_ordered(&self) -> bool {
        self.lines.is_some()
    }
    #[inline(always)]
    fn stored(&mut self, view: View<'_>, place: Place, p: PacketView, queue: QueueId) {
        self.sum = self.sum.wrapping_add(mix(view, place, u64::from(p.payload) << 16 ^ u64::from(queue.0)));
        self.line(view, place, || format!("stored {} q{queue}", name(&p)));
    }
    fn untold_stored(&mut self, view: View<'_>, place: Place, p: PacketView, queue: QueueId) {
        self.sum = self.sum.wrapping_sub(mix(view, place, u64::from(p.payload) << 16 ^ u64::from(queue.0)));
    }
    #[inline(always)]
    fn departed(&mut self, view: View<'_>, place: Place, p: PacketView, queue: QueueId, output: PortId) {
        let v = !((u64::from(p.payload) << 16) ^ u64::from(queue.0)) ^ u64::from(output.0) << 56;
        self.sum = self.sum.wrapping_add(mix(view, place, v));
        self.line(view, place, || format!("departed {} q{queue} to {output}", name(&p)));
    }
    fn hop(&mut self, view: View<'_>, place: Place, at: Tick, span: Span) {
        self.hops += 1;
        self.line(view, place, || format!("Hop {{ at: Tick({at}), span: Span({}) }}", span.0));
    }
    fn credit_sent(&mut self, view: View<'_>, place: Place, class: ClassId, cells: u32) {
        self.line(view, place, || format!("CreditSent {{ class: ClassId({class}), cells: {cells} }}"));
    }
    fn ejected(&mut self, view: View<'_>, place: Place, p: PacketView) {
        self.delivered += 1;
        self.sum = self.sum.wrapping_add(mix(view, place, u64::from(p.payload) << 32 ^ u64::from(p.sequence)));
        self.line(view, place, || format!("ejected {}", name(&p)));
    }
    fn other(&mut self, view: View<'_>, place: Place, text: &dyn Fn() -> String, value: Option<u64>) {
        if let Some(v) = value {
            self.sum = self.sum.wrapping_add(mix(view, place, v));
        }
        self.line(view, place, text);
    }
}
