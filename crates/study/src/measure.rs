//! Throughput in a window of time, from the bins of `series.csv`.

use fabric::SeriesRow;
use serde::{Deserialize, Serialize};

/// Width of the moving mean whose minimum is the worst dip, ns: short against a congestion tree (hundreds of us), long against
/// the unevenness of single bins, and the interval in which the incremental cases start one more hot source (spec: scenarios.md).
pub const DIP_WINDOW_NS: u64 = 20_000;

/// Windows of time `[start, end)`, ns, in which throughput is compared (spec: scenarios.md, `garcia-trees-2005`). An empty one
/// (the default) gives no value, one past the end of the run too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Windows {
    /// Before the congestion tree.
    #[serde(rename = "before_ns")]
    pub before: (u64, u64),
    /// From the first start to the last stop of a hot source.
    #[serde(rename = "during_ns")]
    pub during: (u64, u64),
    /// The end of the run.
    #[serde(rename = "after_ns")]
    pub after: (u64, u64),
}

/// Width of a bin, ns; a lone bin is as wide as its window.
fn bin_ns(series: &[SeriesRow]) -> f64 {
    match series {
        [a, b, ..] => b.t_ns - a.t_ns,
        _ => f64::INFINITY,
    }
}

/// Mean delivered bytes per ns in `[start, end)` ns; a bin that is partly inside counts by the part. `None` where no bin is inside.
pub fn mean_over(series: &[SeriesRow], (start, end): (u64, u64)) -> Option<f64> {
    let width = bin_ns(series);
    let (mut bytes, mut time) = (0.0, 0.0);
    for row in series {
        let part = (row.t_ns + width).min(end as f64) - row.t_ns.max(start as f64);
        if part > 0.0 {
            bytes += row.delivered_bytes_per_ns * part;
            time += part;
        }
    }
    (time > 0.0).then(|| bytes / time)
}

/// The lowest mean over `width_ns` of consecutive bins wholly inside `[start, end)` ns: at least one bin, and all of them where
/// the window is shorter than `width_ns`. `None` where no bin is inside.
pub fn lowest_moving_mean(
    series: &[SeriesRow],
    (start, end): (u64, u64),
    width_ns: u64,
) -> Option<f64> {
    let width = bin_ns(series);
    let inside: Vec<f64> = series
        .iter()
        .filter(|row| row.t_ns >= start as f64 && row.t_ns + width <= end as f64)
        .map(|row| row.delivered_bytes_per_ns)
        .collect();
    if inside.is_empty() {
        return None;
    }
    let bins = ((width_ns as f64 / width).round() as usize).clamp(1, inside.len());
    inside
        .windows(bins)
        .map(|w| w.iter().sum::<f64>() / bins as f64)
        .min_by(f64::total_cmp)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(delivered: &[f64]) -> Vec<SeriesRow> {
        delivered
            .iter()
            .enumerate()
            .map(|(i, &d)| SeriesRow {
                t_ns: i as f64 * 10_000.0,
                delivered_bytes_per_ns: d,
                ..SeriesRow::default()
            })
            .collect()
    }

    // "windows past the end of a shortened run are legal" (spec: scenarios.md)
    #[test]
    fn window_past_the_end_has_no_value() {
        let s = series(&[1.0, 2.0, 3.0]);
        assert_eq!(mean_over(&s, (30_000, 50_000)), None);
        assert_eq!(lowest_moving_mean(&s, (30_000, 50_000), 20_000), None);
        assert_eq!(mean_over(&s, (0, 0)), None);
        assert_eq!(mean_over(&s, (20_000, 10_000)), None);
        assert_eq!(mean_over(&[], (0, 10_000)), None);
    }

    #[test]
    fn bins_partly_inside_count_by_their_part() {
        let s = series(&[4.0, 8.0, 100.0]);
        // 5 us of the first bin, all of the second: (4 * 5 + 8 * 10) / 15
        assert_eq!(mean_over(&s, (5_000, 20_000)), Some(100.0 / 15.0));
        // past the end: what there is
        assert_eq!(mean_over(&s, (20_000, 900_000)), Some(100.0));
    }

    #[test]
    fn worst_dip_is_the_lowest_pair_of_bins_inside() {
        // pairs inside 10..60 us: 5.5, 2.5, 3.0, 6.5; the 0.0 outside does not count
        let s = series(&[0.0, 9.0, 2.0, 3.0, 3.0, 10.0, 0.0]);
        assert_eq!(lowest_moving_mean(&s, (10_000, 60_000), 20_000), Some(2.5));
        // one bin fits: that bin
        assert_eq!(lowest_moving_mean(&s, (10_000, 20_000), 20_000), Some(9.0));
        // a bin wider than the moving mean: single bins
        assert_eq!(lowest_moving_mean(&s, (10_000, 60_000), 1_000), Some(2.0));
    }
}
