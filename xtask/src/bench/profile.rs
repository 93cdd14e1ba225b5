//! Where instructions go and which lines are missed: for the pages of who changes the engine, not
//! for a comparison.

use super::failed;
use super::measure::Binary;
use super::work::Instructions;
use crate::page::{io, root};
use setaside::Failure;
use std::process::Command;

/// Where callgrind writes, and what.
const OUT: &str = "target/bench";
const COUNTS: &str = "target/bench/callgrind.out";

/// The functions that are phases of a tick, and the whole: names as `callgrind_annotate` ends them.
pub(super) const PHASES: [&str; 10] = [
    "fast::evaluate_and_start_links",
    "fast::evaluate_and_start_crossbars",
    "fast::late_stores",
    "fast::stores",
    "fast::egress_stores",
    "fast::ejections_and_generation",
    "fast::admittance",
    "Wheel::begin",
    "Wheel::end",
    "Fast::run",
];

/// What cachegrind counts, as it says it.
pub(super) const MISSES: [&str; 4] = ["I refs:", "I1 misses:", "D1 misses:", "LL misses:"];

/// Instructions a packet-hop of each of [`PHASES`], callees included.
pub(super) fn phases(binary: &Binary, work: &Instructions) -> Result<[f64; PHASES.len()], Failure> {
    std::fs::create_dir_all(root().join(OUT)).map_err(io(OUT))?;
    let out_file = format!("--callgrind-out-file={COUNTS}");
    per_hop(work, |ns| {
        let arguments = ["--tool=callgrind", &out_file];
        let ran = binary.under_valgrind(&arguments, work.scenario, work.sets, ns, &[])?;
        let annotated = Command::new("callgrind_annotate")
            .current_dir(root())
            .args(["--inclusive=yes", "--threshold=100", COUNTS])
            .output()
            .map_err(io("callgrind_annotate"))?;
        let text = String::from_utf8_lossy(&annotated.stdout);
        if !annotated.status.success() || largest(&text, "Fast::run") == 0.0 {
            return Err(failed("callgrind_annotate says no phases"));
        }
        Ok((ran.packet_hops, PHASES.map(|name| largest(&text, name))))
    })
}

/// [`MISSES`] a packet-hop, in caches of the size that the page says.
pub(super) fn misses(binary: &Binary, work: &Instructions) -> Result<[f64; MISSES.len()], Failure> {
    per_hop(work, |ns| {
        let arguments = [
            "--tool=cachegrind",
            "--cachegrind-out-file=/dev/null",
            "--cache-sim=yes",
            "--I1=32768,8,64",
            "--D1=32768,8,64",
            "--LL=1048576,16,64",
        ];
        let ran = binary.under_valgrind(&arguments, work.scenario, work.sets, ns, &[])?;
        let counts = MISSES.map(|name| said(&ran.error, name));
        if counts.contains(&None) {
            return Err(failed("cachegrind says no counts"));
        }
        Ok((ran.packet_hops, counts.map(Option::unwrap_or_default)))
    })
}

/// The difference of two run lengths, so that start-up does not count. `run` says packet-hops and
/// counts.
fn per_hop<const N: usize>(
    work: &Instructions,
    run: impl Fn(u32) -> Result<(f64, [f64; N]), Failure>,
) -> Result<[f64; N], Failure> {
    let (short, long) = work.between_ns;
    let (short, long) = (run(short)?, run(long)?);
    let hops = long.0 - short.0;
    Ok(std::array::from_fn(|at| (long.1[at] - short.1[at]) / hops))
}

/// The largest count of a function: it has an entry for each file that code of it is from, and the
/// largest is the whole. 0 for one that is nowhere: it did not run, or is within its caller.
fn largest(annotated: &str, name: &str) -> f64 {
    let entries = annotated.lines().filter_map(|line| {
        let (count, function) = line.trim().split_once(" (")?;
        let function = function.split(" [").next()?;
        // Not the end of another name.
        let whole = function.strip_suffix(name)?.ends_with("::");
        whole.then(|| grouped(count)).flatten()
    });
    entries.fold(0.0, f64::max)
}

/// The number behind `name` in what a tool says of itself.
fn said(error: &str, name: &str) -> Option<f64> {
    error.lines().find_map(|line| {
        // ==1234== I   refs:      5,678
        let words: Vec<&str> = line.split_whitespace().skip(1).collect();
        let [first, second, count, ..] = words[..] else {
            return None;
        };
        let it_is = format!("{first} {second}") == name;
        it_is.then(|| grouped(count)).flatten()
    })
}

/// A number with commas at the thousands.
fn grouped(text: &str) -> Option<f64> {
    text.replace(',', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{largest, said};

    #[test]
    fn the_largest_entry_of_a_function_is_taken() {
        let text = "\
  900 (45.00%)  src/fast.rs:fabric::engine::fast::late_stores [/a/b]
2,100 (55.00%)  src/fast.rs:fabric::engine::fast::stores [/a/b]
  300 ( 3.00%)  src/mmu.rs:fabric::engine::fast::stores
";
        assert_eq!(largest(text, "fast::stores"), 2100.0);
        assert_eq!(largest(text, "fast::late_stores"), 900.0);
        assert_eq!(largest(text, "Wheel::end"), 0.0);
    }

    #[test]
    fn counts_of_cachegrind_are_read() {
        let text = "==7== I   refs:      1,234\n==7== LLi misses:      9\n==7== LL misses:   56  ( 50 rd + 6 wr)\n";
        assert_eq!(said(text, "I refs:"), Some(1234.0));
        assert_eq!(said(text, "LL misses:"), Some(56.0));
        assert_eq!(said(text, "D1 misses:"), None);
    }
}
