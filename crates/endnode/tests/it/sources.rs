//! When a message comes to admittance. What becomes of those that find no room: the oracle of
//! `tests/`.

use crate::common::{Setup, World, group, workload};

// A message enters admittance after the stages of injection: "generated, then looked up and
// written".
#[test]
fn a_message_is_on_its_way_for_the_stages_of_injection() {
    let groups = vec![group(0, 1)];
    let first = workload(&groups).generators.remove(0).1.next();
    let mut world = World::new(&Setup { groups, ..Setup::default() });
    let (born, stages) = (first.expect("a message").tick, world.params.stages.injection);
    world.run((born + stages).0);
    let mut on_the_way = Vec::new();
    world.nodes[0].unadmitted(world.fake.now, |message| on_the_way.push(message.born));
    assert_eq!((on_the_way, world.fake.offers.len()), (vec![born], 0));
    world.run((born + stages).0 + 1);
    assert_eq!(world.fake.offers[0].born, born);
}
