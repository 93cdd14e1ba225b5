//! FCU of an egress port: the credit for the next memory (global flow control). Xon and Xoff of
//! SAQs are registers of their lines: [`recn::RecnPort`].

use flow_control::ClassCredits;
use units::{ClassId, Tick, Unit, broken};

/// Free cells of the next memory, by class.
///
/// Credit counts from the tick in which it comes. Nobody can tell when it is added up, as long as
/// whoever asks what is available has counted first what has come.
#[derive(Debug)]
pub struct Fcu {
    credits: ClassCredits,
    unit: Unit,
}

impl Fcu {
    /// All `cells` of each of so many classes of the next memory.
    pub fn new(classes: u16, cells: u16, unit: Unit) -> Fcu {
        Fcu {
            credits: ClassCredits::new(cells, classes),
            unit,
        }
    }

    /// Cells of a class that may be sent now.
    #[inline(always)]
    pub fn available(&self, class: ClassId) -> u32 {
        self.credits.available(class)
    }

    /// A packet of this class starts.
    #[inline(always)]
    pub fn take(&mut self, class: ClassId, cells: u32, now: Tick) {
        if let Err(error) = self.credits.take(class, cells) {
            broken(self.unit, now, &error);
        }
    }

    /// Counts what has come by now.
    #[inline(always)]
    pub fn count(&mut self, now: Tick, mut come: impl FnMut() -> Option<(ClassId, u32)>) {
        while let Some((class, cells)) = come() {
            self.give(class, cells, now);
        }
    }

    /// Step 4: credit has come back.
    #[inline(always)]
    pub fn give(&mut self, class: ClassId, cells: u32, now: Tick) {
        if let Err(error) = self.credits.give(class, cells) {
            broken(self.unit, now, &error);
        }
    }

    /// The counters.
    pub fn credits(&self) -> &ClassCredits {
        &self.credits
    }

    /// Cells that are in use or on their way back, of all classes.
    pub fn in_use(&self) -> u32 {
        self.credits.iter().map(|credits| credits.in_use()).sum()
    }

    /// Names a class that is not at home.
    pub fn left_over(&self) -> Option<String> {
        let class = self.credits.iter().position(|c| !c.is_home())?;
        let away = self.credits.class(ClassId::at(class)).in_use();
        Some(format!(
            "{}: {away} credits of class {class} are away",
            self.unit
        ))
    }
}
