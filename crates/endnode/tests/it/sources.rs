//! When messages are generated, and what becomes of those that find no room.

use crate::common::{ENDNODE, PACKET, Setup, World, group, workload};
use plan::{EndNodeConfig, GeneratorRule};
use units::Tick;

/// A node whose messages find room for eight of them in the switch, eight in injection and two in
/// admittance.
fn setup(generator: GeneratorRule) -> Setup {
    Setup {
        groups: vec![group(0, 1)],
        endnode: EndNodeConfig { admittance_bytes: Some(2 * PACKET), generator, ..ENDNODE },
        credit: false,
        ..Setup::default()
    }
}

fn arrivals() -> Vec<Tick> {
    let mut workload = workload(&[group(0, 1)], 1);
    let generator = workload.generators.remove(0).1;
    generator.map(|message| message.tick).collect()
}

// "a message that does not fit is lost to generation and counted as refused at the source (the
// arrival process goes on)".
#[test]
fn what_does_not_fit_is_refused_and_arrivals_go_on() {
    let mut world = World::new(&setup(GeneratorRule::Drop));
    world.run(3_000);
    let offers = &world.fake.offers;
    assert!(offers.iter().map(|offer| offer.born).eq(arrivals()));
    let refused = offers.iter().filter(|offer| offer.refused).count();
    assert_eq!(refused, arrivals().len() - (8 + 8 + 2));
}

// "`delayed` waits for room instead", and all that follows with it: intervals stay.
#[test]
fn a_message_that_waits_delays_all_that_follow() {
    let mut world = World::new(&setup(GeneratorRule::Delayed));
    world.run(900);
    let taken = 8 + 8 + 2;
    assert_eq!(world.fake.offers.len(), taken);
    for _ in 0..3 {
        world.give_back(0, 1);
    }
    world.run(3_000);
    let (offers, arrivals) = (&world.fake.offers, arrivals());
    assert!(offers.iter().all(|offer| !offer.refused));
    let shift = offers[taken].born - arrivals[taken];
    assert!(offers[taken].born >= Tick(900) - world.params.stages.injection);
    assert_eq!(offers[taken + 1].born, arrivals[taken + 1] + shift);
}

// A message enters admittance after the stages of injection: "generated, then looked up and
// written".
#[test]
fn a_message_is_on_its_way_for_the_stages_of_injection() {
    let mut world = World::new(&setup(GeneratorRule::Drop));
    let (born, stages) = (arrivals()[0], world.params.stages.injection);
    world.run((born + stages).0);
    let mut on_the_way = Vec::new();
    world.nodes[0].unadmitted(world.fake.now, |message| on_the_way.push(message.born));
    assert_eq!((on_the_way, world.fake.offers.len()), (vec![born], 0));
    world.run((born + stages).0 + 1);
    assert_eq!(world.fake.offers[0].born, born);
}
