//! The fast clock: goes from one due tick to the next and serves only what asked to be woken.

use super::ahead::{self, Phase};
use super::wheel::Wheel;
use crate::elements::Elements;
use crate::transit::{Alarm, Around, Transit, Wake};
use observe::Observer;
use units::{ElementId, PortId, Tick};

/// Alarm clock, and lists of the present tick.
#[derive(Debug)]
pub(crate) struct Fast {
    pub(crate) wheel: Wheel,
    /// Ticks in which anything was due so far.
    pub(crate) served: u64,
    /// Whether to look ahead ([`super::ahead`]).
    ahead: bool,
    crossbars: Vec<ElementId>,
    recn: Vec<ElementId>,
    recn_seen: Vec<u64>,
}

type FastAround<'a, O> = Around<'a, Wheel, O>;

impl Fast {
    pub(crate) fn new(elements: &Elements) -> Fast {
        let mut wheel = Wheel::new();
        for (n, node) in elements.nodes.iter().enumerate() {
            if let Some(due) = node.generation_due() {
                let element = ElementId::at(elements.switches.len() + n);
                wheel.wake(Tick::ZERO, due, Wake::Generate, element, PortId(0));
            }
        }
        let count = elements.switches.len() + elements.nodes.len();
        Fast {
            wheel,
            served: 0,
            ahead: ahead::pays(elements),
            crossbars: Vec::with_capacity(count),
            recn: Vec::with_capacity(count),
            recn_seen: vec![0; count.div_ceil(64)],
        }
    }

    /// Runs ticks `from..end`.
    pub(crate) fn run<O: Observer>(
        &mut self,
        elements: &mut Elements,
        transit: &mut Transit,
        observer: &mut O,
        from: Tick,
        end: Tick,
    ) {
        let routing = elements.routing.clone();
        let mut now = from;
        while let Some(next) = self.wheel.next(now, end) {
            self.wheel.begin(next);
            self.served += 1;
            let mut around = Around {
                now: next,
                element: ElementId(0),
                transit,
                routing: &routing,
                alarm: &mut self.wheel,
                observer,
            };
            let mut due = Served {
                ahead: self.ahead,
                crossbars: &mut self.crossbars,
                recn: &mut self.recn,
                recn_seen: &mut self.recn_seen,
            };
            due.tick(elements, &mut around);
            self.wheel.end();
            now = next.next();
        }
    }
}

/// What serves a tick.
struct Served<'a> {
    ahead: bool,
    crossbars: &'a mut Vec<ElementId>,
    recn: &'a mut Vec<ElementId>,
    recn_seen: &'a mut [u64],
}

impl Served<'_> {
    /// One tick: evaluate on committed state, then commit in the order of the specification
    /// (clock.md). What a link arbiter reads no other reads, and a crossbar's registers are its
    /// switch's own: what they grant starts at once. In `iq` a link that starts a control packet is
    /// as closed to the crossbar as one for which a control packet waits.
    #[inline(always)]
    fn tick<O: Observer>(&mut self, elements: &mut Elements, around: &mut FastAround<'_, O>) {
        if around.alarm.is_due(Wake::Link) {
            links(elements, self.ahead, around);
        }
        if around.alarm.is_due(Wake::Crossbar) {
            crossbars(elements, self.crossbars, self.ahead, around);
        }
        if around.alarm.is_due(Wake::LinkTail) {
            each(Wake::LinkTail, around, |element, port, around| {
                elements.link_tail(element, port, around);
            });
        }
        if around.alarm.is_due(Wake::Store) {
            stores(elements, self.ahead, around);
        }
        if around.alarm.is_due(Wake::StoreEgress) {
            egress_stores(elements, self.ahead, around);
        }
        if around.alarm.is_due(Wake::Eject) || around.alarm.is_due(Wake::Generate) {
            ejections_and_generation(elements, self.ahead, around);
        }
        if around.alarm.is_due(Wake::Ppu) {
            each(Wake::Ppu, around, |element, port, around| {
                elements.ppu_step(element, port, around);
            });
        }
        if around.alarm.is_due(Wake::Decide) {
            each(Wake::Decide, around, |element, port, around| {
                elements.decide_step(element, port, around);
            });
        }
        if around.alarm.is_due(Wake::Admit) {
            admittance(elements, self.ahead, around);
        }
        if around.alarm.is_due(Wake::Control) {
            control_packets(elements, self.ahead, around);
        }
        if around.alarm.is_due(Wake::Recn) {
            self.recn_steps(elements, around);
        }
    }

    #[inline(never)]
    fn recn_steps<O: Observer>(&mut self, elements: &mut Elements, around: &mut FastAround<'_, O>) {
        while let Some((element, _)) = around.alarm.take(Wake::Recn) {
            let (word, bit) = (element.index() / 64, 1u64 << (element.0 % 64));
            if self.recn_seen[word] & bit == 0 {
                self.recn_seen[word] |= bit;
                self.recn.push(element);
            }
        }
        while let Some(element) = self.recn.pop() {
            self.recn_seen[element.index() / 64] &= !(1 << (element.0 % 64));
            elements.recn_step(element, false, around);
        }
        // Steps 6 and 7 mark nothing for this tick any more.
        while around.alarm.take(Wake::Recn).is_some() {}
    }
}

/// Serves all that is due of a kind.
#[inline(always)]
fn each<O: Observer>(
    wake: Wake,
    around: &mut FastAround<'_, O>,
    mut serve: impl FnMut(ElementId, PortId, &mut FastAround<'_, O>),
) {
    while let Some((element, port)) = around.alarm.take(wake) {
        serve(element, port, around);
    }
}

// The phases that every packet goes through. Each serves all that is due in it, apart from the
// others: so its registers are the processor's.

#[inline(never)]
fn links<O: Observer>(elements: &mut Elements, ahead: bool, around: &mut FastAround<'_, O>) {
    let mut phase = Phase::<ahead::Links>::new(ahead);
    while let Some((element, port)) = phase.next(elements, around.transit, around.alarm) {
        let grant = elements.evaluate_link(element, port, around);
        if !grant.is_nothing() {
            elements.start_link(element, port, grant, around);
        }
    }
}

#[inline(never)]
fn crossbars<O: Observer>(
    elements: &mut Elements,
    due: &mut Vec<ElementId>,
    ahead: bool,
    around: &mut FastAround<'_, O>,
) {
    let mut phase = Phase::<ahead::Crossbars>::new(ahead);
    while let Some((element, output)) = phase.next(elements, around.transit, around.alarm) {
        if elements.mark_crossbar(element, output, around.now) {
            due.push(element);
        }
    }
    while let Some(element) = due.pop() {
        elements.evaluate_crossbar(element, false, around);
        elements.start_crossbar(element, around);
    }
}

#[inline(never)]
fn stores<O: Observer>(elements: &mut Elements, ahead: bool, around: &mut FastAround<'_, O>) {
    let mut phase = Phase::<ahead::Stores>::new(ahead);
    while let Some((element, port)) = phase.next(elements, around.transit, around.alarm) {
        elements.store(element, port, around);
    }
}

#[inline(never)]
fn egress_stores<O: Observer>(
    elements: &mut Elements,
    ahead: bool,
    around: &mut FastAround<'_, O>,
) {
    let mut phase = Phase::<ahead::EgressStores>::new(ahead);
    while let Some((element, port)) = phase.next(elements, around.transit, around.alarm) {
        elements.store_egress(element, port, around);
    }
}

#[inline(never)]
fn ejections_and_generation<O: Observer>(
    elements: &mut Elements,
    ahead: bool,
    around: &mut FastAround<'_, O>,
) {
    let mut phase = Phase::<ahead::Ejections>::new(ahead);
    while let Some((element, _)) = phase.next(elements, around.transit, around.alarm) {
        elements.eject(element, around);
    }
    each(Wake::Generate, around, |element, _, around| {
        elements.generate(element, around);
    });
}

#[inline(never)]
fn admittance<O: Observer>(elements: &mut Elements, ahead: bool, around: &mut FastAround<'_, O>) {
    let mut phase = Phase::<ahead::Admissions>::new(ahead);
    while let Some((element, _)) = phase.next(elements, around.transit, around.alarm) {
        elements.admit(element, around);
    }
}

#[inline(never)]
fn control_packets<O: Observer>(
    elements: &mut Elements,
    ahead: bool,
    around: &mut FastAround<'_, O>,
) {
    let mut phase = Phase::<ahead::Controls>::new(ahead);
    while let Some((element, port)) = phase.next(elements, around.transit, around.alarm) {
        elements.control(element, port, around);
    }
}
