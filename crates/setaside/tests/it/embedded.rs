//! The embedded study is the one in `scenarios/`.
use crate::common::root;
use scenario::Study;

#[test]
fn embedded_study_is_the_shipped_one() {
    let file = root().join("scenarios/studies/overlapping-trees.toml");
    let shipped = Study::load(&file, &[]).unwrap();
    let embedded = setaside::embedded_study(&[]).unwrap();
    assert_eq!(embedded.name, shipped.name);
    let hashes = |study: &Study| -> Vec<u64> {
        let points = study.points().iter();
        points.map(|point| point.scenario.hash()).collect()
    };
    assert_eq!(hashes(&embedded), hashes(&shipped));
}

/// What `--set` gives goes over it.
#[test]
fn embedded_study_takes_sets() {
    let set = "switch.port_memory_bytes=32768".parse().unwrap();
    let study = setaside::embedded_study(&[set]).unwrap();
    let memory = study.points()[0].scenario.get("switch.port_memory_bytes");
    assert_eq!(memory.as_deref(), Some("32768"));
}
