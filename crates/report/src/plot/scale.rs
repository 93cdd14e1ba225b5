//! Axes: where ticks go and where a value lies.

use crate::text::{number, shortest};

/// Values onto a length, `[0, 1]`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scale {
    log: bool,
    min: f64,
    max: f64,
    pub(crate) ticks: Vec<f64>,
}

impl Scale {
    /// From 0 to a round value not below `max`, with about `count` ticks.
    pub(crate) fn from_zero(max: f64, count: usize) -> Self {
        let step = step(if max > 0.0 { max } else { 1.0 }, count);
        let steps = ((max / step) - 1e-9).ceil().max(1.0);
        let ticks = (0..=steps as usize).map(|i| round(i as f64 * step, step)).collect();
        Scale { log: false, min: 0.0, max: round(steps * step, step), ticks }
    }

    /// Percent: from a round value below `min`, or 0, to a little above 100.
    pub(crate) fn percent(min: f64, max: f64) -> Self {
        let low = if min < 30.0 { 0.0 } else { ((min - 2.0) / 10.0).floor() * 10.0 };
        Scale::exact(low, max.max(100.0) + 1.5, 5)
    }

    /// From `min` to `max` as they are, ticks at round values between.
    pub(crate) fn exact(min: f64, max: f64, count: usize) -> Self {
        let max = if max > min { max } else { min + 1.0 };
        let step = step(max - min, count);
        let ticks = (min / step - 1e-9).ceil() as i64..=(max / step + 1e-9).floor() as i64;
        Scale { log: false, min, max, ticks: ticks.map(|i| round(i as f64 * step, step)).collect() }
    }

    /// From 0 where the values spread far enough, else around them with room on either side.
    pub(crate) fn around(min: f64, max: f64, count: usize) -> Self {
        if min < max * 0.4 || min >= max {
            return Scale::from_zero(max * 1.05, count);
        }
        let room = (max - min) * 0.15;
        Scale::exact(min - room, max + room, count)
    }

    /// Logarithmic around positive values, ticks at 1, 2, 5 times powers of ten.
    pub(crate) fn log(min: f64, max: f64) -> Self {
        let (min, max) = (min / 1.25, max * 1.25);
        let round = (-12..15).flat_map(|e| [1.0, 2.0, 5.0].map(|m| m * 10f64.powi(e)));
        let mut ticks: Vec<f64> = round.filter(|&t| t >= min && t <= max).collect();
        if ticks.len() > 7 {
            // powers of ten alone
            ticks.retain(|t| (t.log10() - t.log10().round()).abs() < 1e-9);
        }
        Scale { log: true, min, max, ticks }
    }

    /// At these values alone, evenly spread if they are powers of a factor.
    pub(crate) fn at(values: &[f64]) -> Self {
        let least = values.iter().copied().fold(f64::MAX, f64::min);
        let most = values.iter().copied().fold(f64::MIN, f64::max);
        let log = least > 0.0 && most / least >= 8.0;
        let (min, max) = match log {
            true => (least / 1.2, most * 1.2),
            false => (least - (most - least) * 0.04 - 0.01, most + (most - least) * 0.04 + 0.01),
        };
        Scale { log, min, max, ticks: values.to_vec() }
    }

    /// Where `value` lies: 0 at the lower end, 1 at the upper.
    pub(crate) fn place(&self, value: f64) -> f64 {
        let f = |v: f64| if self.log { v.ln() } else { v };
        (f(value) - f(self.min)) / (f(self.max) - f(self.min))
    }

    pub(super) fn inside(&self, value: f64) -> f64 {
        value.clamp(self.min, self.max)
    }

    pub(crate) fn ends(&self) -> [f64; 2] {
        [self.min, self.max]
    }

    pub(super) fn for_script(&self) -> (u8, f64, f64) {
        (u8::from(self.log), self.min, self.max)
    }

    /// The label of a tick: of a logarithmic scale as short as it is, else as long as the others.
    pub(crate) fn label(&self, tick: f64) -> String {
        match self.log {
            true => shortest(tick),
            false => number(tick, self.decimals()),
        }
    }

    /// Digits after the point that distinguish all ticks.
    fn decimals(&self) -> usize {
        let is_whole = |shown: f64| (shown - shown.round()).abs() < 1e-6;
        let exact = |d: &i32| self.ticks.iter().all(|t| is_whole(t * 10f64.powi(*d)));
        (0..6).find(exact).unwrap_or(6) as usize
    }
}

fn step(span: f64, count: usize) -> f64 {
    let raw = span / count as f64;
    let power = 10f64.powf(raw.log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0].map(|m| m * power);
    steps.into_iter().find(|s| *s >= raw * (1.0 - 1e-9)).unwrap_or(raw)
}

/// Drops the dust of binary fractions.
fn round(value: f64, step: f64) -> f64 {
    let digits = 10f64.powf(3.0 - step.log10().floor());
    (value * digits).round() / digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_cover_the_data() {
        assert_eq!(Scale::from_zero(47.3, 5).ticks, [0.0, 10.0, 20.0, 30.0, 40.0, 50.0]);
        assert_eq!(Scale::from_zero(1.0, 5).ticks, [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
        assert_eq!(Scale::from_zero(0.0, 5).ticks.first(), Some(&0.0));
        assert_eq!(Scale::exact(0.0, 1600.0, 8).ticks.len(), 9);
        assert_eq!(Scale::log(5_000.0, 90_000.0).ticks, [5e3, 1e4, 2e4, 5e4, 1e5]);
        assert_eq!(Scale::from_zero(0.3, 5).decimals(), 1);
    }

    #[test]
    fn powers_of_two_lie_evenly() {
        let s = Scale::at(&[1.0, 2.0, 4.0, 8.0, 16.0]);
        let gaps: Vec<f64> = s.ticks.windows(2).map(|w| s.place(w[1]) - s.place(w[0])).collect();
        assert!(gaps.iter().all(|g| (g - gaps[0]).abs() < 1e-12), "{gaps:?}");
        assert!(s.place(1.0) > 0.0 && s.place(16.0) < 1.0);
        let one = Scale::at(&[4.0]);
        assert!((one.place(4.0) - 0.5).abs() < 1e-9);
    }
}
