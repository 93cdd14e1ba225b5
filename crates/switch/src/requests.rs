//! The request registers of a switch: which queue of which input requests which output, kept up to date one head at a
//! time, so that arbitration never searches.

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

/// Bit vectors over queues, inputs and outputs.
#[derive(Debug, Clone)]
pub struct RequestRegisters {
    ports: usize,
    words: usize,
    /// `[class][output]`: inputs that request it.
    inputs: [Box<[u64]>; 2],
    /// `[input]`: outputs that it requests, in either class.
    outputs: Box<[u64]>,
    /// `[input][output][word]`: normal queues.
    normal: Box<[u64]>,
    /// `[input][output]`: SAQs.
    saqs: Box<[u64]>,
}

impl RequestRegisters {
    /// No requests; `queues` is the largest number of normal queues of an input.
    pub fn new(ports: usize, queues: usize) -> RequestRegisters {
        let words = queues.div_ceil(64);
        RequestRegisters {
            ports,
            words,
            inputs: [vec![0; ports].into(), vec![0; ports].into()],
            outputs: vec![0; ports].into(),
            normal: vec![0; ports * ports * words].into(),
            saqs: vec![0; ports * ports].into(),
        }
    }

    /// Inputs that request `output` in `class`.
    #[inline]
    pub fn inputs(&self, class: Class, output: usize) -> u64 {
        self.inputs[class as usize][output]
    }

    /// Outputs that `input` requests in either class.
    #[inline]
    pub fn outputs(&self, input: usize) -> u64 {
        self.outputs[input]
    }

    /// Queues of `input` that request `output` in `class`: words of a bit vector; SAQs are numbered by CAM line.
    #[inline]
    pub fn queues(&self, class: Class, input: usize, output: usize) -> &[u64] {
        let at = input * self.ports + output;
        match class {
            Class::Normal => &self.normal[at * self.words..(at + 1) * self.words],
            Class::Saq => &self.saqs[at..=at],
        }
    }

    /// Raises the request of a queue.
    #[inline]
    pub fn set(&mut self, class: Class, input: usize, output: usize, queue: usize) {
        self.queues_mut(class, input, output)[queue / 64] |= 1 << (queue % 64);
        self.inputs[class as usize][output] |= 1 << input;
        self.outputs[input] |= 1 << output;
    }

    /// Withdraws the request of a queue.
    #[inline]
    pub fn clear(&mut self, class: Class, input: usize, output: usize, queue: usize) {
        let queues = self.queues_mut(class, input, output);
        queues[queue / 64] &= !(1 << (queue % 64));
        if queues.iter().all(|&w| w == 0) {
            self.inputs[class as usize][output] &= !(1 << input);
            if (self.inputs[0][output] | self.inputs[1][output]) >> input & 1 == 0 {
                self.outputs[input] &= !(1 << output);
            }
        }
    }

    #[inline]
    fn queues_mut(&mut self, class: Class, input: usize, output: usize) -> &mut [u64] {
        let at = input * self.ports + output;
        match class {
            Class::Normal => &mut self.normal[at * self.words..(at + 1) * self.words],
            Class::Saq => &mut self.saqs[at..=at],
        }
    }
}

/// Set bits of a word, from the lowest.
#[inline]
pub fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let bit = word.trailing_zeros() as usize;
            word &= word - 1;
            bit
        })
    })
}

/// Set bits of several words, from the lowest.
#[inline]
pub fn bits_of(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words
        .iter()
        .enumerate()
        .flat_map(|(i, &w)| bits(w).map(move |b| i * 64 + b))
}
