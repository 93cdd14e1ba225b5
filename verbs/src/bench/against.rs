//! `cargo xtask bench --against PROGRAM`: the release build beside another one, in pairs. Machines
//! get faster and slower within minutes; the two runs of a pair see the same minute, so that the
//! ratio of a pair carries least of it.

use super::failed;
use super::measure::{Binary, Timed};
use super::work::{self, Time};
use setaside::Failure;
use std::path::Path;

/// Pairs of runs. Who is first changes with each.
const PAIRS: usize = 6;

/// Prints both, ns a packet-hop, and the ratios of the pairs; fails if the programs do not do the
/// same.
pub(super) fn against(other: &Path) -> Result<(), Failure> {
    let ours = Binary::build(&[])?;
    let other = Binary::of(other)?;
    for work in work::AGAINST {
        let (mut here, mut there, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for pair in 0..PAIRS {
            let (one, two) = pair_of(&ours, &other, work, pair % 2 == 1)?;
            if one.events_hash != two.events_hash {
                return Err(failed(format!(
                    "{}: another event hash, {} and {}",
                    work.name, one.events_hash, two.events_hash
                )));
            }
            here.push(one.ns_per_hop);
            there.push(two.ns_per_hop);
            ratios.push(one.ns_per_hop / two.ns_per_hop);
        }
        let [here, there, ratios] = [here, there, ratios].map(Quartiles::of);
        println!(
            "{:44} median {:6.1} and {:6.1} ns, least {:6.1} and {:6.1} ns, ratio {:.3} ({:.3} to {:.3})",
            work.name,
            here.median,
            there.median,
            here.least,
            there.least,
            ratios.median,
            ratios.lower,
            ratios.upper
        );
    }
    Ok(())
}

/// Both runs, ours first whatever the order they are run in.
fn pair_of(
    ours: &Binary,
    other: &Binary,
    work: &Time,
    other_first: bool,
) -> Result<(Timed, Timed), Failure> {
    if other_first {
        let two = other.time(work)?;
        Ok((ours.time(work)?, two))
    } else {
        Ok((ours.time(work)?, other.time(work)?))
    }
}

/// Of a few numbers; between two of them by their distance.
#[derive(Debug, PartialEq)]
struct Quartiles {
    least: f64,
    lower: f64,
    median: f64,
    upper: f64,
}

impl Quartiles {
    /// # Panics
    /// Of no numbers.
    fn of(mut numbers: Vec<f64>) -> Quartiles {
        numbers.sort_by(f64::total_cmp);
        let at = |part: f64| {
            let place = part * (numbers.len() - 1) as f64;
            let below = numbers[place.floor() as usize];
            below + (numbers[place.ceil() as usize] - below) * place.fract()
        };
        Quartiles {
            least: at(0.0),
            lower: at(0.25),
            median: at(0.5),
            upper: at(0.75),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Quartiles;

    #[test]
    fn quartiles_lie_between_numbers() {
        let odd = Quartiles::of(vec![5.0, 1.0, 3.0, 2.0, 4.0]);
        let [least, lower, median, upper] = [1.0, 2.0, 3.0, 4.0];
        assert_eq!(
            odd,
            Quartiles {
                least,
                lower,
                median,
                upper
            }
        );
        let even = Quartiles::of(vec![4.0, 1.0]);
        let [least, lower, median, upper] = [1.0, 1.75, 2.5, 3.25];
        assert_eq!(
            even,
            Quartiles {
                least,
                lower,
                median,
                upper
            }
        );
    }
}
