//! `setaside run --record` on the command line.

use crate::common::{Folder, folder_with, names, root};

/// `run` of a shipped scenario, shortened.
fn run(scenario: &str, more: &str) -> String {
    let file = root().join("scenarios").join(scenario);
    format!("run {}.toml run.duration_ns=40000 {more}", file.display())
}

const TREE: &str = "garcia-trees-2005/evolution-2b";

fn folder() -> Folder {
    folder_with(&[])
}

// A name is any text: files of results stay tables.
#[test]
fn a_group_with_a_comma_in_its_name_has_a_page() {
    let dir = folder();
    dir.works(&run(TREE, "'workload.group.0.name=hot, \"late\"' --out run --record"));
    let text = dir.text("run/latency.csv");
    assert!(text.contains(r#"measured,group,"hot, ""late""","#), "{text}");
    let page = report::render(&dir.join("run")).expect("a page");
    assert!(page.contains("group hot, &quot;late&quot;"));
}

// The page is made of what a real run writes: of each layout one.
#[test]
fn page_shows_the_recording_on_its_topology() {
    for (scenario, layout) in [
        ("garcia-trees-2005/case-4", "layers"),
        ("garcia-mesh-2005/config-5-case-2", "grid"),
        ("lai-rsi/br-hot-spot", "rings"),
        (TREE, "circle"),
    ] {
        let dir = folder();
        dir.works(&run(scenario, "run.warmup_ns=0 --record --out run"));
        let json = dir.json("run/topology.json");
        assert_eq!(json["layout"], layout);
        let count = |key: &str| json[key].as_array().map_or(0, Vec::len);
        assert_eq!(count("layers"), count("switches"));
        assert!(count("links") >= count("nodes"), "{scenario}");
        dir.works("figures run");
        let figures = names(&dir.join("run/figures"));
        let has = |name: &str| figures.iter().any(|figure| figure == name);
        assert!(has("ports-0.svg") && has("latency-0.svg"), "{figures:?}");
        // the others have no trees yet, or none at all
        if layout == "circle" {
            assert!(has("trees-0.svg"), "{figures:?}");
            let first = &dir.json("run/trees.json")["trees"][0];
            let found = (&first["root"], &first["first_seen"]);
            assert_eq!(found, (&"fabric.switch0.out3".into(), &"egress".into()));
            let tables = ["trees.csv", "cam.csv", "ports.csv"];
            assert!(tables.iter().all(|name| dir.text(&format!("run/{name}")).len() > 100));
        }
    }
}
