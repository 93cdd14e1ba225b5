//! What the elements of a part are called in the whole fabric: for messages.

use std::fmt;
use std::sync::Arc;
use units::{ElementId, PortId, Tick, Unit, broken};

/// Switches and end nodes of a part, by their element numbers there.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names(Arc<[Unit]>);

impl Names {
    /// Of elements in the order of their numbers.
    pub(crate) fn new(units: impl IntoIterator<Item = Unit>) -> Names {
        Names(units.into_iter().collect())
    }

    /// An element.
    pub(crate) fn of(&self, element: ElementId) -> Unit {
        self.0[element.index()]
    }

    /// Something is wrong at a port of an element.
    #[cold]
    #[inline(never)]
    pub(crate) fn broken(
        &self,
        (element, port): (ElementId, PortId),
        now: Tick,
        what: &dyn fmt::Display,
    ) -> ! {
        broken(
            self.0[element.index()],
            now,
            &format_args!("{what}, port {port}"),
        )
    }
}
