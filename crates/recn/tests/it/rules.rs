//! What the versions differ in, and when ingress detection fires.

use crate::port::{Port, VERSIONS, config};
use recn::{IngressDetection, Rules, Version};

// Spec page recn.md, table of versions.
#[test]
fn versions_have_the_rules_of_the_table() {
    let of = |version| {
        let rules = Rules::of(version);
        let detection = rules.ingress_detection;
        (rules.tokens, rules.refuses_more_specific, detection)
    };
    assert_eq!(of(Version::Basic), (true, true, IngressDetection::None));
    assert_eq!(of(Version::Enhanced), (true, false, IngressDetection::Swap));
    assert_eq!(of(Version::Dd), (false, false, IngressDetection::Swap));
    assert_eq!(of(Version::DdIq), (false, false, IngressDetection::Count));
}

// "Arrivals always go to CQ (MU)": `recn-dd-iq` alone.
#[test]
fn cold_queue_is_of_one_version() {
    let moving = VERSIONS.map(|version| Rules::of(version).moves());
    assert_eq!(moving, [false, false, false, true]);
    let ports = VERSIONS.map(|version| Port::new(version, 1).recn.has_cold_queue());
    assert_eq!(ports, moving);
}

// "ingress detection queue >= `detection_ingress` [\"reaches\"]"; basic detects "at egress only".
#[test]
fn ingress_detection_fires_at_its_threshold() {
    let config = config();
    for version in VERSIONS {
        let fires = |packets| Rules::of(version).detects_at_ingress(packets, &config);
        let detects = version != Version::Basic;
        assert_eq!((fires(2), fires(3), fires(4)), (false, detects, detects));
    }
}
