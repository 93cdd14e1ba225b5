//! "Traffic whose entry at the source is empty is refused there." (rsi.md)

use crate::common::{ENDNODE, PACKET, Setup, World, group};
use plan::{EndNodeConfig, GeneratorRule};
use workload::GroupConfig;

/// Node 0 sends to nodes 1 and 2 at full load.
fn setup(generator: GeneratorRule) -> Setup {
    let endnode = EndNodeConfig { generator, ..ENDNODE };
    Setup { groups: vec![group(0, 1), group(0, 2)], endnode, ..Setup::default() }
}

/// Of messages to a destination: whether each was refused.
fn refused(world: &World, destination: u32) -> Vec<bool> {
    let offers = world.fake.offers.iter();
    let those = offers.filter(|offer| offer.destination == destination);
    those.map(|offer| offer.refused).collect()
}

#[test]
fn what_goes_nowhere_is_refused_whatever_the_rule() {
    for generator in [GeneratorRule::Drop, GeneratorRule::Delayed] {
        let mut world = World::new(&setup(generator));
        world.nodes[0].set_leads_on(1, false);
        world.run(900);
        let cut_off = refused(&world, 1);
        assert!(cut_off.len() > 10 && cut_off.iter().all(|refused| *refused));
        assert!(world.fake.ejected.iter().all(|(_, packet)| packet.destination == 2));
        assert!(!world.fake.ejected.is_empty());
    }
}

// Reported twice, or of what was not cut off: nothing changes; reported back it leads on again.
#[test]
fn what_leads_on_again_is_sent() {
    let mut world = World::new(&setup(GeneratorRule::Drop));
    for leads_on in [true, false, false] {
        world.nodes[0].set_leads_on(1, leads_on);
    }
    world.run(300);
    let before = refused(&world, 1).len();
    world.nodes[0].set_leads_on(1, true);
    world.run(600);
    let offers = refused(&world, 1);
    assert!(before > 0 && offers.len() > before);
    assert!(offers[before..].iter().all(|refused| !refused));
}

// `delayed`: one that waits for room as its destination is cut off is refused too.
#[test]
fn a_message_that_waits_for_room_is_refused() {
    let mut setup = setup(GeneratorRule::Delayed);
    setup.endnode.admittance_bytes = Some(PACKET);
    setup.credit = false;
    let mut world = World::new(&setup);
    world.run(900);
    let before = refused(&world, 1).len();
    world.nodes[0].set_leads_on(1, false);
    for _ in 0..4 {
        world.give_back(0, 1);
    }
    world.run(1_500);
    let offers = refused(&world, 1);
    assert!(offers.len() > before);
    assert!(offers[before..].iter().all(|refused| *refused), "{offers:?}");
}

// A closed loop learns at once that its request was refused, and asks again after thinking.
#[test]
fn a_window_is_not_blocked_by_what_is_refused() {
    let requests = GroupConfig { reply_bytes: Some(PACKET), window: Some(1), ..group(0, 1) };
    let mut world = World::new(&Setup { groups: vec![requests], ..Setup::default() });
    world.nodes[0].set_leads_on(1, false);
    world.run(900);
    let offers = refused(&world, 1);
    assert!(offers.len() > 5 && offers.iter().all(|refused| *refused));
}
