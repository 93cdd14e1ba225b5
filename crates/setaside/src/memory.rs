//! What runs take of memory, and how much of it there is.

use plan::{ConfigError, FabricConfig, Layouts, MemoryLayout, params};
use std::fs;
use std::path::Path;
use units::PerNode;

// Bytes of a fabric's state, measured on 16 to 1,024 end nodes under load, and tested.

/// Of any run.
const BASE: u64 = 2 << 20;
/// Of a pair of end nodes: its statistics; of one of which none are made ([`PerNode`]).
const PAIR: u64 = 96;
const PAIR_NOT_MADE: u64 = 4;
/// Of a side of a port.
const SIDE: u64 = 900;
/// Of a queue of it.
const QUEUE: u64 = 18;
/// Of a SAQ of it, with its CAM line.
const SAQ: u64 = 190;
/// Of a cell of a memory, those that hold a packet and those that do not.
const CELL: u64 = 12;

/// Resident memory of a run, bytes, an estimate.
///
/// # Errors
/// What cannot be built.
pub(crate) fn of_run(config: &FabricConfig) -> Result<u64, ConfigError> {
    let params = &params(config)?;
    let graph = config.network.graph();
    let layouts = Layouts { params, graph };
    let side = |memory: MemoryLayout| {
        let [cells, queues, saqs] = [memory.cells, memory.queues, params.saqs()].map(u64::from);
        SIDE + cells * CELL + queues * QUEUE + saqs * SAQ
    };
    let nodes = graph.nodes() as u64;
    // Each node sends no more packets than its link carries.
    let packets = config.run.duration.0 / params.lengths(config.packet_bytes).link.0.max(1);
    let packets = usize::try_from(packets).unwrap_or(usize::MAX);
    let made = PerNode::<()>::made_at_most(graph.nodes(), packets) as u64;
    let mut all = BASE + nodes * (made * PAIR + (nodes - made) * PAIR_NOT_MADE);
    for s in 0..graph.switches() as u32 {
        for p in 0..graph.ports(s) as u8 {
            let sides = [layouts.ingress(s, p)?, layouts.egress(s, p)?];
            all += sides.into_iter().flatten().map(side).sum::<u64>();
        }
    }
    for node in 0..graph.nodes() as u32 {
        all += side(layouts.injection(node)?);
    }
    Ok(all)
}

/// Memory free for a run, bytes, within its control group; `u64::MAX` where nothing is known.
pub(crate) fn available() -> u64 {
    let root = Path::new("/");
    let groups = text(root, "proc/self/cgroup");
    let limits = groups.lines().filter_map(|line| left_in_group(root, line));
    limits.chain(mem_available(&text(root, "proc/meminfo"))).min().unwrap_or(u64::MAX)
}

fn text(root: &Path, path: &str) -> String {
    fs::read_to_string(root.join(path)).unwrap_or_default()
}

/// `MemAvailable:   12345 kB`.
fn mem_available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

/// What a line of `/proc/self/cgroup` (`0::/a/b`, or `4:memory:/a/b`) leaves, within the limits of
/// the groups above; in a container the path may begin further up than what is seen.
fn left_in_group(root: &Path, line: &str) -> Option<u64> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (controller, group) = (parts.next()?, parts.next()?.trim_start_matches('/'));
    let (top, most, now) = match controller {
        "" => ("sys/fs/cgroup", "memory.max", "memory.current"),
        "memory" => ("sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"),
        _ => return None,
    };
    let number = |dir: &Path, name: &str| -> Option<u64> {
        fs::read_to_string(dir.join(name)).ok()?.trim().parse().ok() // `max` is none
    };
    let left = |group: &Path| {
        let dir = root.join(top).join(group);
        Some(number(&dir, most)?.saturating_sub(number(&dir, now)?))
    };
    Path::new(group).ancestors().filter_map(left).min()
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenario::{Scenario, Set};

    /// Resident memory of this process, bytes.
    fn resident() -> u64 {
        let status = text(Path::new("/"), "proc/self/status");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
        kib.expect("Linux tells") << 10
    }

    // "an estimate of a run's memory before it starts it ... checked against measured RSS in a test
    // with a generous factor"
    #[cfg(target_os = "linux")]
    #[test]
    fn estimate_is_within_a_factor_of_what_a_run_takes() {
        const SCENARIO: &str = "[network]\ntopology = \"bmin\"\nnodes = 256\n\
            [voq_net]\nmemory = \"grow\"\n[workload]\nload = 1\n[run]\nduration_ns = 20_000\n";
        // Those that take most come last: what one has freed is there for the next.
        for (scheme, nodes) in [("recn", 256), ("recn", 512), ("voq-net", 512)] {
            let sets =
                [Set::new("switch.scheme", scheme), Set::new("network.nodes", &nodes.to_string())];
            let scenario = Scenario::parse(SCENARIO, "s.toml", None, &sets).expect("legal");
            let config = scenario.build().expect("it can be built");
            let before = resident();
            let mut run = fabric::Run::new(&config, fabric::Engine::Fast).expect("legal");
            run.step(units::Tick(10_000)).expect("no deadlock");
            let took = resident().saturating_sub(before);
            let estimate = of_run(&config).expect("legal");
            let ratio = estimate as f64 / took as f64;
            println!("{scheme}, {nodes} nodes: {estimate} estimated, {took} taken: {ratio:.2}");
            assert!((0.4..4.0).contains(&ratio), "{scheme}, {nodes}: {ratio:.2}");
            std::mem::forget(run); // else the next one takes what this one gives back
        }
    }

    // "the memory that is available (`MemAvailable`, cgroup limit)"
    #[test]
    fn least_of_the_limits_above_a_group_holds() {
        assert_eq!(mem_available("MemTotal: 9 kB\nMemAvailable:   2048 kB\n"), Some(2 << 20));
        let dir = tempfile::tempdir().expect("a folder");
        let put = |group: &str, most: &str, now: &str| {
            let at = dir.path().join("sys/fs/cgroup").join(group);
            fs::create_dir_all(&at).expect("made");
            fs::write(at.join("memory.max"), most).expect("written");
            fs::write(at.join("memory.current"), now).expect("written");
        };
        put("a/b", "max\n", "5\n");
        assert_eq!(left_in_group(dir.path(), "0::/a/b"), None);
        put("a", "100\n", "30\n");
        put("a/b", "90\n", "10\n");
        assert_eq!(left_in_group(dir.path(), "0::/a/b"), Some(70));
        assert_eq!(left_in_group(dir.path(), "0::/not/seen/here"), None);
        assert_eq!(left_in_group(dir.path(), "8:pids:/a"), None);
        let at = dir.path().join("sys/fs/cgroup/memory");
        fs::create_dir_all(&at).expect("made");
        fs::write(at.join("memory.limit_in_bytes"), "50\n").expect("written");
        fs::write(at.join("memory.usage_in_bytes"), "20\n").expect("written");
        assert_eq!(left_in_group(dir.path(), "4:memory:/x"), Some(30));
    }
}
