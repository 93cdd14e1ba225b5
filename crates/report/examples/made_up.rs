//! Writes a sweep with made-up numbers and its report, to look at:
//! `cargo run -p report --example made_up -- DIR [REPLICAS]`.
#[path = "../tests/common/mod.rs"]
mod common;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let dir = std::path::PathBuf::from(args.next().unwrap_or_else(|| "made-up".into()));
    let replicas = args.next().and_then(|n| n.parse().ok()).unwrap_or(1);
    common::write_sweep(
        &dir,
        "saq-sizing (made up)",
        &common::sizing(),
        replicas,
        (replicas > 1).then_some(4),
    );
    let page = dir.join("report.html");
    std::fs::write(&page, report::render(&dir)?)?;
    println!("{}", page.display());
    Ok(())
}
