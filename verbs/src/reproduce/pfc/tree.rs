//! The tree of pauses as SVG, by pauses away from the slow output; links are joined to their cause.

use super::heat::{colour, legend};
use crate::reproduce::chart::opened;
use observe::PauseRow;
use std::collections::{BTreeMap, BTreeSet};

const COLUMN: f64 = 150.0;
const ROW: f64 = 11.0;
const MARGIN: f64 = 24.0;
const TOP: f64 = 76.0;
const BOX: (f64, f64) = (56.0, 9.0);

/// Links that are paused for less of the time are left out, but for those that others wait for.
pub(super) const LEAST_SHARE: f64 = 0.01;

struct Drawn<'a> {
    row: &'a PauseRow,
    /// Its name, or that of a slow output.
    cause: &'a str,
    depth: u32,
}

fn drawn(rows: &[PauseRow]) -> BTreeMap<&str, Drawn<'_>> {
    let all: BTreeMap<&str, Drawn<'_>> = rows
        .iter()
        .filter_map(|row| {
            let (cause, depth) = (row.cause.as_deref()?, row.depth?);
            Some((row.from.as_str(), Drawn { row, cause, depth }))
        })
        .collect();
    let mut kept = BTreeSet::new();
    for (name, link) in &all {
        let mut at = (link.row.paused_share >= Some(LEAST_SHARE)).then_some(*name);
        while let Some(name) = at.filter(|name| kept.insert(*name)) {
            let link = &all[name];
            at = (link.depth > 1).then_some(link.cause);
        }
    }
    all.into_iter().filter(|(name, _)| kept.contains(name)).collect()
}

/// Places links below `cause`, whose children are those of depth `depth`: returns its position.
fn place<'a>(
    cause: &'a str,
    depth: u32,
    links: &BTreeMap<&'a str, Drawn<'a>>,
    next: &mut f64,
    at: &mut BTreeMap<(&'a str, u32), f64>,
) -> f64 {
    let children = links.iter().filter(|(_, link)| link.depth == depth && link.cause == cause);
    let ys: Vec<f64> = children.map(|(name, _)| place(name, depth + 1, links, next, at)).collect();
    let y = match (ys.first(), ys.last()) {
        (Some(first), Some(last)) => (first + last) / 2.0,
        _ => {
            *next += ROW;
            *next
        }
    };
    at.insert((cause, depth - 1), y);
    y
}

pub(super) fn svg(title: &str, rows: &[PauseRow]) -> String {
    let links = drawn(rows);
    let roots: BTreeSet<&str> =
        links.values().filter(|link| link.depth == 1).map(|link| link.cause).collect();
    let (mut at, mut next) = (BTreeMap::new(), TOP);
    for root in &roots {
        place(root, 1, &links, &mut next, &mut at);
        next += ROW;
    }
    let deepest = links.values().map(|link| link.depth).max().unwrap_or(0);
    let width = 2.0 * MARGIN + f64::from(deepest) * COLUMN + BOX.0;
    let height = next + 60.0;
    let mut svg = opened(title, (width, height), 8, (MARGIN, 26, 15));
    let x = |depth: u32| MARGIN + f64::from(depth) * COLUMN;
    for depth in 0..=deepest {
        let name = match depth {
            0 => "slow output".to_string(),
            1 => "1 pause away".to_string(),
            depth => format!("{depth} pauses away"),
        };
        let x = x(depth);
        svg += &format!("<text x=\"{x:.0}\" y=\"54\" font-size=\"11\">{name}</text>\n");
    }
    for (name, link) in &links {
        let (from, to) = (at[&(link.cause, link.depth - 1)], at[&(*name, link.depth)]);
        let wide = 0.5 + (link.row.pauses as f64).log10().max(0.0);
        let (left, right) = (x(link.depth - 1) + BOX.0, x(link.depth));
        let middle = right - COLUMN / 3.0;
        svg += &format!(
            "<path d=\"M{left:.0} {from:.1}H{middle:.0}V{to:.1}H{right:.0}\" fill=\"none\" \
             stroke=\"#888888\" stroke-width=\"{wide:.1}\"/>\n"
        );
    }
    for (&(name, depth), &y) in &at {
        let share = links.get(name).and_then(|link| link.row.paused_share);
        let share = share.filter(|_| depth > 0);
        let fill = share.map_or("#ffffff".to_string(), colour);
        let text = match share {
            Some(share) if share > 0.6 => "#ffffff",
            _ => "#000000",
        };
        let (left, top, (width, height)) = (x(depth), y - BOX.1 / 2.0, BOX);
        let (middle, base) = (left + width / 2.0, y + 3.0);
        svg += &format!(
            "<rect x=\"{left:.0}\" y=\"{top:.1}\" width=\"{width}\" height=\"{height}\" \
             fill=\"{fill}\" stroke=\"#555555\" stroke-width=\"0.5\"/>\n\
             <text x=\"{middle:.0}\" y=\"{base:.1}\" text-anchor=\"middle\" \
             fill=\"{text}\">{name}</text>\n"
        );
    }
    legend(&mut svg, next + 16.0);
    svg.push_str("</svg>\n");
    svg
}
