//! CAM lines and SAQs over time.

use super::files::CamRow;
use super::ports::Ports;
use crate::figures::{Figure, Of};
use crate::plot::{Axis, Dot, Line, Plot, Scale};

/// Points of a line over time, at most.
const POINTS_MAX: usize = 800;
const SIDES: [&str; 3] = ["ingress", "egress", "injection"];
/// Styles of the lines of bits.
const BITS: [(usize, &str); 4] = [(3, "in use"), (4, "leaf"), (5, "blocked"), (6, "ready")];

/// Points `(ns, value)` under a style.
type Curve = (usize, Vec<(f64, f64)>);

/// Neighbours together, the largest of each.
fn thinned(points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let most = |part: &[(f64, f64)]| (part[0].0, part.iter().map(|p| p.1).fold(0.0, f64::max));
    let together = points.len().div_ceil(POINTS_MAX).max(1);
    points.chunks(together).map(most).collect()
}

fn plot(
    n: usize,
    title: &'static str,
    unit: &str,
    curves: Vec<(Curve, &str)>,
) -> (Option<&'static str>, Plot) {
    let end = |f: fn(&(f64, f64)) -> f64| {
        let all = curves.iter().flat_map(|((_, points), _)| points.iter().map(f));
        all.fold(0.0, f64::max)
    };
    let (last, most) = (end(|p| p.0) / 1000.0, end(|p| p.1));
    let lines = curves.into_iter().map(|((style, points), name)| {
        let dots = thinned(points).into_iter();
        Line::plain(style, name, dots.map(|(t, v)| Dot::at(t / 1000.0, v)).collect())
    });
    let plot = Plot::new(
        format!("cam-{n}"),
        title.into(),
        Axis::new("Time", "\u{b5}s", Scale::exact(0.0, last, 8)),
        Axis::new(unit, "", Scale::from_zero(most.max(1.0), 5)),
        290.0,
        lines.collect(),
    );
    (Some(title), plot)
}

/// SAQs and CAM lines over time; `None` where none was ever in use.
pub(super) fn cam(rows: &[CamRow], ports: &Ports) -> Option<Figure> {
    let bins: Vec<&CamRow> = rows.iter().filter(|row| row.row == "bin").collect();
    if bins.iter().all(|row| row.saqs_max == 0.0) {
        return None;
    }
    let of_side = |value: fn(&CamRow) -> f64| -> Vec<(Curve, &str)> {
        let curve = |side: &str| {
            let rows = bins.iter().filter(|row| row.side == side);
            rows.map(|row| (row.t_ns, value(row))).collect()
        };
        let curves = SIDES.iter().enumerate();
        curves.map(|(style, side)| ((style, curve(side)), *side)).collect()
    };
    // the three sides of a bin stand together
    let summed = |value: fn(&CamRow) -> f64| -> Vec<(f64, f64)> {
        let same = |a: &&CamRow, b: &&CamRow| a.t_ns == b.t_ns;
        let sum = |bin: &[&CamRow]| (bin[0].t_ns, bin.iter().map(|row| value(row)).sum());
        bins.chunk_by(same).map(sum).collect()
    };
    let values: [fn(&CamRow) -> f64; 4] =
        [|row| row.lines, |row| row.lines_leaf, |row| row.lines_blocked, |row| row.lines_ready];
    let all = BITS.iter().zip(values);
    let all = all.map(|((style, name), value)| ((*style, summed(value)), *name));
    let one_port = |bit: usize| {
        let lines = ports.lines.iter().enumerate();
        lines.map(|(n, lines)| (ports.start_ns(n), f64::from(lines[bit]))).collect()
    };
    let mut plots = vec![
        plot(0, "SAQs, all ports of a side together", "SAQs", of_side(|row| row.saqs_max)),
        plot(1, "SAQs, the port with the most", "SAQs", of_side(|row| row.saqs_max_port)),
        plot(2, "CAM lines, all ports together", "CAM lines", all.collect()),
    ];
    if !ports.cells.is_empty() {
        let curves = (0..3).map(|bit| ((BITS[bit + 1].0, one_port(bit)), BITS[bit + 1].1));
        plots.push(plot(3, "CAM lines, the port with the most", "CAM lines", curves.collect()));
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
        let points = |bins: u32| (0..bins).map(|b| (f64::from(b) * 10.0, f64::from(b % 5)));
        let thin = thinned(points(2_000).collect());
        assert_eq!(thin.len(), 2_000_usize.div_ceil(3));
        assert_eq!(thin[0], (0.0, 2.0));
        // bins 1,998 and 1,999 have 3 and 4
        assert_eq!(thin[thin.len() - 1], (19_980.0, 4.0));
        // so few are not thinned
        assert_eq!(thinned(points(800).collect()).len(), 800);
    }
}
