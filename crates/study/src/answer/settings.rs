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
        let of = |family| (sized(levels, family), levels.questions[family.members[0].1]);
        families.iter().map(of).unzip()
    } else {
        let points = 0..table.points.len();
        points.map(|n| (point(table, levels, n), levels.questions[n])).unzip()
    };
    let rank = rank(&settings, &questions);
    (has_sizes, settings, rank)
}

fn point(table: &Table, levels: &Levels<'_>, n: usize) -> Setting {
    let at = levels.held(n);
    let both = at.as_ref().map(|at| Met::all_of([at.throughput, at.p99]));
    let is_enough = both.unwrap_or(Met::Unknown);
    let is_certain = at.as_ref().and_then(|at| {
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
    let labels = table.points[n].labels.clone();
    Setting { labels, fewest: None, is_enough, is_certain, at }
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
        let Some(saqs) = saqs.filter(|saqs| saqs.is_finite()) else { continue };
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
    let members = &family.members;
    let by_throughput =
        fewest(levels, members, Levels::throughput, |p| held(p)?.throughput_is_certain);
    let by_p99 = fewest(levels, members, Levels::p99, |p| held(p)?.p99_is_certain);
    let members = members.iter().copied();
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
fn fewest<'a>(
    levels: &Levels<'a>,
    members: &[(f64, usize)],
    met: impl Fn(&Levels<'a>, usize, Of) -> Met,
    is_certain: impl Fn(usize) -> Option<bool>,
) -> Fewest {
    // the first from which on all do; `Err`: one that decides it is not known
    let from = |of: Of| {
        let met = |member: &(f64, usize)| met(levels, member.1, of);
        match members.iter().rposition(|member| met(member) != Met::Yes) {
            Some(at) if met(&members[at]) == Met::Unknown => Err(()),
            Some(at) => Ok(at + 1),
            None => Ok(0),
        }
    };
    let number = |at: usize| members.get(at).map(|member| member.0);
    let has_all = |of: &Of| members.iter().all(|m| levels.get(m.1, *of).is_some());
    let replicas = levels.replicas().into_iter().map(Of::Replica).filter(has_all);
    let each: Vec<usize> = replicas.filter_map(|of| from(of).ok()).collect();
    let ends = each.iter().min().zip(each.iter().max()).filter(|(least, most)| least != most);
    let found = from(Of::Mean);
    // those that meet it, and the first that does not
    let deciding = |at: usize| members[at.saturating_sub(1)..].iter().map(|m| is_certain(m.1));
    Fewest {
        saqs: found.ok().and_then(number),
        is_unknown: found.is_err(),
        is_certain: found.ok().and_then(|at| all_certain(deciding(at))),
        is_largest: members.len() > 1 && found == Ok(members.len() - 1),
        by_replica: ends.map(|(&least, &most)| [number(least), number(most)]),
    }
}

/// The first of each question, then the cheapest that are enough, then the nearest to it.
fn rank(settings: &[Setting], questions: &[usize]) -> Vec<usize> {
    let at = |n: usize| settings[n].at.as_ref();
    let cost = |n: usize| at(n).and_then(|at| at.control_bits).unwrap_or(f64::INFINITY);
    let share = |n: usize| at(n).and_then(|at| at.share).unwrap_or(-1.0);
    let order = |&n: &usize| match settings[n].is_enough {
        Met::Yes => (0, cost(n)),
        _ => (1, -share(n)),
    };
    let mut all: Vec<usize> = (0..settings.len()).collect();
    all.sort_by(|a, b| {
        let ((a, of_a), (b, of_b)) = (order(a), order(b));
        a.cmp(&b).then(of_a.total_cmp(&of_b))
    });
    let mut seen = std::collections::BTreeSet::new();
    let (mut first, rest): (Vec<usize>, Vec<usize>) =
        all.into_iter().partition(|&n| seen.insert(questions[n]));
    first.extend(rest);
    first
}
