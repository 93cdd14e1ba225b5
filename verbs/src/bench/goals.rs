//! What is asked for, beside what was measured.

use super::measure::Timed;
use super::work::{Figure, Goal};

/// Times of the rows of a table, by its title and their names.
pub(super) type Times = Vec<(String, Vec<(String, Timed)>)>;

/// A row of the table of goals: what, the bound, measured, how far it is met.
pub(super) fn row(
    what: &str,
    (at_most, at_least): (Option<f64>, Option<f64>),
    measured: f64,
    unit: &str,
) -> Vec<String> {
    let (bound, missed_times) = match (at_most, at_least) {
        (Some(most), _) => (most, measured / most),
        (None, least) => (least.unwrap_or(0.0), least.unwrap_or(0.0) / measured),
    };
    let digits = if measured < 10.0 { 2 } else { 0 };
    let met = if missed_times <= 1.0 {
        "met".to_string()
    } else {
        format!("missed, {missed_times:.1} times")
    };
    let with_unit = |number: String| format!("{number} {unit}").trim_end().to_string();
    let measured = with_unit(format!("{measured:.digits$}"));
    vec![what.to_string(), with_unit(bound.to_string()), measured, met]
}

/// The row of a goal, if what it is about was measured.
pub(super) fn of(goal: &Goal, times: &Times) -> Option<Vec<String>> {
    let (table, name, figure) = &goal.value;
    let (_, rows) = times.iter().find(|(title, _)| title == table)?;
    let value = |name: &str| {
        let (_, timed) = rows.iter().find(|(row, _)| row == name)?;
        Some(match figure {
            Figure::Ns => timed.ns_per_hop,
            Figure::Seconds => timed.seconds,
            Figure::Mib => timed.peak_bytes as f64 / f64::from(1 << 20),
        })
    };
    let by = goal.of.as_deref().map_or(Some(1.0), value)?;
    let bounds = (goal.at_most, goal.at_least);
    Some(row(&goal.what, bounds, value(name)? / by, &goal.unit))
}

#[cfg(test)]
mod tests {
    use super::{Times, of, row};
    use crate::bench::measure::Timed;
    use crate::bench::work::{Figure, Goal};

    // A goal that is just met is met; how far one is missed is given in its own direction.
    #[test]
    fn met_and_missed_goals_are_shown() {
        let line = |bounds, measured| row("work", bounds, measured, "s")[1..].join(" | ");
        for (bounds, measured, shown) in [
            ((Some(300.0), None), 300.0, "300 s | 300 s | met"),
            ((Some(300.0), None), 450.0, "300 s | 450 s | missed, 1.5 times"),
            ((None, Some(1.6)), 1.6, "1.6 s | 1.60 s | met"),
            ((None, Some(1.6)), 0.8, "1.6 s | 0.80 s | missed, 2.0 times"),
        ] {
            assert_eq!(line(bounds, measured), shown);
        }
        assert_eq!(row("work", (Some(5.0), None), 4.0, "")[1..3], ["5", "4.00"]);
    }

    #[test]
    fn a_goal_is_a_figure_or_a_part_of_another_row() {
        let rows = [("small", 10.0), ("large", 25.0)]
            .map(|(name, ns_per_hop)| (name.to_string(), Timed { ns_per_hop, ..Timed::default() }));
        let times: Times = vec![("Nodes".to_string(), rows.into())];
        let goal = |of: Option<&str>| Goal {
            what: "size".to_string(),
            value: ("Nodes".to_string(), "large".to_string(), Figure::Ns),
            of: of.map(str::to_string),
            at_most: Some(2.0),
            at_least: None,
            unit: String::new(),
        };
        let measured = |of_row| of(&goal(of_row), &times).map(|row| row[2].clone());
        assert_eq!(measured(None), Some("25".to_string()));
        assert_eq!(measured(Some("small")), Some("2.50".to_string()));
        assert_eq!(measured(Some("huge")), None);
        assert_eq!(of(&goal(None), &Times::new()), None);
    }
}
