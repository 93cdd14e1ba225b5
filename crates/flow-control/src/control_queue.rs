//! The control queue of one link direction.

use std::collections::VecDeque;

use crate::Control;
use crate::per_class::PerClass;

const WORD_BITS: usize = 64;

/// Control packets that wait for one direction of a link.
///
/// Named packets leave first and in the order pushed. Credits leave when no named packet waits:
/// round robin over the classes with waiting credit, all waiting credit of the class merged into
/// one packet. So a class waits for at most `classes - 1` credit packets of others. Source: spec
/// page `clock.md`, links.
///
/// Nothing is allocated once the queue has seen its longest run of named packets.
// What credit of one class touches, which is nearly all that waits, comes first: 16 bytes.
#[derive(Debug, Clone)]
#[repr(C)]
pub struct ControlQueue {
    /// Packets that wait: named ones, and one for each class with waiting credit.
    packets: u32,
    /// Waiting credit, in cells, if one class alone has had any since none waited. Else 0, and what
    /// waits is below.
    only_cells: u32,
    only_class: u16,
    waiting_classes: u16,
    /// The class that the next search begins with; one past the last class stands for the first.
    pointer: u16,
    classes: u16,
    /// Waiting credit of each class, in cells.
    credit_cells: PerClass<u32, 8>,
    /// Classes with waiting credit, one bit each: the first 64, and the others.
    waiting: u64,
    waiting_beyond: Box<[u64]>,
    named: VecDeque<Control>,
}

// What credit of one class touches.
const _: () = assert!(std::mem::offset_of!(ControlQueue, credit_cells) == 16);

impl ControlQueue {
    /// An empty queue for a link with `classes` classes of credits.
    ///
    /// # Panics
    /// With 0 classes or more than 65535: a class is a non-zero `u16` count.
    #[must_use]
    pub fn new(classes: usize) -> Self {
        assert!(
            classes >= 1 && classes <= usize::from(u16::MAX),
            "{classes} classes of credits: legal are 1 to 65535"
        );
        Self {
            named: VecDeque::new(),
            credit_cells: PerClass::new(0, classes as u16),
            classes: classes as u16,
            waiting: 0,
            waiting_beyond: vec![0; classes.div_ceil(WORD_BITS) - 1].into_boxed_slice(),
            waiting_classes: 0,
            only_cells: 0,
            only_class: 0,
            packets: 0,
            pointer: 0,
        }
    }

    /// Queues a control packet; a credit is merged as by [`add_credit`](Self::add_credit).
    ///
    /// # Panics
    /// As `add_credit`, for a credit.
    #[inline]
    pub fn push(&mut self, control: Control) {
        match control {
            Control::Credit { class, cells } => self.add_credit(class, cells),
            named => {
                self.named.push_back(named);
                self.packets += 1;
            }
        }
    }

    /// Adds `cells` to the waiting credit of `class`; 0 cells are nothing to send.
    ///
    /// # Panics
    /// If the queue was not made for that class.
    #[inline]
    pub fn add_credit(&mut self, class: u16, cells: u32) {
        assert!(
            class < self.classes,
            "credit of class {class} of {}",
            self.classes
        );
        if cells == 0 {
            return;
        }
        if self.waiting_classes == 0 {
            (self.only_class, self.only_cells) = (class, cells);
            self.waiting_classes = 1;
            self.packets += 1;
        } else if self.only_cells != 0 && self.only_class == class {
            // More than any memory holds either way; the receiver's `ClassCredits` names the
            // overflow.
            self.only_cells = self.only_cells.saturating_add(cells);
        } else {
            self.add_to_many(class, cells);
        }
    }

    /// The same where another class has waiting credit, or had.
    #[inline(never)]
    fn add_to_many(&mut self, class: u16, cells: u32) {
        let only = std::mem::take(&mut self.only_cells);
        if only != 0 {
            self.credit_cells[self.only_class] = only;
            self.set_waiting(self.only_class);
        }
        let waiting = self.credit_cells[class];
        if waiting == 0 {
            self.waiting_classes += 1;
            self.packets += 1;
            self.set_waiting(class);
        }
        self.credit_cells[class] = waiting.saturating_add(cells);
    }

    fn set_waiting(&mut self, class: u16) {
        let index = usize::from(class);
        *self.word(index / WORD_BITS) |= 1 << (index % WORD_BITS);
    }

    /// Whether nothing waits.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.packets == 0
    }

    /// Whether a packet waits that names a point.
    #[inline]
    #[must_use]
    pub fn has_named(&self) -> bool {
        self.packets != u32::from(self.waiting_classes)
    }

    /// Whether credit waits.
    #[inline]
    #[must_use]
    pub fn has_credit(&self) -> bool {
        self.waiting_classes != 0
    }

    /// Takes the packet that goes on the link now.
    #[inline]
    #[expect(
        clippy::should_implement_trait,
        reason = "a queue that fills again is not an iterator: its end is not the end"
    )]
    pub fn next(&mut self) -> Option<Control> {
        if let Some(named) = self.named.pop_front() {
            self.packets -= 1;
            return Some(named);
        }
        let (class, cells) = self.next_credit()?;
        Some(Control::Credit { class, cells })
    }

    /// Takes the credit packet that goes next, class and cells, whether named packets wait or not.
    #[inline]
    pub fn next_credit(&mut self) -> Option<(u16, u32)> {
        if self.waiting_classes == 0 {
            return None;
        }
        let (class, cells) = match std::mem::take(&mut self.only_cells) {
            0 => self.next_of_many(),
            cells => (self.only_class, cells),
        };
        self.pass_credit(class);
        self.waiting_classes -= 1;
        self.packets -= 1;
        Some((class, cells))
    }

    /// Takes the credit of the first class with any from the pointer on, where several classes have
    /// had some.
    #[inline(never)]
    fn next_of_many(&mut self) -> (u16, u32) {
        let start = if self.pointer < self.classes {
            usize::from(self.pointer)
        } else {
            0
        };
        let index = if usize::from(self.classes) <= WORD_BITS {
            first_from(self.waiting, start)
        } else {
            self.search_words(start)
        };
        *self.word(index / WORD_BITS) &= !(1 << (index % WORD_BITS));
        let class = index as u16;
        (class, std::mem::take(&mut self.credit_cells[class]))
    }

    /// A credit packet of `class` goes that never waited: the next search begins behind it, as
    /// after [`next_credit`](Self::next_credit).
    #[inline(always)]
    pub fn pass_credit(&mut self, class: u16) {
        self.pointer = class + 1;
    }

    /// Asks for what credit of several classes touches, ahead of its use; `more` credit is about to
    /// wait.
    #[inline(always)]
    pub fn prefetch_waiting(&self, more: bool) {
        if self.has_credit() && (more || self.only_cells == 0) {
            prefetch::line(&self.credit_cells);
        }
    }

    #[inline]
    fn word(&mut self, at: usize) -> &mut u64 {
        match at {
            0 => &mut self.waiting,
            _ => &mut self.waiting_beyond[at - 1],
        }
    }

    /// The first class with waiting credit at or after `start`, cyclic. Some class must be waiting.
    #[inline(never)]
    fn search_words(&mut self, start: usize) -> usize {
        let words = 1 + self.waiting_beyond.len();
        let mut word = start / WORD_BITS;
        let mut bits = *self.word(word) & (!0 << (start % WORD_BITS));
        while bits == 0 {
            word = if word + 1 == words { 0 } else { word + 1 };
            bits = *self.word(word);
        }
        word * WORD_BITS + bits.trailing_zeros() as usize
    }

    /// Credit of `class` that waits, in cells.
    ///
    /// # Panics
    /// If the queue was not made for that class.
    #[must_use]
    pub fn waiting_credit(&self, class: u16) -> u32 {
        assert!(
            class < self.classes,
            "credit of class {class} of {}",
            self.classes
        );
        match self.only_cells {
            cells if cells != 0 && self.only_class == class => cells,
            _ => self.credit_cells[class],
        }
    }

    /// Named packets that wait.
    #[must_use]
    pub fn waiting_named(&self) -> usize {
        self.named.len()
    }
}

/// The first set bit at or after bit `start`, cyclic; some bit must be set.
#[inline]
fn first_from(word: u64, start: usize) -> usize {
    let at_or_after = word & (!0 << start);
    let from = if at_or_after == 0 { word } else { at_or_after };
    from.trailing_zeros() as usize
}
