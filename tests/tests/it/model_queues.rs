//! Do the queues of the protocol model do as the MMU does? Else what is explored is not what runs.

use proptest::prelude::*;
use recn::MarkedQueues;
use saq::Mmu;
use setaside_tests::protocol_model::Queues;
use units::{LineId, PacketId, QueueId};

const QUEUES: u16 = 4;
const MARKERS: u8 = 3;
const CELLS: u16 = 6;

#[derive(Debug, Clone, Copy)]
enum Operation {
    Push(QueueId),
    Pop(QueueId),
    Move(QueueId, QueueId),
    Place(LineId, QueueId),
    Take(QueueId),
    Swap(QueueId, QueueId),
}

fn operation() -> impl Strategy<Value = Operation> {
    let queue = (0..QUEUES).prop_map(QueueId);
    let marker = (0..MARKERS).prop_map(LineId);
    prop_oneof![
        3 => queue.clone().prop_map(Operation::Push),
        2 => queue.clone().prop_map(Operation::Pop),
        1 => (queue.clone(), queue.clone()).prop_map(|(a, b)| Operation::Move(a, b)),
        2 => (marker, queue.clone()).prop_map(|(m, q)| Operation::Place(m, q)),
        2 => queue.clone().prop_map(Operation::Take),
        1 => (queue.clone(), queue).prop_map(|(a, b)| Operation::Swap(a, b)),
    ]
}

/// What one operation answers, as text.
fn answers(operation: Operation, packet: u8, mmu: &mut Mmu, queues: &mut Queues) -> [String; 2] {
    match operation {
        Operation::Push(queue) => {
            // The model asks for room first.
            if mmu.free_cells() == 0 {
                return Default::default();
            }
            let stored = mmu.push(queue, PacketId(u32::from(packet)), 1);
            queues.push(queue, packet);
            [stored.is_ok().to_string(), true.to_string()]
        }
        Operation::Pop(queue) => {
            let lease = mmu.pop(queue).ok();
            let packet = lease.as_ref().map(|l| l.packet.0);
            if let Some(lease) = lease {
                mmu.release(lease).expect("its own lease");
            }
            let modelled = queues.pop(queue).map(u32::from);
            [format!("{packet:?}"), format!("{modelled:?}")]
        }
        Operation::Move(from, to) => [
            mmu.move_front(from, to).is_ok().to_string(),
            queues.move_front(from, to).is_some().to_string(),
        ],
        Operation::Place(marker, queue) => [
            format!("{:?}", MarkedQueues::place_marker(mmu, marker, queue)),
            format!("{:?}", queues.place_marker(marker, queue)),
        ],
        Operation::Take(queue) => [
            format!("{:?}", MarkedQueues::take_head_marker(mmu, queue)),
            format!("{:?}", queues.take_head_marker(queue)),
        ],
        Operation::Swap(a, b) => {
            [format!("{:?}", MarkedQueues::swap(mmu, a, b)), format!("{:?}", queues.swap(a, b))]
        }
    }
}

/// What a port sees of a queue.
fn view(memory: &impl MarkedQueues, queue: QueueId) -> (bool, bool, u32, bool) {
    (
        memory.is_empty(queue),
        memory.is_vacant(queue),
        memory.packets(queue),
        memory.has_markers(queue),
    )
}

proptest! {
    #![proptest_config(setaside_tests::property::fixed(2_000, 2005))]

    /// "the same transition code as the simulator" (issue): the memory behind it must be the same
    /// too.
    #[test]
    fn queues_of_the_model_do_as_the_mmu(operations in prop::collection::vec(operation(), 1..60)) {
        let mut mmu = Mmu::new(CELLS, usize::from(QUEUES), usize::from(MARKERS));
        let mut queues = Queues::default();
        for (k, &operation) in operations.iter().enumerate() {
            let [real, model] = answers(operation, k as u8, &mut mmu, &mut queues);
            prop_assert_eq!(real, model, "{:?} at {}", operation, k);
            for queue in (0..QUEUES).map(QueueId) {
                let [real, model] = [view(&mmu, queue), view(&queues, queue)];
                prop_assert_eq!(real, model, "{:?} at {}", operation, k);
                let front = queues.front(queue).map(u32::from);
                prop_assert_eq!(mmu.front(queue), front.map(PacketId));
            }
        }
    }
}
