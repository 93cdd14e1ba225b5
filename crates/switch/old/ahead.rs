//! Looking ahead: what an event will touch is asked for while others are served, one step along the pointers after the other.
//! Nothing is changed, and nothing depends on it.

use crate::mu::normal_queue;
use crate::packet::{Packet, Packets};
use crate::params::Params;
use crate::requests::{Class, bits, find_in_word};
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

    /// For the end of the transfer from `input`: what it touches in the memory there, and where its credit goes.
    #[inline(always)]
    pub fn prefetch_end(&self, input: usize) {
        let (port, link) = (&self.inputs[input], &self.outputs[input].link);
        port.prefetch_lease();
        link.control.prefetch_waiting(port.transfer.is_some());
    }

    /// For a packet that is stored at `input`: its queue, what it requests, what of the output names the next switch.
    #[inline(always)]
    pub fn prefetch_store(&self, params: &Params, input: usize, packet: &Packet) {
        let output = usize::from(packet.ahead);
        let port = &self.inputs[input];
        port.memory
            .prefetch_queue(normal_queue(params, packet.ahead, &packet.destination));
        port.memory.prefetch_next_cell();
        port.prefetch_cam();
        self.prefetch_pair(input, output);
        self.outputs[output].link.prefetch_peer();
    }

    /// The same where the crossbar is evaluated in the same tick: the rest of the output.
    #[inline(always)]
    pub fn prefetch_crossing(&self, packet: &Packet) {
        self.outputs[usize::from(packet.ahead)].prefetch_arrival();
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
        self.requests.prefetch_port(output);
    }

    /// For an evaluation of the crossbar in which several outputs are looked at.
    #[inline(always)]
    pub fn prefetch_many(&self) {
        if self.marked & self.marked.wrapping_sub(1) != 0 {
            prefetch::line(&self.matching);
            prefetch::line(&self.grants);
            prefetch::line(&self.inputs_of);
            prefetch::first(&self.inputs_of[0]);
            prefetch::first(&self.queue_of);
            // 32 in a line: of eight ports all.
            prefetch::nth(&self.queue_of, 32);
        }
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

    /// For an evaluation of the crossbar: the queue that goes, and where the packet before it has gone.
    #[inline(always)]
    pub fn prefetch_queue(&self, output: usize) {
        if let Some((input, queue)) = self.first_queue(output) {
            self.inputs[input].memory.prefetch_queue(queue);
            self.inputs[input].prefetch_cam();
            self.prefetch_end(input);
        }
    }

    /// For an evaluation of the crossbar: the cell that the packet begins in. Returns the port whose credit the transfer before it
    /// gives back.
    #[inline(always)]
    pub fn prefetch_cell(&self, output: usize) -> Option<u32> {
        let (input, queue) = self.first_queue(output)?;
        self.inputs[input].memory.prefetch_front(queue);
        Some(self.outputs[input].link.peer.to)
    }

    /// For an evaluation of the crossbar: the packet.
    #[inline(always)]
    pub fn prefetch_packet(&self, output: usize, packets: &Packets) {
        if let Some((input, queue)) = self.first_queue(output)
            && let Some(id) = self.inputs[input].memory.front(queue)
        {
            prefetch::line(&packets[id]);
            // The head after it.
            if let Some(id) = self.inputs[input].memory.second(queue) {
                prefetch::line(&packets[id]);
            }
        }
    }

    #[inline(always)]
    fn first_input(&self, output: usize) -> Option<usize> {
        bits(self.requests.inputs_of_any_class(output)).next()
    }

    /// The queue that goes first, as far as is known without looking at it.
    #[inline(always)]
    fn first_queue(&self, output: usize) -> Option<(usize, QueueId)> {
        let input = self.first_input(output)?;
        let word = self.requests.only_word(Class::Normal, input, output)?;
        let pointer = self.pointer(Class::Normal, input, output);
        let queue = find_in_word(word, pointer, |_| true)?;
        Some((input, queue as QueueId))
    }
}
