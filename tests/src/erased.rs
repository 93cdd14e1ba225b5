//! Any observer behind one type, told of everything in order. A fabric is compiled anew for each
//! type of observer that it has: for tests that look at one thread one such fabric is enough.

use fabric::{Engine, Fabric};
use observe::{Event, Observer, Offered, PacketView, Place, View};
use plan::FabricConfig;
use std::any::Any;
use units::Tick;

/// An observer whose type can be asked for.
trait Eye: Send + Any {
    fn event(&mut self, view: View<'_>, place: Place, event: Event);
    fn offered(&mut self, view: View<'_>, offered: Offered);
    fn ejected(&mut self, view: View<'_>, place: Place, packet: PacketView);
}

impl<O: Observer + Any> Eye for O {
    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        Observer::event(self, view, place, event);
    }
    fn offered(&mut self, view: View<'_>, offered: Offered) {
        Observer::offered(self, view, offered);
    }
    fn ejected(&mut self, view: View<'_>, place: Place, packet: PacketView) {
        Observer::ejected(self, view, place, packet);
    }
}

/// An observer of any type.
pub struct Erased(Box<dyn Eye>);

impl Erased {
    /// Hides the type of an observer.
    pub fn new<O: Observer + 'static>(observer: O) -> Erased {
        const { assert!(O::IS_ORDERED, "it would be run by another engine") };
        Erased(Box::new(observer))
    }

    /// The observer, which is of this type.
    pub fn of<O: 'static>(&self) -> &O {
        let any: &dyn Any = &*self.0;
        any.downcast_ref().expect("the observer that was hidden")
    }

    /// The same, to change it.
    pub fn of_mut<O: 'static>(&mut self) -> &mut O {
        let any: &mut dyn Any = &mut *self.0;
        any.downcast_mut().expect("the observer that was hidden")
    }

    /// The observer itself.
    pub fn into<O: 'static>(self) -> O {
        let any: Box<dyn Any> = self.0;
        *any.downcast().expect("the observer that was hidden")
    }
}

impl Observer for Erased {
    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        self.0.event(view, place, event);
    }
    fn offered(&mut self, view: View<'_>, offered: Offered) {
        self.0.offered(view, offered);
    }
    fn ejected(&mut self, view: View<'_>, place: Place, packet: PacketView) {
        self.0.ejected(view, place, packet);
    }
}

/// What an observer has seen of the fast engine up to tick `until`.
pub fn seen<O: Observer + 'static>(config: &FabricConfig, until: Tick, observer: O) -> O {
    let fabric = Fabric::new(config, Engine::Fast, Erased::new(observer));
    let mut fabric = fabric.expect("a legal configuration");
    fabric.run_until(until).expect("no deadlock");
    fabric.observer.into()
}

/// The same, until everything is at home.
pub fn seen_drained<O: Observer + 'static>(config: &FabricConfig, observer: O) -> O {
    let fabric = Fabric::new(config, Engine::Fast, Erased::new(observer));
    let mut fabric = fabric.expect("a legal configuration");
    assert_eq!(fabric.drain(Tick(4_000_000)), Ok(None), "all at home");
    fabric.observer.into()
}
