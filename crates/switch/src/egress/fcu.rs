//! FCU of an egress port: the credit for the next memory (global flow control). Xon and Xoff of
//! SAQs are registers of their lines: [`recn::RecnPort`].

use crate::must;
use flow_control::ClassCredits;
use units::{ClassId, Tick, Unit};

/// Free cells of the next memory, by class.
#[derive(Debug)]
pub struct Fcu {
    credits: ClassCredits,
    unit: Unit,
}

impl Fcu {
    /// All `cells` of each of so many classes of the next memory.
    pub fn new(classes: u16, cells: u16, unit: Unit) -> Fcu {
        Fcu { credits: ClassCredits::new(cells, classes), unit }
    }

    /// A packet of this class starts.
    ///
    /// ```
    #[doc = include_str!("../of_examples.txt")]
    /// let mut fcu = Fcu::new(1, 2, unit);
    /// fcu.take(ClassId(0), 2, Tick(10));
    /// assert_eq!((fcu.available(ClassId(0)), fcu.in_use(), fcu.credits().len()), (0, 2, 1));
    /// ```
    pub fn take(&mut self, class: ClassId, cells: u32, now: Tick) {
        must(self.credits.take(class, cells), self.unit, now);
    }

    /// Step 4: credit has come back.
    pub fn give(&mut self, class: ClassId, cells: u32, now: Tick) {
        must(self.credits.give(class, cells), self.unit, now);
    }

    /// PAUSE: nothing of a class may be sent.
    pub(crate) fn close(&mut self, class: ClassId, now: Tick) {
        self.take(class, self.credits.available(class), now);
    }

    /// RESUME: a class may be sent.
    pub(crate) fn open(&mut self, class: ClassId, now: Tick) {
        self.give(class, self.credits.class(class).in_use(), now);
    }

    /// Cells of a class that may be sent.
    #[inline]
    pub fn available(&self, class: ClassId) -> u32 {
        self.credits.available(class)
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
        Some(format!("{}: {away} credits of class {class} are away", self.unit))
    }
}
