//! CAM lines and SAQs over time.

use super::files::CamRow;
use super::ports::Ports;
use crate::figures::{Figure, Of};
use crate::plot::{Axis, Dot, Line, Plot, Scale, dots};

/// Points of a line over time, at most.
const POINTS_MAX: usize = 800;
const SIDES: [&str; 3] = ["ingress", "egress", "injection"];
/// Of lines of a CAM in use, and with each bit set: style, name, column.
type Bit = (usize, &'static str, fn(&CamRow) -> f64);
const BITS: [Bit; 4] = [
    (3, "in use", |row| row.lines),
    (4, "leaf", |row| row.lines_leaf),
    (5, "blocked", |row| row.lines_blocked),
    (6, "ready", |row| row.lines_ready),
];

/// Neighbours together, the largest of each.
fn thinned(dots: &[Dot]) -> Vec<Dot> {
    let most = |part: &[Dot]| Dot::at(part[0].x, part.iter().map(|p| p.y).fold(0.0, f64::max));
    let together = dots.len().div_ceil(POINTS_MAX).max(1);
    dots.chunks(together).map(most).collect()
}

fn line(style: usize, name: &str, points: impl Iterator<Item = (f64, f64)>) -> Line {
    Line::plain(style, name, points.map(|(ns, value)| Dot::at(ns / 1000.0, value)).collect())
}

fn plot(
    n: usize,
    title: &'static str,
    unit: &str,
    mut lines: Vec<Line>,
) -> (Option<&'static str>, Plot) {
    let last = dots(&lines).map(|dot| dot.x).fold(0.0, f64::max);
    let most = dots(&lines).map(|dot| dot.y).fold(1.0, f64::max);
    lines.iter_mut().for_each(|line| line.dots = thinned(&line.dots));
    let plot = Plot::new(
        format!("cam-{n}"),
        title.into(),
        Axis::new("Time", "\u{b5}s", Scale::exact(0.0, last, 8)),
        Axis::new(unit, "", Scale::from_zero(most, 5)),
        290.0,
        lines,
    );
    (Some(title), plot)
}

/// SAQs and CAM lines over time; `None` where none was ever in use.
pub(super) fn cam(rows: &[CamRow], ports: &Ports) -> Option<Figure> {
    let bins: Vec<&CamRow> = rows.iter().filter(|row| row.row == "bin").collect();
    if bins.iter().all(|row| row.saqs_max == 0.0) {
        return None;
    }
    let of_side = |value: fn(&CamRow) -> f64| -> Vec<Line> {
        let of = |(style, side): (usize, &&str)| {
            let rows = bins.iter().filter(|row| row.side == **side);
            line(style, side, rows.map(|row| (row.t_ns, value(row))))
        };
        SIDES.iter().enumerate().map(of).collect()
    };
    // the three sides of a bin are together
    let same = |a: &&CamRow, b: &&CamRow| a.t_ns == b.t_ns;
    let all = BITS.iter().map(|&(style, name, value)| {
        let sum = |bin: &[&CamRow]| (bin[0].t_ns, bin.iter().map(|row| value(row)).sum());
        line(style, name, bins.chunk_by(same).map(sum))
    });
    let one_port = BITS[1..].iter().enumerate().map(|(bit, &(style, name, _))| {
        let lines = ports.lines.iter().enumerate();
        line(style, name, lines.map(|(n, lines)| (ports.start_ns(n), f64::from(lines[bit]))))
    });
    let mut plots = vec![
        plot(0, "SAQs, all ports of a side together", "SAQs", of_side(|row| row.saqs_max)),
        plot(1, "SAQs, the port with the most", "SAQs", of_side(|row| row.saqs_max_port)),
        plot(2, "CAM lines, all ports together", "CAM lines", all.collect()),
    ];
    if !ports.cells.is_empty() {
        let title = "CAM lines, the port with the most";
        plots.push(plot(3, title, "CAM lines", one_port.collect()));
    }
    let thinned = if bins.len() > SIDES.len() * POINTS_MAX {
        "Thinned for the page: the largest of neighbouring bins; cam.csv has all. "
    } else {
        ""
    };
    Some(Figure {
        id: "cam",
        heading: "SAQs and CAM lines over time",
        of: Of::Parts,
        pictures: plots,
        caption: format!(
            "The most in each bin. SAQs are exact, from events; CAM lines are those at the look \
             that saw the most lines, with each bit set: leaf: no port before it holds a SAQ for \
             the root; blocked: Xoff was received; ready: no marker names the line any more. \
             {thinned}"
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    // What is thinned still reaches the end of the run, and its peaks stay.
    #[test]
    fn a_line_of_many_bins_reaches_the_last() {
        let dot = |b: u32| Dot::at(f64::from(b) * 10.0, f64::from(b % 5));
        let thin = |bins: u32| thinned(&(0..bins).map(dot).collect::<Vec<_>>());
        let thinned = thin(2_000);
        assert_eq!(thinned.len(), 2_000_usize.div_ceil(3));
        assert_eq!(thinned[0], Dot::at(0.0, 2.0));
        // bins 1,998 and 1,999 have 3 and 4
        assert_eq!(thinned[thinned.len() - 1], Dot::at(19_980.0, 4.0));
        // so few are not thinned
        assert_eq!(thin(800).len(), 800);
    }
}
