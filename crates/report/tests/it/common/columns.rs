//! Columns of a made-up sweep.

/// Name, heading, unit, digits, in the short table, and of a latency the column with the share that
/// had not arrived.
pub type Column = (&'static str, &'static str, &'static str, usize, bool, Option<&'static str>);
pub const COLUMNS: [Column; 20] = [
    ("delivered_bytes_per_ns", "delivered", "B/ns", 2, true, None),
    ("of_ideal", "of ideal", "", 3, true, None),
    ("relative_throughput", "of topology max", "", 3, false, None),
    ("before_bytes_per_ns", "before", "B/ns", 2, true, None),
    ("during_bytes_per_ns", "during", "B/ns", 2, true, None),
    ("worst_dip_bytes_per_ns", "worst dip", "B/ns", 2, true, None),
    ("after_bytes_per_ns", "after", "B/ns", 2, true, None),
    ("victims_during_bytes_per_ns", "victims during", "B/ns", 2, true, None),
    ("victims_worst_dip_bytes_per_ns", "victims worst dip", "B/ns", 2, true, None),
    ("flows_starved", "starved", "flows", 0, true, None),
    ("halves_differ", "halves differ", "1: yes", 2, false, None),
    ("saqs_peak_ingress", "SAQs in", "peak", 0, true, None),
    ("saqs_peak_egress", "SAQs out", "peak", 0, true, None),
    ("saq_refusals", "refused", "SAQs", 0, true, None),
    ("latency_p99_ns", "message p99", "ns", 0, true, Some("latency_undelivered")),
    ("latency_mean_ns", "message mean", "ns", 0, false, Some("latency_undelivered")),
    ("offered_bytes_per_ns", "offered", "B/ns", 2, false, None),
    ("latency_undelivered", "undelivered", "share", 3, false, None),
    ("port_control_bits", "control / port", "bit", 0, true, None),
    ("switch_control_bits", "control / switch", "bit", 0, false, None),
];
