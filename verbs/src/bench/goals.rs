//! What is asked for, beside what was measured.

use super::Measured;
use super::measure::Timed;
use super::work::{self, LARGEST, LOADS, NODES, THREADS, Table};
use std::fmt;

/// One goal, and how far it is met.
pub(super) struct Goal {
    what: String,
    limit: Limit,
    measured: f64,
    /// Empty where the name says it.
    unit: &'static str,
}

enum Limit {
    AtMost(f64),
    AtLeast(f64),
}

/// A line of a table.
impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Goal {
            what,
            limit,
            measured,
            unit,
        } = self;
        let (bound, missed_times) = match *limit {
            Limit::AtMost(most) => (most, measured / most),
            Limit::AtLeast(least) => (least, least / measured),
        };
        let digits = if *measured < 10.0 { 2 } else { 0 };
        let space = if unit.is_empty() { "" } else { " " };
        write!(
            f,
            "| {what} | {bound}{space}{unit} | {measured:.digits$}{space}{unit} | "
        )?;
        if missed_times <= 1.0 {
            write!(f, "met |")
        } else {
            write!(f, "missed, {missed_times:.1} times |")
        }
    }
}

/// The goals of all that was measured, each named otherwise: its name is what its line on the page
/// is known by.
pub(super) fn goals(measured: &Measured) -> Vec<Goal> {
    let mut goals: Vec<Goal> = Vec::new();
    let mut add = |what: &str, limit, measured: Option<f64>, unit| {
        assert!(goals.iter().all(|g| g.what != what), "two goals {what}");
        goals.extend(measured.map(|measured| Goal {
            what: what.to_string(),
            limit,
            measured,
            unit,
        }));
    };
    for work in work::INSTRUCTIONS {
        if let Some(goal) = work.goal {
            let count = measured.instructions.get(work.name).copied();
            let what = format!("{}: instructions", work.name);
            add(&what, Limit::AtMost(goal.into()), count, "");
        }
    }
    let time = |table, name| row(measured, table, name);
    let ns = |table, name| Some(time(table, name)?.ns_per_hop);
    let (half, twentieth) = (ns(&LOADS, "load 0.5"), ns(&LOADS, "load 0.05"));
    add(
        "voq-sw, 64 nodes, load 0.5: time",
        Limit::AtMost(100.0),
        half,
        "ns",
    );
    let idle = twentieth.zip(half).map(|(a, b)| a / b);
    add(
        "load 0.05 against load 0.5, a packet-hop",
        Limit::AtMost(1.3),
        idle,
        "times the ns",
    );
    let size = ns(&NODES, "2048 nodes").zip(ns(&NODES, "64 nodes"));
    add(
        "2048 against 64 nodes, a packet-hop",
        Limit::AtMost(2.2),
        size.map(|(a, b)| a / b),
        "times the ns",
    );
    let largest = time(&LARGEST, "one thread");
    add(
        "2048 nodes, trees case 6, 1600 us, recn: memory",
        Limit::AtMost(2048.0),
        largest.map(|t| t.peak_bytes as f64 / f64::from(1 << 20)),
        "MiB",
    );
    add(
        "2048 nodes, trees case 6, 1600 us, recn: time",
        Limit::AtMost(200.0),
        largest.map(|t| t.seconds),
        "s",
    );
    let threads = time(&THREADS, "one thread").zip(time(&THREADS, "two threads"));
    add(
        "two threads on 2048 nodes, same bytes",
        Limit::AtLeast(1.8),
        threads.map(|(one, two)| one.seconds / two.seconds),
        "times as fast",
    );
    goals
}

fn row<'a>(measured: &'a Measured, table: &Table, name: &str) -> Option<&'a Timed> {
    let (table, timed) = measured
        .times
        .iter()
        .find(|(t, _)| std::ptr::eq(*t, table))?;
    let at = table.rows.iter().position(|row| row.name == name)?;
    timed.get(at)
}

#[cfg(test)]
mod tests {
    use super::{Goal, Limit};

    // A goal that is just met is met; how far one is missed is told in its own direction.
    #[test]
    fn met_and_missed_goals_are_told() {
        let line = |limit, measured| {
            let what = "work".to_string();
            let goal = Goal {
                what,
                limit,
                measured,
                unit: "s",
            };
            goal.to_string()
        };
        let lines = [
            line(Limit::AtMost(300.0), 300.0),
            line(Limit::AtMost(300.0), 450.0),
            line(Limit::AtLeast(1.6), 1.6),
            line(Limit::AtLeast(1.6), 0.8),
        ];
        assert_eq!(
            lines,
            [
                "| work | 300 s | 300 s | met |",
                "| work | 300 s | 450 s | missed, 1.5 times |",
                "| work | 1.6 s | 1.60 s | met |",
                "| work | 1.6 s | 0.80 s | missed, 2.0 times |",
            ]
        );
    }
}
