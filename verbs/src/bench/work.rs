//! The work that is measured: one line each.

/// Work whose instructions are counted, between two run lengths, so that start-up does not count.
pub(super) struct Instructions {
    pub(super) name: &'static str,
    pub(super) scenario: &'static str,
    pub(super) sets: &'static [&'static str],
    /// The two run lengths, ns.
    pub(super) between_ns: (u32, u32),
    /// At most so many instructions a packet-hop, where there is a goal.
    pub(super) goal: Option<u32>,
    /// Whether `--check` counts it.
    pub(super) checked: bool,
}

/// Work whose times stand in one table.
pub(super) struct Table {
    pub(super) title: &'static str,
    pub(super) what: &'static str,
    pub(super) rows: &'static [Time],
    /// The rows in turn, so many times; the median of each is taken.
    pub(super) rounds: usize,
    /// Takes minutes.
    pub(super) long: bool,
    /// Fails if the rows do not write the same results.
    pub(super) same_results: bool,
}

/// Work whose time is taken.
pub(super) struct Time {
    pub(super) name: &'static str,
    pub(super) scenario: &'static str,
    pub(super) sets: &'static [&'static str],
    pub(super) args: &'static [&'static str],
}

/// Work with observers and checks on and off.
pub(super) struct Observers {
    pub(super) name: &'static str,
    pub(super) scenario: &'static str,
    pub(super) sets: &'static [&'static str],
    pub(super) args: &'static [&'static str],
    pub(super) between_ns: (u32, u32),
    pub(super) program: Program,
}

/// Who runs it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Program {
    /// The release build.
    Setaside,
    /// A release build without the checks of the model's invariants.
    Unchecked,
    /// This program with an observer that counts packet-hops, and what its arguments say
    /// ([`mod@super::hops`]).
    Hops,
}

const BMIN: &str = "scenarios/speed/bmin-64-uniform.toml";
const BMIN_2048: &str = "scenarios/speed/bmin-2048-uniform.toml";
const TREES: &str = "scenarios/garcia-trees-2005/case-2.toml";
const LARGE_TREES: &str = "scenarios/garcia-trees-2005/case-6.toml";
const MESH: &str = "scenarios/garcia-mesh-2005/config-1-case-1.toml";

const RECN: &[&str] = &["switch.scheme=recn", "recn.saqs=8"];
/// The tree at once, and never over: all that is measured is within it.
const TREE: &[&str] = &[
    "workload.hot.start_ns=2000",
    "workload.hot.end_ns=1000000",
    "workload.hot.step_ns=100",
];
const SHORT: (u32, u32) = (20_000, 50_000);

pub(super) const INSTRUCTIONS: &[Instructions] = &[
    work("voq-sw, 64 nodes, load 0.5", BMIN, &[], SHORT).goal(1_150),
    work("recn, 8 SAQs, 64 nodes, load 0.5", BMIN, RECN, SHORT).goal(1_250),
    work("recn, 8 SAQs, 64 nodes, trees case 2", TREES, TREE, SHORT).goal(1_900),
    work(
        "voq-sw, 64 nodes, load 0.05",
        BMIN,
        &["workload.load=0.05"],
        (50_000, 200_000),
    )
    .goal(1_300),
    work(
        "recn, 8 SAQs, mesh 16 x 16, load 0.1",
        MESH,
        &["workload.load=0.1"],
        (10_000, 20_000),
    )
    .checked(),
    work(
        "voq-sw, 512 nodes, load 0.5",
        BMIN,
        &["network.nodes=512"],
        (2_000, 4_000),
    )
    .checked(),
    work(
        "voq-sw, mesh 16 x 16, load 0.1",
        MESH,
        &["switch.scheme=voq-sw", "workload.load=0.1"],
        (10_000, 20_000),
    ),
    work("1q, 64 nodes, load 0.5", BMIN, &["switch.scheme=1q"], SHORT),
    work(
        "voq-net, 64 nodes, load 0.5",
        BMIN,
        &["switch.scheme=voq-net"],
        SHORT,
    ),
    work(
        "voq-sw, 64 nodes, load 0.95",
        BMIN,
        &["workload.load=0.95"],
        SHORT,
    )
    .goal(1_300),
    work(
        "recn-dd-iq, 64 nodes, load 0.5",
        "scenarios/priya-recn-iq-2017/bmin-64.toml",
        &["workload.load=0.5"],
        SHORT,
    ),
];

/// Work whose instructions are told by part.
pub(super) const PARTS: &[Instructions] = &[
    work("voq-sw", BMIN, &[], PROFILED),
    work("recn", BMIN, RECN, PROFILED),
];
const PROFILED: (u32, u32) = (20_000, 60_000);

/// Work whose cache misses are simulated. The tree of trees case 6 starts at 800 us: before that
/// its traffic is uniform.
pub(super) const MISSES: &[Instructions] = &[
    work("voq-sw, 64 nodes", BMIN, &[], PROFILED),
    work("voq-sw, 2048 nodes", BMIN_2048, &[], (1_500, 2_500)),
    work(
        "trees case 6 before its tree",
        LARGE_TREES,
        &[],
        (1_500, 2_500),
    ),
    work(
        "trees case 6 with its tree, from 0.5 us on",
        LARGE_TREES,
        &["workload.hot.start_ns=500", "workload.hot.end_ns=1000000"],
        (6_000, 7_000),
    ),
];

/// Work without a goal, which `--check` leaves out.
const fn work(
    name: &'static str,
    scenario: &'static str,
    sets: &'static [&'static str],
    between_ns: (u32, u32),
) -> Instructions {
    Instructions {
        name,
        scenario,
        sets,
        between_ns,
        goal: None,
        checked: false,
    }
}

impl Instructions {
    const fn checked(self) -> Instructions {
        Instructions {
            checked: true,
            ..self
        }
    }

    /// What has a goal is checked too.
    const fn goal(self, most: u32) -> Instructions {
        Instructions {
            goal: Some(most),
            ..self.checked()
        }
    }
}

pub(super) const OBSERVERS: &[Observers] = &[
    with(
        "as it is: statistics, event hash and invariants",
        &[],
        Program::Setaside,
    ),
    with("without statistics and event hash", &[], Program::Hops),
    with(
        "without statistics, with the event hash",
        &["--observer", "hash"],
        Program::Hops,
    ),
    with(
        "statistics, without the event hash",
        &["--observer", "statistics"],
        Program::Hops,
    ),
    with(
        "without the invariants left out by `--cfg setaside_unchecked`",
        &[],
        Program::Unchecked,
    ),
    with("with `--record`", &["--record"], Program::Setaside),
];

const fn with(name: &'static str, args: &'static [&'static str], program: Program) -> Observers {
    Observers {
        name,
        scenario: BMIN,
        sets: RECN,
        args,
        between_ns: SHORT,
        program,
    }
}

const fn timed(
    name: &'static str,
    scenario: &'static str,
    sets: &'static [&'static str],
    args: &'static [&'static str],
) -> Time {
    Time {
        name,
        scenario,
        sets,
        args,
    }
}

macro_rules! nodes {
    ($($nodes:literal, $ns:literal;)*) => {
        &[$(timed(
            concat!($nodes, " nodes"),
            BMIN,
            &[concat!("network.nodes=", $nodes), concat!("run.duration_ns=", $ns), "run.warmup_ns=500", "network.turnpool=extended"],
            &[],
        )),*]
    };
}

macro_rules! loads {
    ($($load:literal, $ns:literal;)*) => {
        &[$(timed(
            concat!("load ", $load),
            BMIN,
            &[concat!("workload.load=", $load), concat!("run.duration_ns=", $ns), "run.warmup_ns=500"],
            &[],
        )),*]
    };
}

pub(super) static NODES: Table = Table {
    title: "Nodes",
    what: "`voq-sw`, BMIN, load 0.5.",
    rows: nodes! {
        64, 400_000;
        128, 200_000;
        256, 80_000;
        512, 40_000;
        1024, 20_000;
        2048, 10_000;
    },
    rounds: 3,
    long: false,
    same_results: false,
};

pub(super) static LOADS: Table = Table {
    title: "Load",
    what: "`voq-sw`, BMIN of 64 nodes.",
    rows: loads! {
        0.05, 2_000_000;
        0.1, 1_000_000;
        0.25, 400_000;
        0.5, 200_000;
        0.75, 150_000;
        0.95, 100_000;
    },
    rounds: 3,
    long: false,
    same_results: false,
};

static TOPOLOGIES: Table = Table {
    title: "Other topologies",
    what: "256 nodes; X-Y routing.",
    rows: &[
        timed(
            "mesh 16 x 16, voq-sw, load 0.1",
            MESH,
            &[
                "switch.scheme=voq-sw",
                "workload.load=0.1",
                "run.duration_ns=60000",
                "run.warmup_ns=500",
            ],
            &[],
        ),
        timed(
            "mesh 16 x 16, recn, load 0.1",
            MESH,
            &[
                "workload.load=0.1",
                "run.duration_ns=60000",
                "run.warmup_ns=500",
            ],
            &[],
        ),
    ],
    rounds: 3,
    long: false,
    same_results: false,
};

macro_rules! fat_trees {
    ($($nodes:literal, $n:literal, $ns:literal;)*) => {
        &[$(timed(
            concat!("4-ary ", $n, "-tree of ", $nodes, " nodes"),
            BMIN,
            &["network.topology=k-ary-n-tree", "network.k=4", concat!("network.n=", $n), concat!("network.nodes=", $nodes),
              "network.turnpool=extended", concat!("run.duration_ns=", $ns), "run.warmup_ns=500"],
            &[],
        )),*]
    };
}

static FAT_TREES: Table = Table {
    title: "Fat trees",
    what: "`voq-sw`, load 0.5: the networks of the comparison with other simulators.",
    rows: fat_trees! {
        64, 3, 200_000;
        1024, 5, 20_000;
        4096, 6, 5_000;
    },
    rounds: 3,
    long: false,
    same_results: false,
};

const THREADED: &[&str] = &["run.duration_ns=60000", "run.warmup_ns=500"];

pub(super) static THREADS: Table = Table {
    title: "Threads",
    what: "`voq-sw`, BMIN of 2048 nodes, load 0.5, 60 us. All result files are the same to the byte.",
    rows: &[
        timed("one thread", BMIN_2048, THREADED, &[]),
        timed("two threads", BMIN_2048, THREADED, &["--threads", "2"]),
    ],
    rounds: 5,
    long: false,
    same_results: true,
};

pub(super) static LARGEST: Table = Table {
    title: "The largest run",
    what: "2048 nodes, trees case 6, 1600 us, `recn`.",
    rows: &[timed("one thread", LARGE_TREES, &[], &[])],
    rounds: 1,
    long: true,
    same_results: false,
};

pub(super) static TABLES: [&Table; 6] =
    [&NODES, &LOADS, &TOPOLOGIES, &FAT_TREES, &THREADS, &LARGEST];

/// Work that two programs are compared by.
pub(super) const AGAINST: &[Time] = &[
    timed(
        "voq-sw, 64 nodes, 40 us",
        BMIN,
        &["run.duration_ns=40000", "run.warmup_ns=0"],
        &[],
    ),
    timed(
        "voq-sw, 2048 nodes, 6 us",
        BMIN_2048,
        &["run.duration_ns=6000", "run.warmup_ns=0"],
        &[],
    ),
    timed(
        "trees case 6 before its tree, 6 us",
        LARGE_TREES,
        &["run.duration_ns=6000"],
        &[],
    ),
    timed(
        "trees case 6 with its tree, 20 us",
        LARGE_TREES,
        &[
            "run.duration_ns=20000",
            "workload.hot.start_ns=2000",
            "workload.hot.end_ns=1000000",
        ],
        &[],
    ),
];

/// The study that is run with one run at a time and with as many as there are cores.
pub(super) const STUDY: &str = "scenarios/studies/saq-sizing.toml";
