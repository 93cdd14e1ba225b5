//! The control queue of a link: order, merging, conservation of credits.

use std::collections::VecDeque;

use flow_control::{Control, ControlQueue, PauseWord};
use hierarchy::recovery::Message;
use proptest::prelude::*;
use turnpool::Point;
use units::{ClassId, VcId};

fn point(turn: u32) -> Point {
    Point::from_turn(turn, 3)
}

// A PAUSE whose memory emptied before the link was free is not sent, nor is word of a fault to a
// neighbour that restarts; the others keep their order.
#[test]
fn what_is_taken_back_is_not_sent() {
    let pause = Control::Pause(PauseWord::Pause, VcId(0));
    let mut queue = ControlQueue::new(1);
    queue.push(pause);
    queue.take_back(pause);
    assert!(queue.is_empty());
    queue.push(Control::Recovery(Message::End));
    queue.push(Control::Xon(point(1)));
    queue.forget_recovery();
    assert_eq!(queue.next(), Some(Control::Xon(point(1))));
    assert!(queue.is_empty());
}

// Although there is a place for 8 classes in every queue.
#[test]
#[should_panic(expected = "credit of class 2 of 2")]
fn credit_of_an_unknown_class_is_refused() {
    ControlQueue::new(2).add_credit(ClassId(2), 1);
}

#[test]
#[should_panic(expected = "0 classes of credits: legal are 1 to 65535")]
fn queue_without_classes_is_refused() {
    let _ = ControlQueue::new(0);
}

#[test]
fn names_and_points_of_control_packets() {
    let names = ["xoff", "xon", "notification", "token", "nack"];
    for (kind, name) in (0..).zip(names) {
        let control = named(kind, 5);
        assert_eq!((control.name(), control.point()), (name, Some(point(5))));
    }
}

/// The queue as specified, by scanning.
struct Plain {
    named: VecDeque<Control>,
    credits: Vec<u32>,
    start: usize,
}

impl Plain {
    fn next_credit(&mut self) -> Option<(ClassId, u32)> {
        let classes = self.credits.len();
        let class = (0..classes)
            .map(|k| (self.start + k) % classes)
            .find(|&class| self.credits[class] > 0)?;
        self.start = (class + 1) % classes;
        Some((ClassId::at(class), std::mem::take(&mut self.credits[class])))
    }
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Named(u8, u32),
    Credit(usize, u32),
    NextNamed,
    NextCredit,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        1 => (0u8..5, 0u32..8).prop_map(|(kind, turn)| Step::Named(kind, turn)),
        4 => (any::<usize>(), 0u32..40).prop_map(|(class, cells)| Step::Credit(class, cells)),
        2 => Just(Step::NextNamed),
        2 => Just(Step::NextCredit),
    ]
}

fn named(kind: u8, turn: u32) -> Control {
    let point = point(turn);
    match kind {
        0 => Control::Xoff(point),
        1 => Control::Xon(point),
        2 => Control::Notification(point),
        3 => Control::Token(point),
        _ => Control::Nack(point),
    }
}

proptest! {
    #![proptest_config(crate::fixed::fixed(300, 2005))]

    // Same packets in the same order as the plain queue; every cell given is delivered once, in its
    // class; each return either makes a packet or merges.
    #[test]
    fn queue_equals_the_plain_one(
        classes in prop::sample::select(vec![1usize, 2, 5, 8, 9, 63, 64, 65, 128, 200]),
        steps in prop::collection::vec(step(), 0..300),
    ) {
        let mut queue = ControlQueue::new(classes);
        let mut plain = Plain { named: VecDeque::new(), credits: vec![0; classes], start: 0 };
        let (mut returns, mut merged, mut credit_packets) = (0u64, 0u64, 0u64);
        let drain = [Step::NextNamed, Step::NextCredit].repeat(steps.len() + 1);
        for step in steps.into_iter().chain(drain) {
            match step {
                Step::Named(kind, turn) => {
                    queue.push(named(kind, turn));
                    plain.named.push_back(named(kind, turn));
                }
                Step::Credit(class, cells) => {
                    // Few classes, the last one among them, so that credits do merge.
                    let class = class % 7 * (classes - 1) / 6;
                    queue.add_credit(ClassId::at(class), cells);
                    returns += u64::from(cells > 0);
                    merged += u64::from(cells > 0 && plain.credits[class] > 0);
                    plain.credits[class] += cells;
                }
                Step::NextNamed => prop_assert_eq!(queue.next(), plain.named.pop_front()),
                Step::NextCredit => {
                    let got = queue.next_credit();
                    prop_assert_eq!(got, plain.next_credit());
                    credit_packets += u64::from(got.is_some());
                }
            }
            let credit_waits = plain.credits.iter().any(|&cells| cells > 0);
            prop_assert_eq!(queue.is_empty(), plain.named.is_empty() && !credit_waits);
            for (class, &cells) in plain.credits.iter().enumerate() {
                prop_assert_eq!(queue.waiting_credit(ClassId::at(class)), cells);
            }
        }
        prop_assert!(queue.is_empty());
        prop_assert_eq!(credit_packets + merged, returns);
    }

    // No class waits for more than one credit packet of each other class, whatever the others
    // return meanwhile.
    #[test]
    fn wait_of_a_class_is_bounded(
        classes in 2_usize..100,
        ahead in 0_usize..100,
        class in 0_usize..100,
    ) {
        let class = class % classes;
        let mut queue = ControlQueue::new(classes);
        let give_all = |queue: &mut ControlQueue| {
            (0..classes).for_each(|class| queue.add_credit(ClassId::at(class), 1));
        };
        give_all(&mut queue);
        for _ in 0..ahead % classes {
            queue.next_credit();
        }
        give_all(&mut queue);
        let sent = (0..classes).position(|_| {
            let got = queue.next_credit();
            give_all(&mut queue);
            got.is_some_and(|(sent, _)| sent.index() == class)
        });
        prop_assert!(sent.is_some());
    }
}
