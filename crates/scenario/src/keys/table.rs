//! The table itself. A new key is one line here and its reading in `resolve`.

use super::{Fallback, Key, Kind};
use Fallback::{Flag, Integer, Ns, Ratio, Required, Rule, Unset, Word};

const fn key(
    path: &'static str,
    kind: Kind,
    fallback: Fallback,
    unit: &'static str,
    doc: &'static str,
) -> Key {
    Key { path, kind, fallback, unit, doc }
}

pub(crate) const fn integer(min: u64, max: u64) -> Kind {
    Kind::Integer { min, max, why: "", word: "" }
}

const fn integer_or(min: u64, max: u64, word: &'static str) -> Kind {
    Kind::Integer { min, max, why: "", word }
}

const fn word(legal: &'static [&'static str]) -> Kind {
    Kind::Word(legal)
}

/// What the tables of all pairs of nodes bound networks to.
const NODES_MAX: u64 = topology::NODES_MAX as u64;

/// TOML integers have 64 bits with a sign.
const SEED_MAX: u64 = i64::MAX as u64;

/// An hour: what no run reaches, yet far from the end of 64 bits of ticks.
const NS_MAX: u64 = 3_600_000_000_000;

const PACKETS_MAX: u64 = 65_534;

/// Legal values of `run.until.metric`; see [`crate::Until::is_of_victims`].
pub(crate) const METRICS: &[&str] =
    &["delivered_bytes_per_ns", "victims.delivered_bytes_per_ns", "none"];

/// Every key of a scenario outside of the groups of sources, by section.
#[rustfmt::skip]
pub(crate) const SCENARIO: &[Key] = &[
    key("network.topology", word(&[
        "single-switch", "bmin", "k-ary-n-tree", "mesh", "torus", "dumbbell", "parking-lot", "file",
        "dragonfly", "rsi-hypercube", "rsi-slimfly", "rsi-butterfly",
    ]), Required, "", "How switches and end nodes are connected"),
    key("network.nodes", Kind::Integer { min: 1, max: NODES_MAX, why: topology::NODES_MAX_REASON, word: "" }, Rule("single-switch: switch.ports or 16; elsewhere what the topology has"), "",
        "End nodes; of a bmin a power of two from 4 on"),
    key("network.width", integer(1, 256), Unset("mesh only"), "", "Switches of a mesh along x"),
    key("network.height", integer(1, 256), Rule("mesh: network.width"), "", "Switches of a mesh along y"),
    key("network.dimensions", Kind::Dimensions, Unset("torus only"), "", "Switches of a torus by dimension"),
    key("network.nodes_per_switch", integer(1, 62), Rule("mesh, torus: 1"), "",
        "End nodes at each switch of a mesh or torus; at most 64 less two a dimension"),
    key("network.inputs", integer(1, 61), Unset("dumbbell only"), "", "Nodes at each switch of a dumbbell beside the victim's and the outputs"),
    key("network.switches", integer(1, NODES_MAX - 1), Unset("parking-lot only"), "", "Switches of a parking lot, each with one source"),
    key("network.k", integer(2, 32), Unset("k-ary-n-tree only"), "", "Down ports of a switch of a k-ary n-tree"),
    key("network.n", integer(1, 12), Unset("k-ary-n-tree only"), "", "Stages of a k-ary n-tree"),
    key("network.file", Kind::Text, Unset("file only"), "",
        "Edge list, CSV a,a_port,b,b_port,latency_ns,rate_bytes_per_ns; the path is relative to the scenario file; a rate other than link.rate_bytes_per_ns is not modelled yet"),
    key("network.edges", Kind::Text, Rule("file: the text of network.file"), "",
        "Edge list as text, in the place of network.file"),
    key("network.super_nodes", integer(1, topology::TABLE_NODES_MAX as u64), Unset("hierarchical topologies only"), "",
        "Super nodes of a hierarchical topology (dragonfly, rsi-hypercube, rsi-slimfly, rsi-butterfly)"),
    key("network.links_per_pair", integer(1, 64), Rule("palm-tree wirings: 1"), "",
        "Global links between any two super nodes"),
    key("network.wiring", word(topology::GlobalWiring::NAMES), Rule("hierarchical topologies: palm-tree-spread"), "",
        "Which global port of which node joins which super nodes: one link a node in turn (spread), node by node (packed), or as listed"),
    key("network.global_links_file", Kind::Text, Unset("wiring = \"from-file\" only"), "",
        "Global links, CSV a_super_node,a_node,a_port,b_super_node,b_node,b_port, ports counted from the first global one; the path is relative to the scenario file"),
    key("network.global_links", Kind::Text, Rule("from-file: the text of network.global_links_file"), "",
        "Global links as text, in the place of network.global_links_file"),
    key("network.turnpool", word(&["as31", "extended"]), Rule("as31; hierarchical topologies have none"), "",
        "Turn pool of the route header: 31 bits as in AS, or 128; not checked with routing.algorithm = \"table\""),
    key("switch.organisation", word(plan::Organisation::NAMES), Rule("cioq; hierarchical topologies: iq"), "", "Which ports have memories"),
    key("switch.scheme", word(plan::SchemeKind::NAMES), Rule("1q; hierarchical topologies: that of switch.queues"), "",
        "Queue scheme of every port"),
    key("switch.queues", word(&["voq-per-vc", "fifo-per-vc"]), Rule("hierarchical topologies: voq-per-vc, or by switch.scheme"), "",
        "Input queues of a VC in a hierarchical network: one for each output (scheme voq-per-vc), or one FIFO (scheme 1q)"),
    key("switch.speedup", Kind::Ratio, Ratio(1, 1), "", "Rate of the crossbar in link rates, exact: \"3/2\" or 1.5"),
    key("switch.ports", integer(1, 64), Rule("what the topology has; single-switch: network.nodes or 16"), "",
        "Ports of a switch; elsewhere than in a single switch only a check"),
    key("switch.port_memory_bytes", integer(1, u32::MAX as u64), Rule("32768; hierarchical topologies: 64 packets a VC"), "bytes",
        "Data memory of one port"),
    key("switch.cell_bytes", integer(1, 65_535), Integer(64), "bytes", "Unit in which port memory is given out"),
    key("switch.arbiter", Kind::Arbiter, Rule("round-robin; hierarchical topologies: maximum-matching"), "", "Crossbar arbiter"),
    key("switch.wait_bound_packets",
        integer_or(1, PACKETS_MAX, "none"),
        Rule("8 times the ports of the largest switch"), "packet times",
        "A head that has requested for longer than this has its input and output reserved"),
    key("switch.saq_priority", word(plan::SaqPriority::NAMES), Word("bounded"), "",
        "Whether the waiting bound holds for SAQs, or normal queues always go first"),
    key("switch.crossbar_overhead_bytes", integer(0, 65_535), Integer(0), "bytes",
        "What each packet pays on the crossbar beside its own bytes"),
    key("switch.switching", word(plan::Switching::NAMES), Word("virtual-cut-through"), "",
        "Whether a transfer may start before the whole packet is stored"),
    key("switch.vcs", integer(1, topology::VCS_MAX as u64), Rule("1; hierarchical topologies: as many as the routing needs"), "",
        "Virtual channels of a link, each with its share of the port memory and its own credits; a torus needs 2"),
    key("switch.input_multicast_read", Kind::Flag, Rule("false"), "",
        "iq with oldest-first: one input memory can feed several outputs at once"),
    key("switch.max_bypass", integer_or(0, PACKETS_MAX, "any"), Rule("any"), "packets",
        "Older packets of its virtual channel in an input memory that a packet may pass"),
    key("switch.forwarding_ns", Kind::Ns, Unset("the sum of the stages"), "ns",
        "iq: from the head of a packet at an input to its head on the link; sets switch.stages.route"),
    key("switch.stages.route", integer(0, 1000), Integer(1), "link-phit times", "Routing unit: output port from the header"),
    key("switch.stages.lookup", integer(0, 1000), Integer(1), "link-phit times", "CAM lookup"),
    key("switch.stages.enqueue", integer(1, 1000), Integer(1), "link-phit times", "Write into the port memory"),
    key("switch.stages.arbitration", integer(1, 1000), Integer(1), "link-phit times", "From a stored head to the start of its transfer"),
    key("switch.stages.crossbar", integer(1, 1000), Integer(1), "link-phit times", "From the start of a transfer to the head at the output side"),
    key("switch.stages.credit_return", integer(0, 1000), Integer(1), "link-phit times", "From a received credit packet to usable credit"),
    key("dbbm.queues", integer(1, NODES_MAX), Integer(8), "", "Queues Q of dbbm: destination modulo Q"),
    key("voq_sw.output", word(plan::VoqSwOutput::NAMES), Word("look-ahead"), "", "Output side of voq-sw"),
    key("voq_net.memory", word(plan::VoqNetMemory::NAMES), Word("fixed"), "",
        "Where the share of a voq-net queue is below two packets: refused (fixed), or two packets a queue (grow)"),
    key("recn.saqs", integer(0, 64), Integer(8), "", "SAQs and CAM lines of a port"),
    key("recn.detection_packets", integer(0, PACKETS_MAX), Unset("sets both of the next two"), "packets",
        "Detection threshold at egress and ingress"),
    key("recn.detection_egress_packets", integer(0, PACKETS_MAX), Rule("recn.detection_packets, else by organisation and port memory"),
        "packets", "Egress detection fires above this"),
    key("recn.detection_ingress_packets", integer(0, PACKETS_MAX), Rule("recn.detection_packets, else by organisation and port memory"),
        "packets", "Ingress detection fires at this"),
    key("recn.propagation_packets", integer(0, PACKETS_MAX), Rule("by organisation and port memory, at most recn.xoff_packets"),
        "packets", "A SAQ above this notifies upstream"),
    key("recn.xoff_packets", integer(1, PACKETS_MAX), Rule("by organisation and port memory"), "packets", "A SAQ that reaches this sends Xoff"),
    key("recn.xon_packets", integer(0, PACKETS_MAX), Rule("by organisation and port memory, at most half of recn.xoff_packets"),
        "packets", "A SAQ that falls to this sends Xon"),
    key("recn.xon_edge", word(&["reached", "below"]), Word("reached"), "", "Xon where xon_packets is reached, or only below"),
    key("recn.saq_timer_ns", Kind::Ns, Ns(1000), "ns", "A SAQ is not freed before this age"),
    key("recn.retry_ns", Kind::Ns, Ns(1000), "ns", "A notification refused over a link is not repeated before this"),
    key("recn.xoff_repeat_ns", Kind::Ns, Ns(1000), "ns", "DD versions: Xoff is repeated on arrivals at most once in this time"),
    key("recn.ppu_interval_ns", Kind::Ns, Rule("one link-phit time"), "ns", "recn-dd-iq: the PPU moves at most one packet in this time"),
    key("recn.iq_egress_lines", Kind::Flag, Flag(false), "", "recn-dd-iq: outputs have CAM lines without queues"),
    key("recn.root_xoff_packets", integer_or(1, PACKETS_MAX, "off"), Word("off"), "packets",
        "recn-basic, recn: Xoff from the congested egress queue of a root to its ingress SAQs, Xon at half"),
    key("pfc.queues", word(plan::PfcQueues::NAMES), Rule("pfc: 1q"), "",
        "Queues of a VC: one FIFO, or at inputs one for each output"),
    key("pfc.xoff_bytes", integer(1, u32::MAX as u64), Rule("pfc: what the memory of a VC holds beside the headroom"), "bytes",
        "PAUSE when so much of a VC is stored at an input; what may come after that must fit too"),
    key("pfc.xon_bytes", integer(0, u32::MAX as u64), Rule("pfc: two of the largest packets below pfc.xoff_bytes"), "bytes",
        "RESUME when no more than this is left"),
    key("pfc.pause_bytes", integer(1, 65_535), Rule("pfc: 64"), "bytes", "PAUSE and RESUME on the link"),
    key("pfc.quanta_ns", Kind::Ns, Rule("pfc: 0"), "ns",
        "A PAUSE runs out after this and is repeated before; 0: it lasts until RESUME"),
    key("link.rate_bytes_per_ns", Kind::Rate, Ratio(1, 1), "bytes/ns",
        "Rate of every link; an edge list may repeat it, but a link of another rate is not modelled yet"),
    key("link.phit_bytes", integer(1, 1024), Integer(2), "bytes", "What a link moves at once"),
    key("link.wire_ns", Kind::Ns, Ns(10), "ns", "Wire latency of every link that has none of its own"),
    key("link.control_packet_bytes", integer(0, 65_535), Integer(6), "bytes", "Control packet on the link; 0 = out of band"),
    key("link.named_control_bytes", integer(0, 65_535), Rule("link.control_packet_bytes"), "bytes",
        "Xoff, Xon, notification, token and NACK on the link; 0 = out of band"),
    key("link.packet_bytes", integer(1, 65_535), Integer(64), "bytes", "Largest packet; longer messages are cut"),
    key("routing.algorithm", word(&["turns", "table", "minimal", "lar", "valiant", "valiant-node", "ugal-l"]),
        Rule("turns; hierarchical topologies: minimal"), "",
        "Where a switch finds the egress port: in the turns of the header, or in a table of the ingress port; in hierarchical topologies by the tables T1 and T2: the minimal ports, or LAR, or through a random super node or node, or UGAL-L"),
    key("routing.vc_scheme", word(hierarchy::VcScheme::NAMES), Rule("hierarchical topologies: hop-count"), "",
        "VC of each hop in a hierarchical topology"),
    key("routing.local_routes", word(hierarchy::LocalRoutes::NAMES), Rule("hierarchical topologies: all-minimal"), "",
        "Local ports of an entry of T1 and T2: all minimal ones, or the one of dimension order"),
    key("routing.selection", word(hierarchy::Selection::NAMES), Rule("hierarchical topologies: least-queued"), "",
        "Which of several minimal ports"),
    key("routing.threshold", Kind::Part, Rule("lar: 0.6"), "of the memory of a VC",
        "Th of LAR: a port whose counter Q is below it is not busy"),
    key("routing.lar_decision", word(hierarchy::LarDecision::NAMES), Rule("hierarchical topologies: arrival"), "",
        "When a router chooses the port: as the packet arrives, or again and again at the head of its queue"),
    key("routing.lar_counter", word(hierarchy::LarCounter::NAMES), Rule("hierarchical topologies: requests"), "",
        "What the counter Q of an egress port counts"),
    key("routing.allow_deadlock", Kind::Flag, Rule("hierarchical topologies: false"), "",
        "Run although the routes can deadlock; a run that stops ends with a deadlock at its time"),
    key("routing.up_choice", word(&["destination", "source"]), Rule("destination; hierarchical topologies have none"), "",
        "Which address picks the up ports of bmin and k-ary-n-tree"),
    key("endnode.admittance_bytes", integer_or(1, u32::MAX as u64, "unbounded"), Integer(4096), "bytes",
        "Bound of each admittance queue"),
    key("endnode.admittance_arbiter", word(plan::AdmittanceArbiter::NAMES), Word("round-robin"), "",
        "Which admittance queue moves to injection next"),
    key("endnode.reply_vcs", Kind::Flag, Flag(false), "",
        "Replies have as many virtual channels of their own"),
    key("endnode.reorder_buffer", Kind::Flag, Rule("hierarchical topologies: false"), "",
        "Packets that come before an earlier one of their flow wait for it"),
    key("workload.load", Kind::Share, Rule("0 where a group of sources is given; else required"), "of link rate",
        "Load of each random source: the nodes of no other group"),
    key("workload.pattern", word(workload::Pattern::NAMES), Word("uniform"), "", "Destinations of the random sources"),
    key("workload.destinations", Kind::Nodes, Unset("all nodes"), "",
        "Destinations of the random sources: candidates of uniform, list of hot and fixed"),
    key("workload.self", Kind::Flag, Flag(false), "", "Nodes may send to themselves"),
    key("workload.arrivals", word(workload::Arrivals::NAMES), Word("fixed-interval"), "", "Arrival process"),
    key("workload.message_bytes", Kind::Sizes, Rule("link.packet_bytes"), "bytes", "Lengths of messages"),
    key("workload.generator", word(plan::GeneratorRule::NAMES), Word("drop"), "",
        "A message that finds its admittance queue full is refused (drop) or waits (delayed)"),
    key("workload.trace.file", Kind::Text, Unset("no trace"), "",
        "Trace of I/O or of messages, relative to the scenario file; docs: traces.md"),
    key("workload.trace.synthetic", Kind::Text, Unset("no made workload"), "",
        "A made bursty I/O workload in the place of a file: \"bias=0.8,bytes_per_s=4000000000\""),
    key("workload.trace.digest", Kind::Text, Rule("that of the file"), "",
        "Digest of the file; another file is refused"),
    key("workload.trace.format", word(trace::Format::NAMES), Unset("found from the contents"), "", "Format of the file"),
    key("workload.trace.hosts", Kind::Sources, Unset("half of the nodes"), "",
        "How many nodes are hosts, the first ones, or which"),
    key("workload.trace.devices", Kind::Nodes, Unset("all other nodes"), "", "Which nodes are devices"),
    key("workload.trace.host_rule", word(trace::HostRule::NAMES), Unset("origin"), "",
        "Host of a record: by its machine and process, or by device and number of the record"),
    key("workload.trace.request_bytes", integer(1, workload::MESSAGE_BYTES_MAX as u64), Unset("64"), "bytes",
        "Length of a request, and of the acknowledgement of a write"),
    key("workload.trace.compression", Kind::Ratio, Unset("1"), "", "Times of the trace are divided by it"),
    key("workload.trace.start_ns", integer(0, i64::MAX as u64), Unset("0"), "ns", "What is before this time of the trace is left out"),
    key("workload.trace.end_ns", integer(1, i64::MAX as u64), Unset("its end"), "ns", "What is from this time of the trace on is left out"),
    key("workload.trace.repetitions", integer(1, u32::MAX as u64), Unset("1"), "", "How often that part is played"),
    key("workload.trace.allow_truncated", Kind::Flag, Unset("false"), "", "A file that is cut off ends before what is cut off"),
    key("run.duration_ns", Kind::Ns, Required, "ns", "Simulated time"),
    key("run.drain_ns", Kind::Ns, Rule("a tenth of run.duration_ns"), "ns",
        "Time after the run in which messages of the measured time may still arrive: traffic goes on, of which nothing is counted but their latencies, and it ends with the last of them"),
    key("run.warmup_ns", Kind::Ns, Ns(0), "ns", "Time before measurement starts"),
    key("run.seed", integer(0, SEED_MAX), Integer(1), "", "Seed of every random stream"),
    key("run.series_bin_ns", Kind::Ns, Ns(10_000), "ns", "Bin of the time series"),
    key("run.watchdog_ns", Kind::Ns, Ns(100_000), "ns", "How often the watchdog looks for packets that can never move again"),
    key("run.until.metric", word(METRICS), Unset("the run takes run.duration_ns"), "",
        "The run ends when the interval of the mean of this is narrow enough, after run.duration_ns at the latest; warm-up and duration are found, and steady traffic is needed"),
    key("run.until.half_width", Kind::Part, Rule("with run.until.metric: 0.01"), "of the mean", "Half of that interval, below 1"),
    key("run.until.confidence", Kind::Part, Rule("with run.until.metric: 0.95"), "", "Confidence of that interval, below 1"),
    key("ecn.marking", word(ecn::marking::Marking::NAMES), Rule("with ECN: none; dcqcn: red"), "",
        "Which packets a switch marks; ECN is on where any key of this section is given"),
    key("ecn.output_threshold_packets", integer(1, PACKETS_MAX), Unset("input-output-triggered only"), "packets",
        "More data packets than this waiting for an output are marked"),
    key("ecn.input_threshold_packets", integer(1, PACKETS_MAX), Unset("when there is no room for another packet"), "packets",
        "Packets in an input memory (a share of it) from which on every arrival makes an event"),
    key("ecn.buffer_packets", integer(1, PACKETS_MAX), Unset("switch.cell_bytes and switch.port_memory_bytes"), "packets",
        "Slots of a port, each for one packet of any length: sets switch.cell_bytes and switch.port_memory_bytes"),
    key("ecn.cut_through_occupies_slot", Kind::Flag, Rule("with marks at inputs: false"), "",
        "A packet that starts as soon as its forwarding delay ends counts as buffered and waiting"),
    key("ecn.calm_ns", Kind::Ns, Rule("with marks at inputs: 0"), "ns",
        "No marks for a link that had no credit for a packet within this time; 0 = whatever the link"),
    key("ecn.red_kmin_bytes", integer(0, u32::MAX as u64), Rule("red: 1000 for each byte/ns of the link, at least one packet"), "bytes",
        "Below this no packet is marked"),
    key("ecn.red_kmax_bytes", integer(0, u32::MAX as u64), Rule("red: 40000 for each byte/ns of the link, at least one packet"), "bytes",
        "Above this every packet is marked"),
    key("ecn.red_pmax", Kind::Part, Rule("red: 0.01"), "", "Probability of a mark at ecn.red_kmax_bytes"),
    key("ecn.response", word(ecn::response::Algorithm::NAMES), Rule("with ECN: none"), "",
        "How the rate of a flow answers marks"),
    key("ecn.rate_ratio", integer(1, ecn::response::RATIO_MAX as u64), Rule("lipd, fimd, aimd: 512"), "",
        "M: the rate of the link over the lowest rate of a flow"),
    key("ecn.initial_rate", Kind::Part, Rule("lipd, fimd, aimd: 1"), "of link rate",
        "Rate of a flow that has sent nothing, from 1/ecn.rate_ratio on"),
    key("ecn.waits_until", word(ecn::marking::WaitsUntil::NAMES), Rule("with marks at inputs: start"), "",
        "A packet counts as waiting for its output until it starts, or until its tail has left"),
    key("ecn.window", integer_or(1, u32::MAX as u64, "unbounded"), Rule("with ECN: 1"), "packets",
        "Packets of a flow that may be without an ACK"),
    key("ecn.ack_bytes", integer(1, 65_535), Rule("with ECN: 20"), "bytes", "Length of an ACK"),
    key("dcqcn.cnp_interval_ns", Kind::Ns, Rule("dcqcn: 50000"), "ns",
        "A destination sends at most one CNP a flow in this time; 0: one for each marked packet"),
    key("dcqcn.cnp_bytes", integer(1, 65_535), Rule("dcqcn: 20"), "bytes", "Length of a CNP"),
    key("dcqcn.g", Kind::Part, Rule("dcqcn: 1/256"), "", "Weight of a CNP in alpha"),
    key("dcqcn.alpha_timer_ns", Kind::Ns, Rule("dcqcn: 55000"), "ns", "alpha falls when no CNP has come for so long"),
    key("dcqcn.rate_timer_ns", Kind::Ns, Rule("dcqcn: 55000"), "ns", "Time from event to event of increase"),
    key("dcqcn.byte_counter_bytes", integer(1, 1 << 40), Rule("dcqcn: 10000000"), "bytes", "Bytes from event to event of increase"),
    key("dcqcn.fast_recovery", integer(0, u32::MAX as u64), Rule("dcqcn: 5"), "events",
        "F: so many events of the timer, and of the byte counter, raise the rate half way back"),
    key("dcqcn.additive_increase", Kind::Part, Rule("dcqcn: 1/1000"), "of link rate", "R_AI, an event of additive increase"),
    key("dcqcn.hyper_increase", Kind::Part, Rule("dcqcn: 1/100"), "of link rate", "R_HAI, an event of hyper increase"),
    key("dcqcn.lowest_rate", Kind::Part, Rule("dcqcn: 1/1000"), "of link rate", "A CNP lowers a rate no further"),
    key("faults.protocol", word(hierarchy::recovery::Protocol::NAMES), Rule("where anything fails: per-entry"), "",
        "How routers tell each other of faults"),
    key("faults.tables", word(plan::FaultTables::NAMES), Rule("where anything fails: pruned"), "",
        "Tables after a fault: the configured minimal ports less the dead, or shortest paths on what is left"),
    key("faults.notice_ns", Kind::Ns, Rule("where anything fails: 10000"), "ns",
        "Closed loops and reorder buffers hear of lost packets in every multiple of this"),
    key("faults.link_mtbf_ns", Kind::Ns, Unset("links do not fail at random"), "ns",
        "Mean time between failures of each link between switches"),
    key("faults.link_mttr_ns", Kind::Ns, Unset("with faults.link_mtbf_ns only"), "ns", "Mean time to repair a link"),
    key("faults.node_mtbf_ns", Kind::Ns, Unset("nodes do not fail at random"), "ns",
        "Mean time between failures of each node: a switch with all its links"),
    key("faults.node_mttr_ns", Kind::Ns, Unset("with faults.node_mtbf_ns only"), "ns", "Mean time to repair a node"),
    key("faults.start_ns", Kind::Ns, Rule("with random faults: 0"), "ns", "Nothing fails at random before this"),
    key("faults.end_ns", Kind::Ns, Rule("with random faults: run.duration_ns"), "ns", "Nothing fails at random from this on"),
];

/// The keys of a failure or recovery at a given time, each `[[faults.event]]`.
#[rustfmt::skip]
pub(crate) const EVENT: &[Key] = &[
    key("at_ns", Kind::Ns, Required, "ns", "When it happens"),
    key("link", Kind::Link, Unset("instead: node"), "",
        "The link behind a port of a switch, both ways: [switch, port], local ports first, then global ones"),
    key("node", integer(0, NODES_MAX - 1), Unset("instead: link"), "", "A node: a switch with all its links"),
    key("recovers", Kind::Flag, Flag(false), "", "It works again; else it fails"),
];

/// The keys of a group of sources: `[workload.hot]` (no name) and each `[[workload.group]]`.
#[rustfmt::skip]
pub(crate) const GROUP: &[Key] = &[
    key("name", Kind::Text, Required, "", "Name of the group in results"),
    key("load", Kind::Share, Ratio(1, 1), "of link rate", "Load of each source while it is active"),
    key("pattern", word(workload::Pattern::NAMES), Word("hot"), "", "How destinations are chosen; hot: source j to number j mod their count"),
    key("destinations", Kind::Nodes, Unset("all nodes; required by hot and fixed"), "", "Destinations"),
    key("sources", Kind::Sources, Unset("instead: share"), "", "How many sources, or which nodes"),
    key("share", Kind::Share, Unset("instead: sources"), "of the nodes", "Sources as a share of the nodes, rounded down"),
    key("placement", word(workload::Placement::NAMES), Word("spread"), "", "Where sources are that are given by number or share"),
    key("start_ns", integer(0, NS_MAX), Integer(0), "ns", "Start of the first source"),
    key("end_ns", integer(0, NS_MAX), Unset("the end of the run"), "ns", "End of the first source"),
    key("step_ns", integer(0, NS_MAX), Integer(0), "ns", "Source j starts and ends j times this later; 0: all at once"),
    key("arrivals", word(workload::Arrivals::NAMES), Rule("workload.arrivals"), "", "Arrival process"),
    key("message_bytes", Kind::Sizes, Rule("workload.message_bytes"), "bytes", "Lengths of messages"),
    key("reply_bytes", integer(1, workload::MESSAGE_BYTES_MAX as u64), Unset("no replies"), "bytes",
        "Each message is a request; its destination answers with a reply of this length"),
    key("reply_delay_ns", integer(0, NS_MAX), Unset("0"), "ns", "From the ejection of a request to its reply"),
    key("window", integer(0, u32::MAX as u64), Unset("0"), "requests",
        "Requests that each source may have outstanding; 0: an open loop"),
    key("think_ns", integer(0, NS_MAX), Unset("0"), "ns", "With a window: from a reply to the next request"),
];

/// The keys of hot spots that move, `[workload.moving]`; those of [`GROUP`] mean the same.
#[rustfmt::skip]
pub(crate) const MOVING_KEYS: &[Key] = &[
    key("load", Kind::Share, Ratio(1, 1), "of link rate", "Load of each source while it has a hot destination"),
    key("destinations", Kind::Nodes, Required, "", "Destinations in the order in which they become hot; a node that stands twice is hot twice"),
    key("overlap", integer(1, u32::MAX as u64), Integer(1), "",
        "How many are hot at a time: destination i takes from the sources j with j mod overlap = i mod overlap"),
    key("sources", Kind::Sources, Rule("all; instead: share"), "",
        "How many sources, or which nodes, in the order of j; a source that is the destination itself is an error in a list, and else sends nothing meanwhile"),
    key("share", Kind::Share, Unset("instead: sources"), "of the nodes", "Sources as a share of the nodes, rounded down"),
    key("placement", word(workload::Placement::NAMES), Word("spread"), "", "Where sources are that are given by number or share"),
    key("start_ns", integer(0, NS_MAX), Integer(0), "ns", "When the first destination becomes hot"),
    key("dwell_ns", integer(1, NS_MAX), Required, "ns", "For how long each is hot"),
    key("period_ns", integer(0, NS_MAX), Rule("dwell_ns / overlap: sources turn from one to the next without a pause"), "ns",
        "From one becoming hot to the next; 0, all at once, only with up to overlap destinations"),
    key("arrivals", word(workload::Arrivals::NAMES), Rule("workload.arrivals"), "", "Arrival process"),
    key("message_bytes", Kind::Sizes, Rule("workload.message_bytes"), "bytes", "Lengths of messages"),
];

/// The keys of `[windows]`: any name.
#[rustfmt::skip]
pub(crate) const WINDOW: Key = key("windows.NAME_ns", Kind::Span, Unset("before, during and after, where groups of sources start or stop"),
    "ns", "Window of time [start, end) that results are counted in apart; NAME of letters, digits, - and _");

#[rustfmt::skip]
pub(crate) const TARGET: &[Key] = &[
    key("metric", word(&["victims", "all"]), Rule("victims; all where no destination is hot"), "",
        "Flows whose throughput is judged"),
    key("window", Kind::Text, Rule("during, where there is a tree, else the measured time"), "",
        "The window that is judged: one of the scenario, or measured"),
    key("at_least_percent", Kind::Ratio, Rule("98"), "percent of the reference", "What is enough, up to 100"),
    key("within_percent", Kind::Ratio, Rule("2"), "percent of the reference",
        "The same as what may be missing, below 100; in the place of at_least_percent"),
    key("reference", Kind::Text, Rule("best"), "",
        "best: that of the whole study; offered; possible: what routes and links allow; or a queue scheme of the study"),
    key("p99_times", Kind::Ratio, Rule("2"), "",
        "Enough is a p99 latency of up to so many times that of the reference, from 1 on"),
    key("p99_ns", Kind::Ratio, Unset("p99_times"), "ns",
        "Enough is a p99 latency of up to so much; in the place of p99_times"),
];

#[rustfmt::skip]
pub(crate) const SLURM: &[Key] = &[
    key("partition", Kind::Text, Rule("that of the cluster"), "", "Partition, or several apart by commas"),
    key("account", Kind::Text, Rule("that of the user"), "", "Account that is charged"),
    key("time_minutes", integer(1, 1_000_000), Rule("that of the partition"), "minutes", "Limit of a task's time"),
    key("memory_mb", integer(1, 100_000_000), Rule("that of the partition"), "MiB", "Memory of a task"),
    key("cpus", integer(1, 1024), Integer(1), "", "Cores of a task, and its runs side by side"),
    key("extra", Kind::Text, Unset("none"), "", "Further options of sbatch, apart by blanks, such as --qos=long"),
    key("runs_per_task", integer(1, 100_000), Rule("some minutes' worth, by a short probe"), "",
        "Runs of a task"),
    key("tries", integer(1, 1_000), Integer(3), "", "How often a task is handed out before its runs count as failed"),
    key("poll_seconds", integer(1, 3_600), Integer(5), "s", "Time between two looks at the queue and at results"),
];

/// Tables of a study file.
pub(crate) const STUDY_NAMES: &[&str] =
    &["study", "target", "slurm", "set", "axes", "zip", "size", "only", "skip"];
