//! Looking ahead: what an event will touch is asked for while others are served, one step along the pointers after the other.
//! Nothing is changed, and nothing depends on it.

use crate::mu::normal_queue;
use crate::packet::Packet;
use crate::params::Params;
use crate::requests::{Class, bits};
use crate::switch::Switch;
use saq::QueueId;

impl Switch {
    /// Asks for where the ports are.
    #[inline(always)]
    pub fn prefetch_ports(&self) {
        prefetch::line(&self.inputs);
    }

    /// Asks for the registers of the crossbar, of requests and arbiters: a field of each cache line.
    #[inline(always)]
    pub fn prefetch(&self) {
        self.prefetch_ports();
        prefetch::line(&self.armed);
        prefetch::line(&self.crossings);
    }

    /// For a packet that is stored at `input`: its queue, what it requests, the output port.
    #[inline(always)]
    pub fn prefetch_store(&self, params: &Params, input: usize, packet: &Packet) {
        let output = usize::from(packet.ahead);
        let port = &self.inputs[input];
        port.prefetch_queue(normal_queue(params, packet.ahead, &packet.destination));
        port.prefetch_contents();
        self.prefetch_pair(input, output);
        self.outputs[output].prefetch_arrival();
    }

    #[inline(always)]
    fn prefetch_pair(&self, input: usize, output: usize) {
        self.requests.prefetch(input, output);
        prefetch::first(&self.crossings);
        // All of eight ports: four in a line.
        prefetch::nth(&self.crossings, 4);
    }

    /// For an evaluation of the crossbar: who requests `output`.
    #[inline(always)]
    pub fn prefetch_output(&self, output: usize) {
        self.outputs[output].prefetch_arrival();
        self.requests.prefetch_output(output);
    }

    /// For an evaluation of the crossbar: the first input that requests `output`.
    #[inline(always)]
    pub fn prefetch_input(&self, output: usize) {
        self.outputs[output].prefetch_room();
        if let Some(input) = self.first_input(output) {
            self.prefetch_pair(input, output);
            self.inputs[input].prefetch();
            self.outputs[input].link.prefetch();
        }
    }

    /// For an evaluation of the crossbar: the queue that goes.
    #[inline(always)]
    pub fn prefetch_queue(&self, output: usize) {
        let Some(input) = self.first_input(output) else {
            return;
        };
        let port = &self.inputs[input];
        port.prefetch_contents();
        let word = self.requests.only_word(Class::Normal, input, output);
        if let Some(queue) = word.and_then(|word| bits(word).next()) {
            port.memory.prefetch_queue(queue as QueueId);
        }
    }

    #[inline(always)]
    fn first_input(&self, output: usize) -> Option<usize> {
        bits(self.requests.inputs_of_any_class(output)).next()
    }
}
