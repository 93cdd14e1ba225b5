//! The request registers of a switch: which queue of which input requests which output, kept up to
//! date one head at a time, so that arbitration never searches.

/// Class of a queue: normal queues request with priority over SAQs (garcia-mesh-2005).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub enum Class {
    /// Normal and detection queues.
    Normal = 0,
    /// SAQs.
    Saq = 1,
}

impl Class {
    /// Both, by priority.
    pub const ALL: [Class; 2] = [Class::Normal, Class::Saq];
}

/// What the registers say about an input, and about the output of the same number.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C, align(32))]
struct PortRequests {
    /// Inputs that request the output, by class.
    inputs: [u64; 2],
    /// Outputs that the input requests, in either class.
    outputs: u64,
    /// Normal queues of the input that request, by output, where those of all outputs fit a word.
    queues: u64,
}

/// Bit vectors over queues, inputs and outputs.
#[derive(Debug, Clone)]
#[repr(C)]
pub struct RequestRegisters {
    ports: u16,
    /// Words of a set of normal queues.
    words: u16,
    /// Bits of such a set where those of all outputs fit a word, else 0.
    packed: u32,
    registers: Box<[PortRequests]>,
    /// `[input][output]`: normal queues that request, where they fit no word together.
    normal: Box<[u64]>,
    /// `[input][output]`: SAQs.
    saqs: Box<[u64]>,
}

impl RequestRegisters {
    /// No requests; `queues` is the largest number of normal queues of an input, at least 1.
    pub fn new(ports: usize, queues: usize) -> RequestRegisters {
        let fits = ports * queues <= 64;
        let words = queues.div_ceil(64);
        RequestRegisters {
            ports: ports as u16,
            words: words as u16,
            packed: if fits { queues as u32 } else { 0 },
            registers: vec![PortRequests::default(); ports].into(),
            normal: vec![0; if fits { 0 } else { ports * ports * words }].into(),
            saqs: vec![0; ports * ports].into(),
        }
    }

    /// Where a pair is in a table.
    fn pair(&self, input: usize, output: usize) -> usize {
        input * usize::from(self.ports) + output
    }

    /// Inputs that request `output` in `class`.
    pub fn inputs(&self, class: Class, output: usize) -> u64 {
        self.registers[output].inputs[class as usize]
    }

    /// Inputs that request `output` in either class.
    pub fn inputs_of_any_class(&self, output: usize) -> u64 {
        let [normal, saqs] = self.registers[output].inputs;
        normal | saqs
    }

    /// Outputs that any input requests.
    pub fn requested(&self) -> u64 {
        let inputs = self.registers.iter();
        inputs.fold(0, |all, input| all | input.outputs)
    }

    /// Outputs that `input` requests in either class.
    pub fn outputs(&self, input: usize) -> u64 {
        self.registers[input].outputs
    }

    /// The first queue of `input` that requests `output` in `class`, at or after `start`, cyclic,
    /// that `accept` takes; SAQs are numbered by CAM line.
    pub(crate) fn find(
        &self,
        (class, input, output): (Class, usize, usize),
        start: u32,
        accept: impl FnMut(usize) -> bool,
    ) -> Option<usize> {
        match self.only_word(class, input, output) {
            Some(word) => bits::first_from(word, start, accept),
            None => bits::first_from_words(self.words(input, output), start as usize, accept),
        }
    }

    /// All such queues, where they are one word.
    pub(crate) fn only_word(&self, class: Class, input: usize, output: usize) -> Option<u64> {
        match class {
            Class::Saq => Some(self.saqs[self.pair(input, output)]),
            Class::Normal if self.packed > 0 => {
                let queues = self.registers[input].queues >> (output as u32 * self.packed);
                Some(queues & (u64::MAX >> (64 - self.packed)))
            }
            Class::Normal if self.words == 1 => Some(self.normal[self.pair(input, output)]),
            Class::Normal => None,
        }
    }

    /// Words of the normal queues of a pair, where they fit no word together.
    fn words(&self, input: usize, output: usize) -> &[u64] {
        let words = usize::from(self.words);
        &self.normal[self.pair(input, output) * words..][..words]
    }

    /// Raises the request of a queue.
    ///
    /// ```
    #[doc = include_str!("../of_examples.txt")]
    /// let mut registers = RequestRegisters::new(4, 3);
    /// registers.set(Class::Normal, 1, 3, 2); // queue 2 of input 1 requests output 3
    /// registers.set(Class::Saq, 2, 3, 0); // the SAQ of line 0 of input 2 too
    /// assert_eq!(Class::ALL.map(|class| registers.inputs(class, 3)), [0b10, 0b100]);
    /// assert_eq!((registers.inputs_of_any_class(3), registers.outputs(1)), (0b110, 0b1000));
    /// ```
    pub fn set(&mut self, class: Class, input: usize, output: usize, queue: usize) {
        let (word, bit) = self.place(class, input, output, queue);
        *word |= 1 << bit;
        self.registers[output].inputs[class as usize] |= 1 << input;
        self.registers[input].outputs |= 1 << output;
    }

    /// Withdraws the request of a queue.
    ///
    /// ```
    #[doc = include_str!("../of_examples.txt")]
    /// let mut registers = RequestRegisters::new(4, 3);
    /// registers.set(Class::Normal, 1, 3, 0);
    /// registers.set(Class::Normal, 1, 3, 2);
    /// registers.clear(Class::Normal, 1, 3, 2);
    /// assert_eq!(registers.outputs(1), 0b1000); // queue 0 still does
    /// registers.clear(Class::Normal, 1, 3, 0);
    /// assert_eq!((registers.outputs(1), registers.inputs_of_any_class(3)), (0, 0));
    /// ```
    pub fn clear(&mut self, class: Class, input: usize, output: usize, queue: usize) {
        let (word, bit) = self.place(class, input, output, queue);
        *word &= !(1 << bit);
        match self.only_word(class, input, output) {
            Some(0) => {}
            None if self.words(input, output).iter().all(|&word| word == 0) => {}
            _ => return,
        }
        let inputs = &mut self.registers[output].inputs;
        inputs[class as usize] &= !(1 << input);
        if (inputs[0] | inputs[1]) >> input & 1 == 0 {
            self.registers[input].outputs &= !(1 << output);
        }
    }

    /// The word that a queue's bit is in, and which bit it is.
    fn place(
        &mut self,
        class: Class,
        input: usize,
        output: usize,
        queue: usize,
    ) -> (&mut u64, u32) {
        let pair = self.pair(input, output);
        match class {
            Class::Saq => (&mut self.saqs[pair], queue as u32),
            Class::Normal if self.packed > 0 => {
                assert!(
                    queue < self.packed as usize,
                    "queue {queue} of {}",
                    self.packed
                );
                let bit = output as u32 * self.packed + queue as u32;
                (&mut self.registers[input].queues, bit)
            }
            Class::Normal => {
                let at = pair * usize::from(self.words) + queue / 64;
                (&mut self.normal[at], queue as u32 % 64)
            }
        }
    }
}
