//! The settings of a study, each with what it can do.

use super::level::Of;
use super::{Fewest, Label, Levels, Met, SAQS, Setting};
use crate::table::Table;

/// Points that differ in the number of SAQs alone, fewest first.
struct Family<'a> {
    labels: Vec<&'a Label>,
    /// `(SAQs, point)`.
    members: Vec<(f64, usize)>,
}

/// Whether numbers of SAQs are compared; all settings; their order by how much they matter.
pub(super) fn all(table: &Table, levels: &Levels<'_>) -> (bool, Vec<Setting>, Vec<usize>) {
    let families = families(table);
    let has_sizes = families.iter().any(|family| family.members.len() > 1);
    let (settings, questions): (Vec<Setting>, Vec<usize>) = if has_sizes {
        let of = |family| (sized(levels, family), levels.question(family.members[0].1));
        families.iter().map(of).unzip()
    } else {
        let points = 0..table.points.len();
        points.map(|n| (point(table, levels, n), levels.question(n))).unzip()
    };
    let rank = rank(&settings, &questions);
    (has_sizes, settings, rank)
}

fn point(table: &Table, levels: &Levels<'_>, n: usize) -> Setting {
    let at = levels.held(n);
    let both = at.as_ref().map(|at| Met::all_of([at.throughput, at.p99]));
    let is_enough = both.unwrap_or(Met::Unknown);
    let certain = at.as_ref().and_then(|at| {
        let both = [(at.throughput, at.throughput_is_certain), (at.p99, at.p99_is_certain)];
        match is_enough {
            Met::Yes => all_certain(both.map(|one| one.1)),
            // one that is certainly not is enough
            Met::No => {
                let missed = both.into_iter().filter(|one| one.0 == Met::No);
                missed.map(|one| one.1).max()?
            }
            Met::Unknown => None,
        }
    });
    Setting {
        labels: table.points[n].labels.clone(),
        fewest: None,
        is_enough,
        is_certain: certain,
        at,
    }
}

/// One that is not makes all uncertain, one that is not known leaves it open.
fn all_certain(all: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let all: Vec<Option<bool>> = all.into_iter().collect();
    match all.contains(&Some(false)) {
        true => Some(false),
        false => (!all.is_empty() && !all.contains(&None)).then_some(true),
    }
}

fn families(table: &Table) -> Vec<Family<'_>> {
    let mut families: Vec<Family<'_>> = Vec::new();
    for (n, point) in table.points.iter().enumerate() {
        let saqs = point.label(SAQS).and_then(|v| v.parse::<f64>().ok());
        let Some(saqs) = saqs.filter(|saqs| saqs.is_finite()) else {
            continue;
        };
        let labels: Vec<&Label> = point.labels.iter().filter(|l| l.0 != SAQS).collect();
        match families.iter_mut().find(|family| family.labels == labels) {
            Some(family) => family.members.push((saqs, n)),
            None => families.push(Family { labels, members: vec![(saqs, n)] }),
        }
    }
    for family in &mut families {
        family.members.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    families
}

fn sized(levels: &Levels<'_>, family: &Family<'_>) -> Setting {
    let delivered = |point: usize| levels.get(point, Of::Mean).map(|level| level.delivered);
    let held = |point: usize| levels.held(point);
    let by_throughput = fewest(
        levels,
        &family.members,
        |p, of| levels.throughput(p, of),
        |p| held(p)?.throughput_is_certain,
    );
    let by_p99 =
        fewest(levels, &family.members, |p, of| levels.p99(p, of), |p| held(p)?.p99_is_certain);
    let members = family.members.iter().copied();
    let of_fewest = members.clone().find(|m| Some(m.0) == by_throughput.saqs);
    let best = members
        .filter(|m| delivered(m.1).is_some())
        .reduce(|best, next| if delivered(next.1) > delivered(best.1) { next } else { best });
    let at = of_fewest.or(best);
    Setting {
        labels: family.labels.iter().map(|label| (*label).clone()).collect(),
        fewest: Some([by_throughput, by_p99]),
        is_enough: match by_throughput {
            Fewest { is_unknown: true, .. } => Met::Unknown,
            Fewest { saqs, .. } => Met::of(saqs.is_some()),
        },
        is_certain: by_throughput.is_certain,
        at: at.and_then(|(_, point)| levels.held(point)),
    }
}

/// From how many SAQs on all meet a target; the same in each replica that all members have.
fn fewest(
    levels: &Levels<'_>,
    members: &[(f64, usize)],
    met: impl Fn(usize, Of) -> Met,
    is_certain: impl Fn(usize) -> Option<bool>,
) -> Fewest {
    // from the most down to the first that does not; `Err`: that is not known
    let from = |of: Of| {
        let mut from = None;
        for &(saqs, point) in members.iter().rev() {
            match met(point, of) {
                Met::Yes => from = Some(saqs),
                Met::No => break,
                Met::Unknown => return Err(()),
            }
        }
        Ok(from)
    };
    let replicas = levels.replicas().into_iter().map(Of::Replica);
    let has_all = |of: &Of| members.iter().all(|m| levels.get(m.1, *of).is_some());
    let each = replicas.filter(has_all).filter_map(|of| from(of).ok());
    // none is more than any number
    let each: Vec<f64> = each.map(|n| n.unwrap_or(f64::INFINITY)).collect();
    let ends = each.iter().copied().min_by(f64::total_cmp);
    let ends = ends.zip(each.iter().copied().max_by(f64::total_cmp));
    let given = |n: f64| n.is_finite().then_some(n);
    let saqs = from(Of::Mean);
    // those that meet it, and the first that does not
    let below = |&(n, _): &&(f64, usize)| saqs.ok().flatten().is_some_and(|saqs| *n < saqs);
    let deciding = match saqs {
        Ok(Some(_)) => members.iter().filter(|m| !below(m)).count() + 1,
        _ => 1,
    };
    let deciding = members.iter().rev().take(deciding);
    Fewest {
        saqs: saqs.unwrap_or_default(),
        is_unknown: saqs.is_err(),
        is_certain: match saqs {
            Ok(_) => all_certain(deciding.map(|m| is_certain(m.1))),
            Err(()) => None,
        },
        is_largest: members.len() > 1
            && saqs.is_ok_and(|saqs| saqs.is_some() && saqs == members.last().map(|m| m.0)),
        by_replica: ends
            .filter(|(least, most)| least != most)
            .map(|(least, most)| [given(least), given(most)]),
    }
}

/// The first of each question, then the cheapest that are enough, then the nearest to it.
fn rank(settings: &[Setting], questions: &[usize]) -> Vec<usize> {
    let at = |n: usize| settings[n].at.as_ref();
    let cost = |n: usize| at(n).and_then(|at| at.control_bits).unwrap_or(f64::INFINITY);
    let share = |n: usize| at(n).and_then(|at| at.share).unwrap_or(-1.0);
    let mut all: Vec<usize> = (0..settings.len()).collect();
    all.sort_by(|&a, &b| {
        let is_not = |n: usize| settings[n].is_enough != Met::Yes;
        let order = is_not(a).cmp(&is_not(b));
        order.then_with(|| match is_not(a) {
            false => cost(a).total_cmp(&cost(b)),
            true => share(b).total_cmp(&share(a)),
        })
    });
    let mut seen = std::collections::BTreeSet::new();
    let (mut first, rest): (Vec<usize>, Vec<usize>) =
        all.into_iter().partition(|&n| seen.insert(questions[n]));
    first.extend(rest);
    first
}
