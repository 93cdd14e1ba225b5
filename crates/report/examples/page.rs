//! Writes the page of a run or sweep directory, to look at:
//! `cargo run -p report --example page -- DIR OUT.html`.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let dir = args.next().ok_or("no directory")?;
    let out = args.next().ok_or("no file to write")?;
    std::fs::write(out, report::render(dir.as_ref())?)?;
    Ok(())
}
