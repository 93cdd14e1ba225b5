//! Every shipped scenario is read and built.

#![allow(missing_docs)]
use scenario::Scenario;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios")
}

#[test]
fn trees_case_2() {
    let scenario = Scenario::load(&root().join("garcia-trees-2005/case-2.toml"), &[]).unwrap_or_else(|e| panic!("{e}"));
    println!("{}", scenario.resolved_toml());
    let config = scenario.build().unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(config.network.switches(), 48);
}
