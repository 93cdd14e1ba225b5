//! What there is to be seen: signals in a tree of scopes.

/// What a signal holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A bit.
    Bit,
    /// An integer of 32 bits.
    Integer,
    /// A text.
    Text,
}

/// A value of a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value<'a> {
    /// Of [`Kind::Bit`].
    Bit(bool),
    /// Of [`Kind::Integer`]; at most 31 bits, since viewers take it as signed.
    Integer(u32),
    /// Of [`Kind::Text`].
    Text(&'a str),
}

/// Number of a signal, in the order of declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SignalId(u32);

impl SignalId {
    /// Index into a table with an entry for each signal.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A line of the declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// A scope begins.
    Open(String),
    /// The scope ends that began last.
    Close,
    /// A signal of the present scope.
    Signal(String, SignalId, Kind),
}

/// The declaration of all signals.
#[derive(Debug, Clone, Default)]
pub struct Signals {
    items: Vec<Item>,
    kinds: Vec<Kind>,
    depth: usize,
}

impl Signals {
    /// Begins a scope inside of the present one. Names are without spaces.
    pub fn open(&mut self, scope: impl Into<String>) {
        self.depth += 1;
        self.items.push(Item::Open(scope.into()));
    }

    /// Ends the present scope.
    ///
    /// # Panics
    /// If none is open.
    pub fn close(&mut self) {
        assert!(self.depth > 0, "no scope is open");
        self.depth -= 1;
        self.items.push(Item::Close);
    }

    /// A signal of the present scope.
    pub fn add(&mut self, name: impl Into<String>, kind: Kind) -> SignalId {
        let id = SignalId(self.kinds.len() as u32);
        self.kinds.push(kind);
        self.items.push(Item::Signal(name.into(), id, kind));
        id
    }

    /// All lines.
    ///
    /// # Panics
    /// If a scope is still open.
    pub fn items(&self) -> &[Item] {
        assert!(self.depth == 0, "{} scopes are open", self.depth);
        &self.items
    }

    /// Of each signal, by its number.
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }
}
