//! The section `[workload.trace]`: from a file, or a made workload, to messages for the engines.

use crate::draft::Draft;
use crate::error::ScenarioError;
use crate::keys::SCENARIO;
use crate::settings::Settings;
use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;
use trace::{Format, Mapping, Message, Options, SettingError, Stream, Synthetic, Timing};
use units::{Tick, TimeBase};
use workload::{Given, MESSAGE_BYTES_MAX, Messages, Workload};

const FILE: &str = "workload.trace.file";
const SYNTHETIC: &str = "workload.trace.synthetic";
const DIGEST: &str = "workload.trace.digest";

#[derive(Debug, Clone)]
pub(crate) struct TraceConfig {
    origin: Origin,
    digest: String,
    options: Options,
    mapping: Mapping,
    nodes: u32,
    time_base: TimeBase,
    /// Messages at this tick or later are not read.
    end: Tick,
}

/// A trace that was read up to the end of the run.
#[derive(Debug, Clone)]
pub(crate) struct Checked {
    has_after: bool,
    /// Where the file is cut off, where that is allowed.
    pub(crate) cut: Option<String>,
}

/// What was found out once: the points of a study read the same file.
pub(crate) struct Known<K, V>(Mutex<BTreeMap<K, V>>);

impl<K: Ord, V: Clone> Known<K, V> {
    pub(crate) const fn new() -> Known<K, V> {
        Known(Mutex::new(BTreeMap::new()))
    }

    pub(crate) fn get(&self, key: K, find: impl FnOnce() -> V) -> V {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(key).or_insert_with(find).clone()
    }
}

#[derive(Debug, Clone)]
enum Origin {
    File(PathBuf),
    Synthetic(Synthetic),
}

/// Finds the file and its digest, which replaces the contents in the resolved scenario.
pub(crate) fn locate(draft: &mut Draft, base_dir: Option<&Path>) {
    let name = draft.word(FILE).to_owned();
    if name.is_empty() {
        return;
    }
    let Some(base_dir) = base_dir else {
        let help = format!("legal: {SYNTHETIC}");
        return draft.refuse(&[FILE], "an embedded scenario reads no files", help);
    };
    let path = base_dir.join(&name);
    let shown = path.display();
    let found = match digest(&path) {
        Ok(found) => found,
        Err(error) => {
            let help = "legal: the path of a trace, relative to the scenario file";
            return draft.refuse(&[FILE], format!("{shown}: {error}"), help);
        }
    };
    let given = draft.word(DIGEST);
    if !given.is_empty() && given != found {
        let what = format!("{shown} has digest {found}, not {given}");
        draft.refuse(&[DIGEST], what, "legal: the trace that was meant, or no digest");
    }
    draft.fill(DIGEST, found.as_str());
    draft.trace_path = Some(path);
}

/// The digest of a file, reckoned once as long as its size and the time of its last change stay.
fn digest(path: &Path) -> Result<String, String> {
    static KNOWN: Known<(PathBuf, u64, Option<SystemTime>), Result<String, String>> = Known::new();
    let of = |error: io::Error| error.to_string();
    let file = File::open(path).map_err(of)?;
    let about = file.metadata().map_err(of)?;
    let key = (path.to_owned(), about.len(), about.modified().ok());
    KNOWN.get(key, || fnv_1a(file).map_err(of))
}

/// FNV-1a of a file's bytes, eight at a time.
fn fnv_1a(mut file: File) -> io::Result<String> {
    const AT_ONCE: u64 = 1 << 20;
    let mut buffer = Vec::new();
    let (mut hash, mut bytes) = (0xcbf2_9ce4_8422_2325_u64, 0u64);
    let mut add = |word: u64| hash = (hash ^ word).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
    loop {
        buffer.clear();
        let filled = (&mut file).take(AT_ONCE).read_to_end(&mut buffer)? as u64;
        for chunk in buffer.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            add(u64::from_le_bytes(word));
        }
        bytes += filled;
        if filled < AT_ONCE {
            add(bytes);
            return Ok(format!("{hash:016x}"));
        }
    }
}

pub(crate) fn is_given(settings: &Settings) -> bool {
    settings.given(FILE) || settings.given(SYNTHETIC)
}

pub(crate) fn config(draft: &Draft, end: Tick) -> Option<TraceConfig> {
    if !is_given(draft) {
        let keys = SCENARIO.iter().map(|key| key.path);
        let mut of_trace = keys.filter(|path| path.starts_with("workload.trace."));
        let stray = of_trace.find(|path| draft.given(path))?;
        let help = format!("give {FILE} or {SYNTHETIC}");
        draft.refuse(&[stray], "it has no effect without a trace", help);
        return None;
    }
    if draft.given(FILE) && draft.given(SYNTHETIC) {
        let what = format!("both {FILE} and {SYNTHETIC} are given");
        draft.refuse(&[SYNTHETIC], what, "legal: one of them");
        return None;
    }
    let refuse = |(key, error): (String, SettingError)| {
        let what = format!("{} is not legal", error.given);
        draft.refuse(&[&key], what, format!("legal: {}", error.legal));
    };
    let (origin, options, mapping) = read(draft).map_err(refuse).ok()?;
    let (nodes, time_base) = (draft.end_nodes, draft.time_base?);
    let digest = draft.word(DIGEST).to_owned();
    Some(TraceConfig { origin: origin?, digest, options, mapping, nodes, time_base, end })
}

type Parts = (Option<Origin>, Options, Mapping);

/// The parts that the keys give, or the key that is wrong.
fn read(settings: &Settings) -> Result<Parts, (String, SettingError)> {
    let nodes = settings.end_nodes;
    let key = |name: &str| format!("workload.trace.{name}");
    let at = |error: SettingError| (key(error.key), error);
    let hosts = key("hosts");
    let mut mapping = match settings.number(&hosts) {
        Some(count) => Mapping::split(nodes, count),
        None => Mapping::halves(nodes),
    }
    .map_err(at)?;
    let list = settings.nodes(&hosts);
    if settings.given(&hosts) && !list.is_empty() {
        mapping.devices = (0..nodes).filter(|node| !list.contains(node)).collect();
        mapping.hosts = list;
    }
    let devices = settings.nodes(&key("devices"));
    if !devices.is_empty() {
        if !settings.given(&hosts) {
            mapping.hosts.retain(|node| !devices.contains(node));
        }
        mapping.devices = devices;
    }
    if let Some(bytes) = settings.integer(&key("request_bytes")) {
        mapping.request_bytes = bytes;
    }
    mapping.host_rule = settings.named(&key("host_rule"));
    let timing = Timing::default();
    mapping.timing = Timing {
        compression: settings.ratio(&key("compression")).unwrap_or(timing.compression),
        start_ns: settings.integer(&key("start_ns")).unwrap_or(0),
        end_ns: settings.integer(&key("end_ns")),
        repetitions: settings.integer(&key("repetitions")).unwrap_or(1),
    };
    mapping.check(nodes).map_err(at)?;
    let options = Options {
        format: settings.word(&key("format")).parse::<Format>().ok(),
        allow_truncated: settings.flag(&key("allow_truncated")),
        ..Options::default()
    };
    let wrong = |error| (SYNTHETIC.to_owned(), error);
    let origin = match settings.word(SYNTHETIC) {
        "" => settings.trace_path.clone().map(Origin::File),
        text => Some(Origin::Synthetic(text.parse().map_err(wrong)?)),
    };
    Ok((origin, options, mapping))
}

/// Reads the trace up to the end of the run, and adds it to a workload.
pub(crate) fn add(
    settings: &Settings,
    config: &TraceConfig,
    workload: &mut Workload,
) -> Result<(), ScenarioError> {
    let refuse = |what: String| {
        let help = "a trace that can be read; see `setaside trace`";
        ScenarioError { is_of_trace: true, ..settings.error(&[FILE], what, help) }
    };
    let has_after = config.checked().map_err(refuse)?.has_after;
    let again = config.clone();
    let open = move || Box::new(again.open()) as Messages;
    workload
        .add_trace(config.nodes, has_after, Arc::new(open))
        .map_err(|error| crate::traffic::located(settings, &error))
}

impl TraceConfig {
    pub(crate) fn checked(&self) -> Result<Checked, String> {
        static KNOWN: Known<String, Result<Checked, String>> = Known::new();
        KNOWN.get(format!("{} {self:?}", self.digest), || {
            let mut feed = self.open();
            let mut has_after = false;
            for message in &mut feed {
                has_after |= message?.after.is_some();
            }
            let cut = feed.cut;
            Ok(Checked { has_after, cut })
        })
    }

    fn open(&self) -> Feed {
        let (mapping, nodes) = (&self.mapping, self.nodes);
        let stream = match &self.origin {
            Origin::File(path) => {
                trace::open(path, &self.options, mapping, nodes).map_err(|e| e.to_string())
            }
            Origin::Synthetic(synthetic) => {
                trace::made(synthetic, mapping, nodes).map_err(|e| e.to_string())
            }
        };
        Feed {
            stream: Some(stream),
            config: self.clone(),
            counts: BTreeMap::new(),
            recent: VecDeque::new(),
            cut: None,
        }
    }
}

/// Messages of a trace in ticks, and how many messages of a pair have to arrive before.
struct Feed {
    /// None at the end.
    stream: Option<Result<Stream, String>>,
    config: TraceConfig,
    counts: BTreeMap<(u32, u32), u64>,
    /// The last messages: id, source, and their number among those of their pair.
    recent: VecDeque<(u64, u32, u64)>,
    /// Where the file is cut off, once that is reached and was allowed.
    cut: Option<String>,
}

impl Feed {
    fn message(&mut self) -> Result<Option<Given>, String> {
        let stream = match &mut self.stream {
            None => return Ok(None),
            Some(Err(error)) => return Err(error.clone()),
            Some(Ok(stream)) => stream,
        };
        let message = stream.next().transpose();
        let Some(message) = message.map_err(|error| error.to_string())? else {
            self.cut = stream.trace.truncated().map(|error| error.to_string());
            return Ok(None);
        };
        let back = stream.after_messages();
        let tick = match stream.trace.is_in_ticks() {
            true => Tick(message.time_ns),
            false => Tick(self.config.time_base.ns_to_ticks_ceil(message.time_ns).0),
        };
        if tick >= self.config.end {
            return Ok(None);
        }
        self.given(&message, tick, back).map(Some)
    }

    fn given(&mut self, message: &Message, tick: Tick, back: usize) -> Result<Given, String> {
        let (source, destination) = (message.source, message.destination);
        let bytes = u32::try_from(message.bytes).ok();
        let Some(bytes) = bytes.filter(|&bytes| bytes <= MESSAGE_BYTES_MAX) else {
            let (id, bytes) = (message.id, message.bytes);
            return Err(format!(
                "message {id} has {bytes} bytes; legal: at most {MESSAGE_BYTES_MAX}"
            ));
        };
        let after = message.after.and_then(|id| {
            let at = self.recent.binary_search_by_key(&id, |recent| recent.0).ok()?;
            let (_, from, number) = self.recent[at];
            Some((from, number))
        });
        let count = self.counts.entry((source, destination)).or_default();
        *count += 1;
        let number = *count;
        if self.recent.len() == back {
            self.recent.pop_front();
        }
        self.recent.push_back((message.id, source, number));
        Ok(Given { tick, source, destination, bytes, after })
    }
}

impl Iterator for Feed {
    type Item = Result<Given, String>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.message();
        if !matches!(next, Ok(Some(_))) {
            self.stream = None;
        }
        next.transpose()
    }
}
