//! What is on the page of a work.

use super::data::{Filter, PointTable, Row, Share, Variants, Work};
use super::figures::{is_there, paths};
use super::runs::{Runs, Tables, mean};
use super::verdict::{Judged, Verdict, judge};
use crate::reproduce::runs::cell;
use crate::reproduce::{Extent, MISSED, head};
use setaside::Failure;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use study::{Interval, PointRow};

pub(super) fn section(
    name: &str,
    work: &Work,
    tables: &Tables,
    extent: Extent,
) -> Result<String, Failure> {
    let mut text = work.about.clone();
    let judged: Vec<Judged<'_>> = work.statement.iter().map(|s| judge(s, tables)).collect();
    answer(&mut text, &judged);
    ran(&mut text, tables, extent);
    statements(&mut text, &judged);
    figures(&mut text, name, work, tables);
    for table in &work.table {
        points(&mut text, table, tables);
    }
    for variants in &work.variants {
        self::variants(&mut text, variants, tables);
    }
    steady(&mut text, &work.steady, tables);
    Ok(text)
}

fn answer(text: &mut String, judged: &[Judged<'_>]) {
    let published: Vec<&Judged<'_>> = judged.iter().filter(|j| j.is_published()).collect();
    let count = |verdict| published.iter().filter(|j| j.verdict == verdict).count();
    let _ = writeln!(
        text,
        "\n**{} published statements: {} confirmed, {} with a difference, {} not confirmed**{}.\n",
        published.len(),
        count(Verdict::Confirmed),
        count(Verdict::WithDifference),
        count(Verdict::Not),
        match count(Verdict::NotRun) {
            0 => String::new(),
            open => format!("; {open} have not been run"),
        },
    );
}

/// Which runs there are, if not all; rows of variants together.
fn ran(text: &mut String, tables: &Tables, extent: Extent) {
    if extent == Extent::Quick {
        text.push_str("**A quick version: fewer points and shorter runs.**\n\n");
        return;
    }
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (name, runs) in tables {
        let name = name.split('/').next().unwrap_or(name);
        let (done, whole) = counts.entry(name).or_default();
        *done += runs.table.runs.len();
        *whole += runs.whole.len();
    }
    counts.retain(|_, (done, whole)| done < whole);
    if !counts.is_empty() {
        let parts = counts.iter();
        let parts = parts.map(|(name, (done, whole))| format!("`{name}` {done} of {whole}"));
        let _ = writeln!(
            text,
            "**Not all has been run.** This page is of `--stored`, which shows the runs that there \
             are, by study: {}; of the others all. The command without it runs the rest.\n",
            parts.collect::<Vec<_>>().join(", ")
        );
    }
}

fn statements(text: &mut String, judged: &[Judged<'_>]) {
    text.push_str(
        "## Published and measured\n\n\
         Means with their 95 % interval where there are several seeds. *Ideal* is what is possible: \
         max-min fair shares within the links. A statement is confirmed if the mean lies in a band \
         around the published value, and with a difference if it lies in a wider band or a named \
         variant meets it; the bands are ours, beside each value in `verbs/works/`.\n\n\
         | statement | published | measured | band | ideal | verdict |\n|---|---|---|---|---|---|\n",
    );
    for j in judged {
        let s = j.statement;
        let mut measured = j.default.text(s.digits);
        for (name, found) in j.variants.iter().filter(|(_, f)| f.mean().is_some()) {
            let _ = write!(measured, "; {name}: {}", found.text(s.digits));
        }
        let band = s.band.map_or("-".to_string(), |[low, high]| format!("{low} to {high}"));
        let _ = writeln!(
            text,
            "| {} | {} | {measured} | {band} | {} | {} |",
            s.text,
            s.published,
            j.ideal(),
            j.verdict.text()
        );
    }
    text.push('\n');
    for j in judged.iter().filter(|j| !j.statement.why.is_empty()) {
        let s = j.statement;
        let _ = writeln!(text, "- **{}**: {}. {}", s.text, j.verdict.text(), s.why.trim());
    }
    text.push('\n');
    for j in judged.iter().filter(|j| j.is_missed()) {
        let value = j.default.text(j.statement.digits);
        let _ = writeln!(text, "{MISSED}{}: {value}.\n", j.statement.text);
    }
}

fn figures(text: &mut String, name: &str, work: &Work, tables: &Tables) {
    text.push_str("## Figures\n\nOne panel a case, one colour a scheme.\n\n");
    for figure in work.figure.iter().filter(|figure| is_there(figure, tables)) {
        let [svg, csv] = paths(name, figure);
        let _ = writeln!(text, "![{}](../{svg})\n[numbers](../{csv})\n", figure.title);
    }
}

fn points(text: &mut String, table: &PointTable, tables: &Tables) {
    let Some(runs) = tables.get(&table.study) else {
        return;
    };
    let points = runs.points(&table.point);
    if points.is_empty() {
        return;
    }
    let axes = runs.table.axes.iter();
    let axes: Vec<&String> = axes.filter(|axis| !table.point.fixes(axis)).collect();
    let heads = axes.iter().map(|axis| last_part(axis));
    let heads: Vec<&str> = heads.chain(table.columns.iter().map(|c| of_results(c).0)).collect();
    begin(text, &table.title, &table.about, heads);
    for point in points {
        let labels = axes.iter().map(|axis| point.label(axis).unwrap_or("-").to_string());
        let values = table.columns.iter();
        let values = values.map(|column| cell(mean(point, column), of_results(column).1));
        let cells: Vec<String> = labels.chain(values).collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text.push('\n');
}

/// A heading, the text before a table, and its heads.
fn begin<'a>(
    text: &mut String,
    title: &str,
    about: &str,
    heads: impl IntoIterator<Item = &'a str>,
) {
    *text += &format!("## {title}\n\n{}\n\n{}", about.trim(), head(heads));
}

fn last_part(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or(key)
}

fn of_results(column: &str) -> (&str, usize) {
    let found = study::COLUMNS.iter().find(|c| c.name == column);
    found.map_or((column, 2), |c| (c.title, c.decimals))
}

/// A row of variants that has been run.
type RowOf<'a> = (&'a Row, &'a Runs);

fn variants(text: &mut String, variants: &Variants, tables: &Tables) {
    let rows = variants.row.iter().zip(variants.studies());
    let rows: Vec<RowOf<'_>> = rows
        .filter_map(|(row, name)| Some((row, tables.get(&name)?)))
        .filter(|(_, runs)| !runs.table.points.is_empty())
        .collect();
    let Some((_, defaults)) = rows.first() else {
        return;
    };
    let names: Vec<&str> = defaults.table.points.iter().map(|p| p.name.as_str()).collect();
    let Share { of, beside, least } = &variants.share;
    let share = format!("{} / {beside}", of.join(", "));
    let heads = ["variant"].into_iter().chain(names.iter().copied()).chain([share.as_str()]);
    begin(text, &variants.title, &variants.about, heads);
    let mut lowest = f64::INFINITY;
    for (row, runs) in &rows {
        let cells = names.iter().map(|name| {
            let Some(point) = named(runs, name) else {
                return "-".to_string();
            };
            let [first, second] = variants.columns.each_ref().map(|c| cell(mean(point, c), 1));
            format!("{first} ({second})")
        });
        let cells: Vec<String> = cells.collect();
        let value = |name: &str| mean(named(runs, name)?, &variants.columns[0]);
        let shares = of.iter().map(|name| {
            let share = value(name).zip(value(beside)).map(|(a, b)| a / b);
            let missing = runs.has_all(&Filter::default()).then_some(f64::NEG_INFINITY);
            lowest = lowest.min(share.or(missing).unwrap_or(lowest));
            cell(share, 3)
        });
        let shares = shares.collect::<Vec<_>>().join(", ");
        let _ = writeln!(text, "| {} | {} | {shares} |", row.name(), cells.join(" | "));
    }
    text.push('\n');
    sentences(text, variants, &rows, &names);
    if lowest < *least {
        let title = &variants.title;
        let _ = writeln!(text, "{MISSED}{title}: a share of {lowest:.3}, below {least}.\n");
    }
}

fn named<'a>(runs: &'a Runs, name: &str) -> Option<&'a PointRow> {
    runs.table.points.iter().find(|point| point.name == name)
}

/// A value that differs by more than this part of the default's moves.
const MOVES: f64 = 0.05;

/// For each key what it moves; then the keys that move nothing.
fn sentences(text: &mut String, variants: &Variants, rows: &[RowOf<'_>], names: &[&str]) {
    let Some(((_, defaults), rest)) = rows.split_first() else {
        return;
    };
    let column = &variants.columns[1];
    let _ = writeln!(
        text,
        "What moves *{}* by more than {} % of its value with defaults; it does not move where a scheme \
         is not named:\n",
        of_results(column).0,
        MOVES * 100.0
    );
    let mut keys: Vec<&str> = Vec::new();
    for (row, _) in rest {
        if !keys.contains(&row.key.as_str()) {
            keys.push(&row.key);
        }
    }
    let mut still = Vec::new();
    for key in keys {
        let of_key: Vec<&RowOf<'_>> = rest.iter().filter(|(row, _)| row.key == key).collect();
        let (mut moved, mut not_run) = (Vec::new(), Vec::new());
        for name in names {
            let value = |runs: &Runs| mean(named(runs, name)?, column);
            let Some(default) = value(defaults) else {
                continue;
            };
            let values = of_key.iter().filter_map(|(row, runs)| Some((row, value(runs)?)));
            let mut values = values.peekable();
            if values.peek().is_none() {
                not_run.push(format!("`{name}`"));
                continue;
            }
            let far: Vec<String> = values
                .filter(|(_, value)| (value - default).abs() > MOVES * default.abs())
                .map(|(row, value)| match row.value.as_str() {
                    "" => format!("{value:.1}"),
                    of => format!("{value:.1} ({of})"),
                })
                .collect();
            if !far.is_empty() {
                moved.push(format!("`{name}` from {default:.1} to {}", far.join(", ")));
            }
        }
        let not_run = match not_run.as_slice() {
            [] => String::new(),
            all => format!(" (not run: {})", all.join(", ")),
        };
        if moved.is_empty() {
            still.push(format!("**{key}**{not_run}"));
        } else {
            let _ = writeln!(text, "- **{key}**: {}{not_run}.", moved.join("; "));
        }
    }
    if !still.is_empty() {
        let _ = writeln!(text, "- Nothing: {}.", still.join(", "));
    }
    text.push('\n');
}

/// Two windows of the measured time, one after the other.
fn steady(text: &mut String, studies: &[String], tables: &Tables) {
    if studies.is_empty() {
        return;
    }
    text.push_str(
        "## Does the window matter?\n\n\
         Delivered in the first and in the second half of the measured time, as two windows of the \
         same run. *Steady*: they differ by no more than their noise (half of a 95 % interval over \
         16 parts, so that one run in 20 is beyond it by chance).\n\n\
         | study | runs | steady | mean difference of these | largest of these | largest of all | \
         where |\n|---|---|---|---|---|---|---|\n",
    );
    for name in studies {
        let Some(runs) = tables.get(name) else {
            continue;
        };
        let points = runs.table.points.iter().filter_map(|point| {
            let first = mean(point, "first_half_bytes_per_ns")?;
            let second = mean(point, "second_half_bytes_per_ns")?;
            Some((100.0 * (second - first).abs() / first, point))
        });
        let points: Vec<(f64, &PointRow)> = points.collect();
        let steady = points.iter().filter(|(_, point)| !point.is_unsteady());
        let steady: Vec<f64> = steady.map(|(difference, _)| *difference).collect();
        let Some(largest) = points.iter().max_by(|a, b| a.0.total_cmp(&b.0)) else {
            continue;
        };
        let most = steady.iter().copied().reduce(f64::max);
        let _ = writeln!(
            text,
            "| {name} | {} | {} | {} % | {} % | {:.2} % | {} |",
            points.len(),
            steady.len(),
            cell(Interval::of(&steady).map(|i| i.mean), 2),
            cell(most, 2),
            largest.0,
            largest.1.name
        );
    }
    text.push('\n');
}
