//! Writes a sweep with made-up numbers and its report, to look at: `cargo run -p report --example made_up -- DIR [REPLICAS]`.
#[path = "../tests/common/mod.rs"]
mod common;

fn main() -> Result<(), report::ReportError> {
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
    println!("{}", report::write(&dir)?.display());
    Ok(())
}
