//! Writes sweeps with made-up numbers and their pages, as samples: one that sizes a switch, one
//! with a load axis. `cargo run -p report --example made_up -- DIR [REPLICAS]`.
#[path = "../tests/it/common/mod.rs"]
mod common;

use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let dir = PathBuf::from(args.next().unwrap_or_else(|| "made-up".into()));
    let replicas = args.next().and_then(|n| n.parse().ok()).unwrap_or(1);
    let failed = (replicas > 1).then_some(4);
    write(&dir.join("sizing"), &common::sizing(), replicas, failed)?;
    write(&dir.join("load"), &common::load(), replicas, None)
}

fn write(
    dir: &Path,
    shapes: &[common::Shape],
    replicas: u32,
    failed: Option<usize>,
) -> Result<(), Box<dyn std::error::Error>> {
    common::write_sweep(dir, "made up", shapes, replicas, failed);
    let page = dir.join("report.html");
    std::fs::write(&page, report::render(dir)?)?;
    println!("{}", page.display());
    Ok(())
}
