//! The least of a resource, for people and for programs.

use super::size::{Frontier, Method, Need, SizeAnswer, SizedDesign};
use super::{p99, plus_minus};
use crate::answer::Met;
use crate::job::point_name;
use crate::lines::{more, sentence};
use crate::text_table::{TextColumn, TextTable};
use crate::{Interval, WIDTH};

const LINES_MAX: usize = 25;
const ROWS_MAX: usize = 8;
const NEEDS_MAX: usize = 5;
/// Rows of the frontier for which cautions make room.
const FRONTIER_LEAST: usize = 3;
/// Headings, units and rule of a table.
const HEADING_LINES: usize = 4;

impl SizeAnswer {
    /// At most 25 lines of [`WIDTH`]; `place` is where the runs are.
    pub fn to_text(&self, place: &str) -> String {
        let mut text = self.head();
        text += &sentence(&format!("enough: {}", self.enough));
        let design = self.cheapest().or(self.designs.first());
        text += &match self.designs.as_slice() {
            [one] => self.margin(one),
            _ => self.designs_table(),
        };
        let SizeAnswer { runs, points, .. } = self;
        let mut end = sentence(&format!("{runs} runs at {points} points in {place}"));
        let Some(design) = design else { return text + &end };
        end = sentence(&method(design)) + &end;
        let room = |text: &str, end: &str, rows: usize| {
            let taken = text.lines().count() + end.lines().count() + HEADING_LINES;
            LINES_MAX.saturating_sub(taken + rows)
        };
        if design.needs.len() > 1 {
            // Half of what is left is for the frontier, which has a heading of its own.
            let rows = room(&text, &end, HEADING_LINES) / 2;
            text += &needs(design, rows.clamp(1, NEEDS_MAX));
        }
        // The gravest come first; what is behind them gives way to the frontier.
        let rows = design.frontier.len().min(FRONTIER_LEAST);
        for caution in &self.cautions {
            let caution = sentence(&format!("! {caution}"));
            if caution.lines().count() > room(&text, &end, rows) {
                break;
            }
            end += &caution;
        }
        text += &self.frontier(design, room(&text, &end, 0).min(ROWS_MAX));
        text + &end
    }

    /// The design whose answer takes the fewest bits.
    fn cheapest(&self) -> Option<&SizedDesign> {
        let bits = |at: &Frontier| at.control_bits + at.data_bits;
        let answered = self.designs.iter().filter_map(|d| Some((d, bits(d.at.as_ref()?))));
        answered.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(design, _)| design)
    }

    fn head(&self) -> String {
        let keys = self.keys.join(", ");
        let Some((design, at)) = self.cheapest().and_then(|d| Some((d, d.at.as_ref()?))) else {
            let mut places = self.designs.iter().flat_map(|design| &design.frontier);
            let mut what = match places.any(|place| place.verdict.met == Met::Unknown) {
                true => "which is enough is not known".to_string(),
                false => "none of those compared is enough".to_string(),
            };
            if let Some(best) = self.designs.first().and_then(|design| design.frontier.last()) {
                what += &format!("; the best is {}", best.values.join(", "));
            }
            return sentence(&format!("{}: {keys}: {what}", self.name));
        };
        let values = at.values.join(", ");
        let mut what = format!("{}: {keys} = {values} is enough", self.name);
        if !design.labels.is_empty() {
            what += &format!(", with {}", point_name(&design.labels));
        }
        if design.needs.len() > 1 {
            what += &format!(", on all {} workloads", design.needs.len());
        }
        sentence(&what)
    }

    /// What the answer has beyond the target, what less of it lacks, and which workload binds.
    fn margin(&self, design: &SizedDesign) -> String {
        let mut text = String::new();
        let over = |share: Interval| Interval { mean: share.mean - self.target_share, ..share };
        let margin_at = |at: &Frontier| {
            let margin = plus_minus(at.verdict.share.map(over), 100.0, 1);
            let sign = if margin.starts_with(['-', '\u{2212}']) { "" } else { "+" };
            format!("{sign}{margin} % at {}", at.values.join(", "))
        };
        let met = |at: &Frontier| match at.verdict.met {
            Met::No => "not enough",
            Met::Unknown => "left open by its interval",
            Met::Yes => "enough too",
        };
        let less = match &design.below {
            _ if design.at.is_none() => String::new(),
            None => "; less was not compared".into(),
            Some(below) => format!("; {}: {}", margin_at(below), met(below)),
        };
        if let Some(at) = design.at.as_ref().or(design.frontier.last()) {
            text += &sentence(&format!("margin: {}{less}", margin_at(at)));
        }
        if let Some(need) = binding(design) {
            let least = need.least.as_ref().map(|least| least.join(", "));
            let least = least.map_or("none is enough".into(), |least| format!("needs {least}"));
            let name = point_name(&need.labels);
            text += &sentence(&format!("binding workload: {name} ({least})"));
        }
        text
    }

    fn designs_table(&self) -> String {
        let shown = |design: &SizedDesign, cell: fn(&Frontier) -> String| {
            design.at.as_ref().or(design.frontier.last()).map_or("-".into(), cell)
        };
        let mut table = TextTable::new(self.designs.iter().take(ROWS_MAX));
        table.names("design", "", |design| point_name(&design.labels));
        table.numbers(&self.keys.join(" "), "", |design| {
            design.at.as_ref().map_or("none".into(), |at| at.values.join(" "))
        });
        let share = |at: &Frontier| plus_minus(at.verdict.share, 100.0, 1);
        table.numbers("of reference", "%", |design| shown(design, share));
        let bits = |at: &Frontier| format!("{:.0}", at.control_bits);
        table.numbers("bits", "a port", |design| shown(design, bits));
        table.names("binding workload", "", |design| {
            binding(design).map_or("-".into(), |need| point_name(&need.labels))
        });
        table.fitted(WIDTH, &["binding workload"]).0
            + &more(self.designs.len(), ROWS_MAX, "designs")
    }

    /// What bits buy: of many places those around the answer.
    fn frontier(&self, design: &SizedDesign, most: usize) -> String {
        let all = &design.frontier;
        let bits: Vec<f64> = all.iter().map(|at| at.data_bits).collect();
        let has_memory = bits.windows(2).any(|pair| pair[0] != pair[1]);
        let answer = design.at.as_ref();
        let at = all.iter().position(|at| Some(&at.values) == answer.map(|a| &a.values));
        let first = at.map_or(all.len(), |at| at + 1 + most / 2).min(all.len());
        let first = first.saturating_sub(most);
        let mut table = TextTable::new(all.iter().skip(first).take(most));
        for (n, key) in self.keys.iter().enumerate() {
            table.numbers(key.rsplit('.').next().unwrap_or(key), "", |at| at.values[n].clone());
        }
        table.numbers("of reference", "%", |at| plus_minus(at.verdict.share, 100.0, 1));
        table.numbers("p99", "us", |at| p99(&at.verdict, 0.001, 2));
        table.numbers("CAM", "bits", |at| format!("{:.0}", at.cam_bits));
        table.numbers("SAQ state", "bits", |at| format!("{:.0}", at.saq_bits));
        table.numbers("control", "bits", |at| format!("{:.0}", at.control_bits));
        if has_memory {
            table.numbers("memory", "bits", |at| format!("{:.0}", at.data_bits));
        }
        table.names("enough", "", |at| match at.verdict.met {
            Met::Unknown => "open".into(),
            met => met.word().into(),
        });
        table.fitted(WIDTH, &["SAQ state", "CAM"]).0
    }
}

const NEEDS: [TextColumn<Need>; 4] = [
    ("workload", None, |need| point_name(&need.labels)),
    ("needs", Some(""), |need| need.least.as_ref().map_or("none".into(), |least| least.join(", "))),
    ("of reference", Some("%"), |need| {
        plus_minus(need.verdict.as_ref().and_then(|verdict| verdict.share), 100.0, 1)
    }),
    ("p99", Some("us"), |need| {
        need.verdict.as_ref().map_or("-".into(), |verdict| p99(verdict, 0.001, 2))
    }),
];

/// What each workload needs, those that need most first.
fn needs(design: &SizedDesign, most: usize) -> String {
    let first = design.binding.into_iter();
    let others = (0..design.needs.len()).filter(|n| Some(*n) != design.binding);
    let shown = first.chain(others).take(most).map(|n| &design.needs[n]);
    let mut table = TextTable::of(&NEEDS, shown);
    table.fitted(WIDTH, &["p99"]).0 + &more(design.needs.len(), most, "workloads")
}

fn binding(design: &SizedDesign) -> Option<&Need> {
    let need = design.needs.get(design.binding?)?;
    (!need.labels.is_empty()).then_some(need)
}

fn method(design: &SizedDesign) -> String {
    let [looked, all] = design.looked_at;
    match &design.method {
        Method::Halves => format!(
            "by bisection: {looked} of {all} values run, ends and neighbours too; more was better"
        ),
        Method::Grid(why) => format!(
            "by Pareto search, {looked} of {all} places run, since bisection does not hold: {why}"
        ),
    }
}
