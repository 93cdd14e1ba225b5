//! The request registers of a switch: which queue of which input requests which output, kept up to
//! date one head at a time, so that arbitration never searches.

use units::bits::Set;

/// Most SAQs of a port: a CAM has at most so many lines.
const SAQS_MAX: usize = 64;

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

/// The registers of an input, and of the output of the same number.
#[derive(Debug, Clone, Copy, Default)]
struct PortRequests {
    /// Inputs that request the output, by class.
    inputs: [u64; 2],
    /// Outputs that the input requests, in either class.
    outputs: u64,
}

/// Bit vectors over queues, inputs and outputs.
#[derive(Debug, Clone)]
pub struct RequestRegisters {
    ports: Box<[PortRequests]>,
    /// Outputs that any input requests.
    requested: u64,
    /// `[input][output]`, by class: queues that request.
    queues: Box<[[Set; 2]]>,
    /// Normal queues of an input.
    normal: usize,
}

impl RequestRegisters {
    /// No requests; `normal` is the largest number of normal queues of an input.
    pub fn new(ports: usize, normal: usize) -> RequestRegisters {
        let none = [Set::new(normal), Set::new(SAQS_MAX)];
        RequestRegisters {
            ports: vec![PortRequests::default(); ports].into(),
            requested: 0,
            queues: vec![none; ports * ports].into(),
            normal,
        }
    }

    fn pair(&self, input: usize, output: usize) -> usize {
        input * self.ports.len() + output
    }

    /// Inputs that request `output` in `class`.
    #[inline]
    pub fn inputs(&self, class: Class, output: usize) -> u64 {
        self.ports[output].inputs[class as usize]
    }

    /// Outputs that any input requests.
    #[inline]
    pub fn requested(&self) -> u64 {
        self.requested
    }

    /// Outputs that `input` requests in either class.
    #[inline]
    pub fn outputs(&self, input: usize) -> u64 {
        self.ports[input].outputs
    }

    /// The first queue of `input` that requests `output` in `class`, at or after `start`, cyclic,
    /// that `accept` takes; SAQs are numbered by CAM line.
    #[inline]
    pub(crate) fn find(
        &self,
        (class, input, output): (Class, usize, usize),
        start: u32,
        accept: impl FnMut(usize) -> bool,
    ) -> Option<usize> {
        let queues = &self.queues[self.pair(input, output)][class as usize];
        queues.first_from(start as usize, accept)
    }

    /// Raises the request of a queue.
    /// Panics: If there is no such queue.
    #[inline]
    pub fn set(&mut self, class: Class, input: usize, output: usize, queue: usize) {
        let most = match class {
            Class::Normal => self.normal,
            Class::Saq => SAQS_MAX,
        };
        assert!(queue < most, "queue {queue} of {most}");
        let pair = self.pair(input, output);
        self.queues[pair][class as usize].insert(queue);
        self.ports[output].inputs[class as usize] |= 1 << input;
        self.ports[input].outputs |= 1 << output;
        self.requested |= 1 << output;
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
    /// assert_eq!((registers.outputs(1), registers.inputs(Class::Normal, 3)), (0, 0));
    /// ```
    #[inline]
    pub fn clear(&mut self, class: Class, input: usize, output: usize, queue: usize) {
        let pair = self.pair(input, output);
        let queues = &mut self.queues[pair];
        queues[class as usize].remove(queue);
        if queues[class as usize].is_empty() {
            let inputs = &mut self.ports[output].inputs;
            inputs[class as usize] &= !(1 << input);
            if *inputs == [0; 2] {
                self.requested &= !(1 << output);
            }
        }
        if queues.iter().all(Set::is_empty) {
            self.ports[input].outputs &= !(1 << output);
        }
    }
}
