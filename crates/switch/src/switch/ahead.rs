//! Looking ahead: what an event will touch is asked for while others are served, one step along the
//! pointers after the other. Nothing is changed, and nothing depends on it. The steps of each kind
//! of event are put together by the clock.

use super::Switch;
use crate::packet::{Packet, Packets};
use crate::params::Params;
use crate::scheduler::Class;
use bits::ones;
use units::{PortId, QueueId};

impl Switch {
    /// Asks for the registers of the crossbar, of requests and arbiters.
    #[inline(always)]
    pub fn prefetch(&self) {
        prefetch::line(&self.inputs);
        self.scheduler.prefetch();
    }

    /// For a packet that comes to `input`: the records of the port and of its output.
    #[inline(always)]
    pub fn prefetch_store(&self, params: &Params, input: PortId, packet: &Packet) {
        let port = &self.inputs[input.index()];
        port.memory()
            .prefetch_queue(port.normal_queue(params, packet));
        port.memory().prefetch_next_cell();
        self.outputs[packet.output.index()].prefetch();
    }

    /// For an evaluation of the crossbar: the output, and the first input that requests it.
    #[inline(always)]
    pub fn prefetch_crossing(&self, output: PortId) {
        self.outputs[output.index()].prefetch();
        if let Some(input) = self.first_input(output) {
            self.inputs[input.index()].prefetch();
            self.outputs[input.index()].prefetch();
        }
    }

    /// For an evaluation of the crossbar: the queue that goes.
    #[inline(always)]
    pub fn prefetch_queue(&self, output: PortId) {
        if let Some((input, queue)) = self.first_queue(output) {
            let memory = self.inputs[input.index()].memory();
            memory.prefetch_queue(queue);
            memory.prefetch_front(queue);
        }
    }

    /// For an evaluation of the crossbar: the packet that goes.
    #[inline(always)]
    pub fn prefetch_packet(&self, output: PortId, packets: &Packets) {
        if let Some((input, queue)) = self.first_queue(output)
            && let Some(id) = self.inputs[input.index()].memory().front(queue)
        {
            prefetch::line(&packets[id]);
        }
    }

    #[inline(always)]
    fn first_input(&self, output: PortId) -> Option<PortId> {
        let requests = self.scheduler.requests();
        let inputs = requests.inputs_of_any_class(output.index());
        ones(inputs).next().map(|input| PortId(input as u8))
    }

    /// The queue that goes first, as far as is known without looking at it.
    #[inline(always)]
    fn first_queue(&self, output: PortId) -> Option<(PortId, QueueId)> {
        let input = self.first_input(output)?;
        let requests = self.scheduler.requests();
        let word = requests.only_word(Class::Normal, input.index(), output.index())?;
        let queue = ones(word).next()?;
        Some((input, QueueId(queue as u16)))
    }
}
