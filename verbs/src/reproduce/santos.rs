//! santos-ecn-2002: ECN on the dumbbell, beside what is published and the closed form.

mod open;
mod parking;
mod series;
mod sizes;
mod thresholds;

use super::chart::Style;
use super::runs::Done;
use setaside::Failure;

const WORK: &str = "santos-ecn-2002";

/// Flows of each kind, and their sources: A1 to A10 are nodes 0 to 9, B1 to B10 11 to 20.
const FLOWS: u32 = 10;

/// The section of the reproduction page. With `resume` runs that are stored are taken as they are.
pub(super) fn section(resume: bool) -> Result<String, Failure> {
    let mut text = String::from(
        "The dumbbell of `scenarios/santos-ecn-2002/`: 10 local flows, 10 remote ones and the victim, links of 1 byte/ns, packets of 2068 bytes, \
         ACKs of 20, memories of 4 packets. All rates are in link rates: the *root* link is oversubscribed 20 times, the fair share of a flow is \
         1/20 of it. Response `lipd` with M = 512 where nothing else is said. The root link carries packets of local and remote flows and nothing else, \
         the inter-switch link (from A to B) those of remote flows and the victim: ACKs go the other way.\n\n",
    );
    series::write(&mut text, resume)?;
    sizes::write(&mut text, resume)?;
    thresholds::write(&mut text, resume)?;
    parking::write(&mut text, resume)?;
    open::write(&mut text, resume)?;
    Ok(text)
}

/// Utilisation of a named link in a window; without one in the measured time.
fn link(run: &Done, window: Option<&str>, name: &str) -> Option<f64> {
    let links = match window {
        Some(window) => &run.summary.windows.get(window)?.links,
        None => &run.summary.links,
    };
    *links.get(name)?
}

/// What a group of flows gets in a window; without one in the measured time.
fn group(run: &Done, window: Option<&str>, name: &str) -> Option<f64> {
    match window {
        Some(window) => {
            let window = run.summary.windows.get(window)?;
            window.groups.get(name)?.delivered_bytes_per_ns
        }
        None => *run.summary.groups.get(name)?,
    }
}

/// What remote flows get of what local ones get.
fn remote_over_local(run: &Done, window: Option<&str>) -> Option<f64> {
    let local = group(run, window, "local")?;
    (local > 0.0).then(|| group(run, window, "remote"))?.map(|remote| remote / local)
}

/// Least and most that a flow of some sources gets, in fair shares.
fn spread(run: &Done, sources: std::ops::Range<u32>, fair: f64) -> (f64, f64) {
    let of = |source| run.by_source.get(&source).copied().unwrap_or(0.0) / fair;
    let rates = sources.map(of);
    rates.fold((f64::INFINITY, 0.0_f64), |(least, most), rate| (least.min(rate), most.max(rate)))
}

/// For each event: remote packets that were marked, all events and marks counted; and data packets
/// that waited in the full memory.
fn an_event(run: &Done) -> Option<[f64; 2]> {
    let ecn = run.summary.ecn.as_ref().filter(|ecn| ecn.events > 0)?;
    let marked = ecn.groups_marked.get("remote").copied().unwrap_or(0);
    Some([marked, ecn.events_waiting].map(|count| count as f64 / ecn.events as f64))
}

/// Colours of the lines of all figures.
const ROOT: Style = Style(7, 0);
const INTER_SWITCH: Style = Style(5, 1);
const LOCAL: Style = Style(0, 0);
const REMOTE: Style = Style(1, 0);
const VICTIM: Style = Style(2, 0);
