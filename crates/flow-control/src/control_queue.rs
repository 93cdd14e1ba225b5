//! The control queue of one link direction.

use std::collections::VecDeque;

use units::ClassId;
use units::bits::Set;

use crate::Control;
use crate::per_class::PerClass;

/// Control packets that wait for one direction of a link.
///
/// Named packets leave first and in the order pushed. Credits leave when no named packet waits:
/// round robin over the classes with waiting credit, all waiting credit of the class merged into
/// one packet. So a class waits for at most `classes - 1` credit packets of others (spec page
/// `clock.md`, links).
// What credit of one class touches, which is nearly all that waits, comes first: 16 bytes.
#[derive(Debug, Clone)]
#[repr(C)]
pub struct ControlQueue {
    /// Packets that wait: named ones, and one for each class with waiting credit.
    packets: u32,
    /// Waiting credit, in cells, if one class alone has had any since none waited. Else 0, and what
    /// waits is below.
    only_cells: u32,
    only_class: ClassId,
    waiting_classes: u16,
    /// The class that the next search begins with; one past the last class means the first.
    pointer: u16,
    classes: u16,
    /// Waiting credit of each class, in cells.
    credit_cells: PerClass<u32, 8>,
    /// Classes with waiting credit, where more than one has had some.
    waiting: Set,
    named: VecDeque<Control>,
}

// What credit of one class touches.
const _: () = assert!(std::mem::offset_of!(ControlQueue, credit_cells) == 16);

impl ControlQueue {
    /// An empty queue for a link with `classes` classes of credits.
    /// Panics: With 0 classes or more than 65535: a class is a non-zero `u16` count.
    pub fn new(classes: usize) -> Self {
        assert!(
            classes >= 1 && classes <= usize::from(u16::MAX),
            "{classes} classes of credits: legal are 1 to 65535"
        );
        Self {
            named: VecDeque::new(),
            credit_cells: PerClass::new(0, classes as u16),
            classes: classes as u16,
            waiting: Set::new(classes),
            waiting_classes: 0,
            only_cells: 0,
            only_class: ClassId(0),
            packets: 0,
            pointer: 0,
        }
    }

    /// Queues a named control packet.
    #[inline]
    pub fn push(&mut self, control: Control) {
        self.named.push_back(control);
        self.packets += 1;
    }

    /// Drops the waiting control packets of fault recovery: the link is down, and what they carry
    /// is sent anew when it comes up.
    pub fn forget_recovery(&mut self) {
        let before = self.named.len();
        self.named.retain(|control| !matches!(control, Control::Recovery(_)));
        self.packets -= (before - self.named.len()) as u32;
    }

    /// Takes a named control packet back that waits; nothing, if it does not.
    pub fn take_back(&mut self, control: Control) {
        if let Some(at) = self.named.iter().position(|waiting| *waiting == control) {
            self.named.remove(at);
            self.packets -= 1;
        }
    }

    /// Adds `cells` to the waiting credit of `class`; 0 cells are nothing to send.
    /// Panics: If the queue was not made for that class.
    #[inline]
    pub fn add_credit(&mut self, class: ClassId, cells: u32) {
        self.known(class);
        if cells == 0 {
            return;
        }
        if self.waiting_classes == 0 {
            (self.only_class, self.only_cells) = (class, cells);
            self.waiting_classes = 1;
            self.packets += 1;
        } else if self.only_cells != 0 && self.only_class == class {
            // More than any memory holds; the receiver's `ClassCredits` reports the overflow.
            self.only_cells = self.only_cells.saturating_add(cells);
        } else {
            self.add_to_many(class, cells);
        }
    }

    /// Adds credit where another class has waiting credit, or had.
    #[inline(never)]
    fn add_to_many(&mut self, class: ClassId, cells: u32) {
        let only = std::mem::take(&mut self.only_cells);
        if only != 0 {
            self.credit_cells[self.only_class] = only;
            self.waiting.insert(self.only_class.index());
        }
        let waiting = self.credit_cells[class];
        if waiting == 0 {
            self.waiting_classes += 1;
            self.packets += 1;
            self.waiting.insert(class.index());
        }
        self.credit_cells[class] = waiting.saturating_add(cells);
    }

    /// Whether nothing waits.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.packets == 0
    }

    /// Takes the named packet that goes on the link next.
    #[inline]
    #[expect(
        clippy::should_implement_trait,
        reason = "a queue that fills again is not an iterator: its end is not the end"
    )]
    pub fn next(&mut self) -> Option<Control> {
        let named = self.named.pop_front()?;
        self.packets -= 1;
        Some(named)
    }

    /// Takes the credit packet that goes next, class and cells, whether named packets wait or not.
    #[inline]
    pub fn next_credit(&mut self) -> Option<(ClassId, u32)> {
        if self.waiting_classes == 0 {
            return None;
        }
        let (class, cells) = match std::mem::take(&mut self.only_cells) {
            0 => self.next_of_many()?,
            cells => (self.only_class, cells),
        };
        self.pointer = class.0 + 1;
        self.waiting_classes -= 1;
        self.packets -= 1;
        Some((class, cells))
    }

    /// Takes the credit of the first class with any, from the pointer on, among several.
    #[inline(never)]
    fn next_of_many(&mut self) -> Option<(ClassId, u32)> {
        let start = usize::from(self.pointer);
        let class = self.waiting.first_from(start, |_| true)?;
        self.waiting.remove(class);
        let class = ClassId::at(class);
        Some((class, std::mem::take(&mut self.credit_cells[class])))
    }

    /// Credit of `class` that waits, in cells.
    /// Panics: If the queue was not made for that class.
    pub fn waiting_credit(&self, class: ClassId) -> u32 {
        self.known(class);
        match self.only_cells {
            cells if cells != 0 && self.only_class == class => cells,
            _ => self.credit_cells[class],
        }
    }

    #[inline]
    #[track_caller]
    fn known(&self, class: ClassId) {
        assert!(class.0 < self.classes, "credit of class {class} of {}", self.classes);
    }
}
