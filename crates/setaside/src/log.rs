//! Output of `--log` and `--watch` on stderr: events of `tracing`, as lines of text or of JSON.

use crate::exit::{Exit, Failure};
use crate::options::{Format, LogArgs};
use std::collections::BTreeMap;
use std::fmt;
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use study::lines::sentence;
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Subscriber};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::{
    Compact, Format as Plain, FormatEvent, FormatFields, Writer,
};
use tracing_subscriber::fmt::{FmtContext, format::FmtSpan};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;

/// Lines of stderr that no filter decides about are events of this target.
const NOTES: &str = "setaside::note";

/// Each line of stderr is a JSON object.
static IS_JSON: AtomicBool = AtomicBool::new(false);

/// A line on stderr. A closed pipe or a full disk ends nothing.
pub(crate) fn line(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

fn is_json() -> bool {
    IS_JSON.load(Ordering::Relaxed)
}

/// Writes a note to stderr: a line of text, or an event at level INFO.
pub(crate) fn note(text: &str) {
    match is_json() {
        true => tracing::info!(target: NOTES, "{text}"),
        false => line(text),
    }
}

/// Warns on stderr: of this, in lines of text that fit a terminal, or in an event at level WARN.
pub(crate) fn warn(text: &str) {
    match is_json() {
        true => tracing::warn!(target: NOTES, "{text}"),
        false => line(sentence(&format!("warning: {text}")).trim_end()),
    }
}

/// Writes to stderr what failed: as it is, or in an event at level ERROR.
pub(crate) fn error(text: &str) {
    match (is_json(), text.strip_prefix("error: ").unwrap_or(text)) {
        (true, what) => tracing::error!(target: NOTES, "{what}"),
        (false, _) => line(text),
    }
}

/// Starts to log if asked to: whether it does. A watch logs at INFO without a filter.
pub(crate) fn start(args: &LogArgs, has_watch: bool) -> Result<bool, Failure> {
    let Some(filter) = args.log.as_deref().or(has_watch.then_some("info")) else {
        let what = "--log-format: nothing is logged; legal with --log FILTER or --watch";
        return match args.log_format {
            None => Ok(false),
            Some(_) => Err(Failure::error(Exit::Usage, what)),
        };
    };
    // Nothing between commas would be read as ERROR, a span as a target.
    let is_meant = |part: &str| !part.trim().is_empty() && !part.contains(['[', '{']);
    let parsed = match filter.split(',').find(|part| !is_meant(part)) {
        Some(part) => Err(format!("invalid filter directive {part:?}")),
        None => filter.parse::<Targets>().map_err(|error| error.to_string()),
    };
    let filter = parsed.map_err(|error| {
        let legal = "legal: error, warn, info, debug, trace or off, or TARGET=LEVEL,... as \
                     setaside::watch=debug";
        Failure::error(Exit::Usage, format!("--log {filter:?}: {error}; {legal}"))
    })?;
    let format = args.log_format.unwrap_or(Format::Text);
    let filter = match format {
        Format::Text => filter,
        // notes are written, whatever the filter
        Format::Json => filter.with_target(NOTES, LevelFilter::INFO),
    };
    // The time of a span is in a log that was asked for, not among the events of a packet.
    let spans = if args.log.is_some() { FmtSpan::CLOSE } else { FmtSpan::NONE };
    let log = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_span_events(spans);
    let all = tracing_subscriber::registry().with(filter);
    let set = match format {
        Format::Text => {
            let lines = Lines(Plain::default().without_time().compact());
            tracing::subscriber::set_global_default(all.with(log.event_format(lines)))
        }
        Format::Json => {
            let json = log.json().flatten_event(true).with_span_list(false).without_time();
            tracing::subscriber::set_global_default(all.with(json))
        }
    };
    set.map_err(|error| Failure::error(Exit::Failure, format!("--log: {error}")))?;
    IS_JSON.store(format == Format::Json, Ordering::Relaxed);
    Ok(true)
}

/// Text: events of a watch in columns, all else as `tracing` has it.
struct Lines(Plain<Compact, ()>);

/// The fields of an event, by name.
#[derive(Default)]
struct Fields(BTreeMap<&'static str, String>);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.0.insert(field.name(), format!("{value:.2}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.into());
    }
}

impl<S, N> FormatEvent<S, N> for Lines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        if event.metadata().target() != "setaside::watch" {
            return self.0.format_event(context, writer, event);
        }
        let mut fields = Fields::default();
        event.record(&mut fields);
        let [ns, unit, packet, message] = ["ns", "unit", "packet", "message"]
            .map(|name| fields.0.get(name).map_or("", String::as_str));
        write!(writer, "{ns:>10} ns  {unit:<23} ")?;
        if !packet.is_empty() {
            write!(writer, "{packet:<10} ")?;
        }
        writeln!(writer, "{message}")
    }
}
