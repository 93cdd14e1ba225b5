//! The settings of a study, each with what it can do.

use super::level::Of;
use super::{Label, Levels, SAQS, Setting};
use crate::table::Table;

/// Points that differ in the number of SAQs alone, fewest first.
struct Family<'a> {
    labels: Vec<&'a Label>,
    /// `(SAQs, point)`.
    members: Vec<(f64, usize)>,
}

/// Whether numbers of SAQs are compared, and all settings in the order of their first points.
pub(super) fn all(table: &Table, levels: &Levels<'_>) -> (bool, Vec<Setting>) {
    let families = families(table);
    if families.iter().any(|family| family.members.len() > 1) {
        let settings = families.iter().map(|family| sized(levels, family));
        return (true, settings.collect());
    }
    let points = table.points.iter().enumerate();
    let settings = points.map(|(n, point)| Setting {
        labels: point.labels.clone(),
        saqs: None,
        saqs_by_replica: None,
        p99_saqs: None,
        is_enough: levels.is_enough(n, Of::Mean) && levels.is_prompt(n, Of::Mean),
        at: levels.held(n),
    });
    (false, settings.collect())
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
            None => families.push(Family {
                labels,
                members: vec![(saqs, n)],
            }),
        }
    }
    for family in &mut families {
        family.members.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    families
}

fn sized(levels: &Levels<'_>, family: &Family<'_>) -> Setting {
    let delivered = |point: usize| levels.get(point, Of::Mean).map(|level| level.delivered);
    let measured = family
        .members
        .iter()
        .filter(|(_, p)| delivered(*p).is_some());
    let measured: Vec<(f64, usize)> = measured.copied().collect();
    let enough = |of: Of| fewest(&measured, |p| levels.is_enough(p, of));
    let saqs = enough(Of::Mean);
    let best =
        measured
            .iter()
            .copied()
            .reduce(|best, next| match delivered(next.1) > delivered(best.1) {
                true => next,
                false => best,
            });
    let at = match saqs {
        Some(saqs) => measured.iter().copied().find(|member| member.0 == saqs),
        None => best,
    };
    Setting {
        labels: family.labels.iter().map(|label| (*label).clone()).collect(),
        saqs,
        saqs_by_replica: by_replica(levels, &measured, enough),
        p99_saqs: fewest(&measured, |p| levels.is_prompt(p, Of::Mean)),
        is_enough: saqs.is_some(),
        at: at.and_then(|(_, point)| levels.held(point)),
    }
}

/// The number from which on, with more SAQs too, all are enough.
fn fewest(members: &[(f64, usize)], is_enough: impl Fn(usize) -> bool) -> Option<f64> {
    members.iter().fold(None, |from, &(saqs, point)| {
        is_enough(point).then(|| from.unwrap_or(saqs))
    })
}

/// The least and the most of what is the fewest in each replica that all members have, beside the
/// reference of that replica, where they differ.
fn by_replica(
    levels: &Levels<'_>,
    members: &[(f64, usize)],
    fewest: impl Fn(Of) -> Option<f64>,
) -> Option<[Option<f64>; 2]> {
    let replicas = levels.replicas().into_iter().map(Of::Replica);
    let has_all = |of: &Of| members.iter().all(|m| levels.get(m.1, *of).is_some());
    let each = replicas.filter(has_all).map(fewest);
    // none is more than any number
    let each: Vec<f64> = each.map(|n| n.unwrap_or(f64::INFINITY)).collect();
    let least = each.iter().copied().min_by(f64::total_cmp)?;
    let most = each.iter().copied().max_by(f64::total_cmp)?;
    let given = |n: f64| n.is_finite().then_some(n);
    (least != most).then(|| [given(least), given(most)])
}
