//! MU: "Queue of a packet = VC x the queues of the scheme + the scheme's queue", and its class of
//! credit.

use crate::common::{OUT0, cases, classes, packet, params, peer};
use observe::{Place, Side};
use plan::{MemoryLayout, Params, SchemeKind};
use proptest::prelude::*;
use switch::{Egress, EgressConfig, LookAhead, Mu, NextSwitch, Packet};
use units::{ClassId, PortId, QueueId, VcId, WireId};

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn a_vc_has_the_queues_of_the_scheme_to_itself(
        scheme in prop::sample::select(
            &[SchemeKind::OneQueue, SchemeKind::VoqSw, SchemeKind::VoqNet, SchemeKind::Dbbm][..],
        ),
        vcs in 1_u8..=16,
        vc in 0_u8..16,
        port in 0_u8..4,
        destination in 0_u32..16,
    ) {
        let params = params(|config| (config.scheme, config.vcs) = (scheme, vcs));
        let (vc, output) = (VcId(vc % vcs), PortId(port));
        let a_vc = match scheme {
            SchemeKind::OneQueue => 1,
            SchemeKind::VoqNet => 16,
            _ => 4,
        };
        let first = u32::from(vc.0) * a_vc;
        let mu = Mu::new(a_vc * u32::from(vcs), vcs);
        let ingress = first + params.scheme.ingress_queue(port.into(), destination);
        let egress = first + params.scheme.egress_queue(port.into(), destination);
        prop_assert_eq!(mu.ingress(&params, vc, output, destination), QueueId(ingress as u16));
        prop_assert_eq!(mu.egress(&params, vc, output, destination), QueueId(egress as u16));
    }
}

/// An egress port of 4 queues a VC, before a switch of 4 queues a VC.
fn egress(params: &Params, memory: Option<MemoryLayout>, before_switch: bool) -> Egress {
    let mu = Mu::new(4 * u32::from(params.vcs), params.vcs);
    let next_switch = before_switch.then_some(NextSwitch {
        in_port: PortId(0),
        ports: 4,
        width: 2,
        look_ahead: LookAhead::Turns,
        mu,
    });
    let config = EgressConfig {
        memory,
        next_memory: classes(8, 2),
        next_switch,
        peer: peer(),
        own_classes: 1,
        port: PortId(0),
        place: Place { port: WireId(0), side: Side::Egress },
        unit: OUT0,
    };
    Egress::new(params, config)
}

/// In VC 0 here, in VC 1 behind the link; it will request output 3 in the next switch.
fn crossing() -> Packet {
    let mut packet = packet(14);
    (packet.next_vc, packet.ahead) = (VcId(1), PortId(3));
    packet
}

// "one with port-level credits per VC"; "A scheme with per-queue credits has them per VC and
// queue": of the queue that it takes there. "`iq`: a packet leaves when crossbar output = link is
// free and the next input has room". "The end node takes 1 byte/ns always: a receive memory ...,
// one queue".
#[test]
fn the_class_of_a_packet_is_its_vc_or_its_queue() {
    let here = |cells| Some(classes(8, cells));
    let cases = [
        (SchemeKind::OneQueue, Some(classes(2, 8)), true, [1, 1]),
        (SchemeKind::VoqSw, here(8), true, [4 + 3, 4 + 3]),
        (SchemeKind::Dbbm, here(8), true, [4 + 14 % 4, 4 + 14 % 4]),
        (SchemeKind::VoqSw, None, true, [4 + 3, 4 + 3]),
        (SchemeKind::VoqSw, here(8), false, [4 + 3, 0]),
    ];
    for (scheme, memory, before_switch, expected) in cases {
        let params = params(|config| (config.scheme, config.vcs) = (scheme, 2));
        let (port, packet) = (egress(&params, memory, before_switch), crossing());
        let class = port.class_behind_crossbar(&params, &packet);
        let next = port.class_in_next_memory(&params, &packet);
        assert_eq!([class, next], expected.map(ClassId), "{scheme}");
        assert_eq!(port.room(class), if memory.is_some() { 8 } else { 2 });
    }
}
