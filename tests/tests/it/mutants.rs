//! Can every mutant of the list still be made? That each is found takes too long here: `cargo xtask
//! mutants`.

use setaside_tests::mutants::list;
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn every_mutant_can_be_made() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mutants = list().unwrap_or_else(|error| panic!("{error}"));
    assert!(mutants.len() >= 20, "{} mutants", mutants.len());
    let names: BTreeSet<&str> = mutants.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names.len(), mutants.len(), "a name is there twice");
    let wrong: Vec<String> = mutants
        .iter()
        .filter_map(|m| match m.made(&root) {
            Err(error) => Some(error),
            Ok(_) if m.before == m.after => Some(format!("`{}` changes nothing", m.name)),
            Ok(_) => None,
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The test that must find a mutant is there.
#[test]
fn every_mutant_names_a_test_that_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for mutant in list().unwrap_or_else(|error| panic!("{error}")) {
        let (package, name) = (&mutant.package, &mutant.name);
        let folder = match package.as_str() {
            "setaside-tests" => root.join("tests"),
            package => root.join("crates").join(package),
        };
        assert!(folder.join("Cargo.toml").is_file(), "{name}: no package {package}");
        let suites = std::fs::read_to_string(folder.join("tests/it/main.rs")).unwrap();
        for test in mutant.test.split(' ') {
            let suite = test.split("::").next().unwrap_or_default();
            let declared = format!("mod {suite};");
            let is_there = suites.lines().any(|line| line == declared);
            assert!(is_there, "{name}: no suite `{suite}`");
        }
    }
}
