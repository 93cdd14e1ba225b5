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

/// Bins of `series.csv`: every one is `bin_ns` wide but the last, which ends with the run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Bins {
    /// Width of a bin, ns.
    #[serde(rename = "series_bin_ns", default)]
    pub width_ns: f64,
    /// Simulated time, ns.
    #[serde(default)]
    pub duration_ns: f64,
}

impl Bins {
    /// End of the bin of `row`, ns.
    fn end(self, row: &SeriesRow) -> f64 {
        (row.t_ns + self.width_ns).min(self.duration_ns)
    }
}

/// Mean delivered bytes per ns in `[start, end)` ns; a bin that is partly inside counts by the part. `None` where no bin is inside.
pub fn mean_over(series: &[SeriesRow], bins: Bins, (start, end): (u64, u64)) -> Option<f64> {
    let (mut bytes, mut time) = (0.0, 0.0);
    for row in series {
        let part = bins.end(row).min(end as f64) - row.t_ns.max(start as f64);
        if part > 0.0 {
            bytes += row.delivered_bytes_per_ns * part;
            time += part;
        }
    }
    (time > 0.0).then(|| bytes / time)
}

/// The lowest mean over `width_ns` of consecutive bins wholly inside `[start, end)` ns: at least one bin, and all of them where
/// the window is shorter than `width_ns`. A stretch that the end of the run cuts short does not count beside a whole one.
/// `None` where no bin is inside.
pub fn lowest_moving_mean(
    series: &[SeriesRow],
    bins: Bins,
    (start, end): (u64, u64),
    width_ns: u64,
) -> Option<f64> {
    let inside: Vec<(f64, f64)> = series
        .iter()
        .filter(|row| row.t_ns >= start as f64 && bins.end(row) <= end as f64)
        .map(|row| (bins.end(row) - row.t_ns, row.delivered_bytes_per_ns))
        .filter(|(time, _)| *time > 0.0)
        .collect();
    if inside.is_empty() {
        return None;
    }
    let count = ((width_ns as f64 / bins.width_ns).round() as usize).clamp(1, inside.len());
    let stretches: Vec<(f64, f64)> = inside
        .windows(count)
        .map(|w| {
            let time: f64 = w.iter().map(|bin| bin.0).sum();
            (time, w.iter().map(|bin| bin.0 * bin.1).sum::<f64>() / time)
        })
        .collect();
    let longest = stretches.iter().map(|s| s.0).fold(0.0, f64::max);
    // half a bin: all whole ones are equal but for rounding
    let whole = |time: f64| longest - time < bins.width_ns / 2.0;
    stretches
        .into_iter()
        .filter(|(time, _)| whole(*time))
        .map(|(_, mean)| mean)
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

    const fn bins(count: u32) -> Bins {
        Bins {
            width_ns: 10_000.0,
            duration_ns: count as f64 * 10_000.0,
        }
    }

    // "windows past the end of a shortened run are legal" (spec: scenarios.md)
    #[test]
    fn window_past_the_end_has_no_value() {
        let s = series(&[1.0, 2.0, 3.0]);
        assert_eq!(mean_over(&s, bins(3), (30_000, 50_000)), None);
        assert_eq!(
            lowest_moving_mean(&s, bins(3), (30_000, 50_000), 20_000),
            None
        );
        assert_eq!(mean_over(&s, bins(3), (0, 0)), None);
        assert_eq!(mean_over(&s, bins(3), (20_000, 10_000)), None);
        assert_eq!(mean_over(&[], bins(3), (0, 10_000)), None);
    }

    // A bin is no wider than the run, also where it is the only one.
    #[test]
    fn lone_bin_is_no_wider_than_its_run() {
        let (s, short) = (
            series(&[7.0]),
            Bins {
                duration_ns: 4_000.0,
                ..bins(1)
            },
        );
        assert_eq!(mean_over(&s, short, (4_000, 8_000)), None);
        assert_eq!(mean_over(&s, short, (400_000, 800_000)), None);
        assert_eq!(lowest_moving_mean(&s, short, (4_000, 8_000), 20_000), None);
        assert_eq!(mean_over(&s, short, (1_000, 8_000)), Some(7.0));
        assert_eq!(lowest_moving_mean(&s, short, (0, 4_000), 20_000), Some(7.0));
    }

    #[test]
    fn last_bin_counts_by_its_width() {
        // the run ends at 25 us
        let (s, cut) = (
            series(&[4.0, 8.0, 100.0]),
            Bins {
                duration_ns: 25_000.0,
                ..bins(3)
            },
        );
        assert_eq!(mean_over(&s, cut, (10_000, 90_000)), Some(580.0 / 15.0)); // (8 * 10 + 100 * 5) / 15
        let low = series(&[4.0, 8.0, 0.0]);
        assert_eq!(
            lowest_moving_mean(&low, cut, (0, 90_000), 20_000),
            Some(6.0)
        ); // 8 and 0 are 15 us only
    }

    #[test]
    fn bins_partly_inside_count_by_their_part() {
        let s = series(&[4.0, 8.0, 100.0]);
        // 5 us of the first bin, all of the second: (4 * 5 + 8 * 10) / 15
        assert_eq!(mean_over(&s, bins(3), (5_000, 20_000)), Some(100.0 / 15.0));
        // past the end: what there is
        assert_eq!(mean_over(&s, bins(3), (20_000, 900_000)), Some(100.0));
    }

    #[test]
    fn worst_dip_is_the_lowest_pair_of_bins_inside() {
        // pairs inside 10..60 us: 5.5, 2.5, 3.0, 6.5; the 0.0 outside does not count
        let s = series(&[0.0, 9.0, 2.0, 3.0, 3.0, 10.0, 0.0]);
        assert_eq!(
            lowest_moving_mean(&s, bins(7), (10_000, 60_000), 20_000),
            Some(2.5)
        );
        // one bin fits: that bin
        assert_eq!(
            lowest_moving_mean(&s, bins(7), (10_000, 20_000), 20_000),
            Some(9.0)
        );
        // a bin wider than the moving mean: single bins
        assert_eq!(
            lowest_moving_mean(&s, bins(7), (10_000, 60_000), 1_000),
            Some(2.0)
        );
    }
}
