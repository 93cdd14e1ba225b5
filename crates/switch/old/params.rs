//! What follows from the configuration, computed once.

use crate::config::{Organisation, RecnConfig, SchemeKind, SwitchConfig, Switching, VoqNetMemory};
use crate::recn::{IngressDetection, Rules};
use crate::scheme::{PortView, QueueScheme, Scheme};
use units::{Ticks, TimeBase};

/// A switch that cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A queue's share of the memory does not hold enough packets.
    #[error(
        "{scheme}: {queues} queues share {memory_bytes} bytes, {share_cells} cells each; a queue needs at least {needed_cells} cells{hint}"
    )]
    ShareTooSmall {
        /// Queue scheme.
        scheme: SchemeKind,
        /// Queues of the port.
        queues: u32,
        /// Memory of the port.
        memory_bytes: u32,
        /// Cells of each queue.
        share_cells: u32,
        /// Cells it needs.
        needed_cells: u32,
        /// What may help.
        hint: &'static str,
    },
    /// The memory has more cells than next-slot registers can name.
    #[error("a port memory of {cells} cells; legal: at most {limit}")]
    TooManyCells {
        /// Cells wanted.
        cells: u64,
        /// Most cells.
        limit: u32,
    },
    /// More queues than a port can name.
    #[error("{queues} queues a port; legal: at most {limit}")]
    TooManyQueues {
        /// Queues wanted.
        queues: u32,
        /// Most queues.
        limit: u32,
    },
    /// A watchdog that would take a healthy network for a dead one.
    #[error("a watchdog of {given} ticks; legal: at least {least} ticks")]
    ShortWatchdog {
        /// Ticks wanted.
        given: Ticks,
        /// The least.
        least: Ticks,
    },
    /// Two settings that exclude each other.
    #[error("{what}")]
    Impossible {
        /// What does not go together, and what is legal.
        what: String,
    },
}

/// Largest number of cells of one port memory.
pub const CELLS_MAX: u32 = 65_534;

/// Cells or queues as credit counters have them: layouts were checked against [`CELLS_MAX`] and [`QUEUES_MAX`].
pub(crate) fn short(number: u32) -> u16 {
    u16::try_from(number).expect("at most CELLS_MAX cells and QUEUES_MAX queues")
}
/// Largest number of queues of one port, SAQs included.
pub const QUEUES_MAX: u32 = 65_000;

/// Stage latencies in ticks, added up where no unit looks in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageTicks {
    /// Head at the input pin to head stored (`oq`: in the output memory).
    pub ingress: Ticks,
    /// Start on the crossbar to head stored at the output (`iq`: at the link).
    pub egress: Ticks,
    /// Head stored to the earliest start of its next transfer.
    pub arbitration: Ticks,
    /// Credit packet received to credit usable.
    pub credit_return: Ticks,
    /// Message generated to packet ready for injection.
    pub injection: Ticks,
}

/// One memory: how many cells and queues, and how they are shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryLayout {
    /// Cells of the pool.
    pub cells: u32,
    /// Normal queues.
    pub queues: u32,
    /// Credit classes: 1, or one a queue.
    pub classes: u32,
    /// Cells of each class.
    pub class_cells: u32,
}

/// What a packet takes, by its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PacketLengths {
    /// Cells of a memory.
    pub cells: u32,
    /// On a link.
    pub link_ticks: Ticks,
    /// On the crossbar, overhead included.
    pub crossbar_ticks: Ticks,
}

impl PacketLengths {
    fn new(config: &SwitchConfig, time_base: &TimeBase, bytes: u32) -> PacketLengths {
        let overhead = config.crossbar_overhead_bytes;
        PacketLengths {
            cells: bytes.div_ceil(config.cell_bytes),
            link_ticks: time_base.link_ticks(bytes),
            crossbar_ticks: crossbar::crossbar_length_ticks(time_base, bytes, overhead),
        }
    }
}

/// Everything that all switches and end nodes of a fabric read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Params {
    /// As configured.
    pub config: SwitchConfig,
    /// The queue scheme.
    pub scheme: Scheme,
    /// Whether every queue has its own credits, see [`QueueScheme::per_queue_credits`].
    pub per_queue_credits: bool,
    /// Whether transfers wait for the tail.
    pub store_and_forward: bool,
    /// Present when the scheme has SAQs.
    pub recn: Option<RecnConfig>,
    /// Rules of the RECN version, present with `recn`.
    pub rules: Option<Rules>,
    /// What may be taken of a memory so that no congestion is detected.
    pub quiet_cells: QuietCells,
    /// Stage latencies.
    pub stages: StageTicks,
    /// How long a head may request before it is overdue; the largest number without a bound.
    pub wait_bound: Ticks,
    /// Ticks of a phit on a link.
    pub link_phit: Ticks,
    /// Ticks of a phit on the crossbar.
    pub crossbar_phit: Ticks,
    /// Ticks of a credit packet on a link; 0 = out of band.
    pub credit_ticks: Ticks,
    /// Ticks of any other control packet on a link; 0 = out of band.
    pub named_ticks: Ticks,
    /// Largest packet, bytes.
    pub packet_bytes: u32,
    /// What that takes.
    packet_lengths: PacketLengths,
    /// End nodes of the network.
    pub nodes: u32,
    /// Time base.
    pub time_base: TimeBase,
}

/// A memory of which fewer cells than these are taken, those of the packet that comes included, cannot come to detect
/// congestion or say Xoff by what is stored in its normal queues, however the cells are cut into packets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuietCells {
    /// At an ingress port.
    pub ingress: u32,
    /// At an egress port.
    pub egress: u32,
}

impl QuietCells {
    fn of(config: &SwitchConfig) -> QuietCells {
        let Some(rules) = Rules::of(config.scheme) else {
            return QuietCells {
                ingress: u32::MAX,
                egress: u32::MAX,
            };
        };
        let recn = &config.recn;
        let ingress = match rules.ingress_detection {
            IngressDetection::None => u32::MAX,
            IngressDetection::Swap | IngressDetection::Count => recn.detection_ingress_packets,
        };
        let root_xoff = recn.root_xoff_packets.unwrap_or(u32::MAX);
        let egress = recn.detection_egress_packets.saturating_add(1);
        QuietCells {
            ingress,
            egress: egress.min(root_xoff),
        }
    }
}

impl Params {
    /// Checks what does not depend on a port and computes the rest.
    ///
    /// # Errors
    /// [`ConfigError::Impossible`] for combinations that exclude each other.
    pub fn new(
        config: &SwitchConfig,
        time_base: TimeBase,
        control_packet_bytes: u32,
        named_control_bytes: u32,
        packet_bytes: u32,
        nodes: u32,
    ) -> Result<Params, ConfigError> {
        let impossible = |what: &str| {
            Err(ConfigError::Impossible {
                what: what.to_string(),
            })
        };
        let speedup_one = time_base.link_phit_ticks() == time_base.crossbar_phit_ticks();
        match config.organisation {
            Organisation::Iq if !speedup_one => {
                return impossible("organisation `iq` has no speedup; legal: 1");
            }
            Organisation::Cioq if config.scheme == SchemeKind::RecnDdIq => {
                return impossible(
                    "scheme `recn-dd-iq` has memories at inputs only; legal organisation: iq",
                );
            }
            Organisation::Iq | Organisation::Oq
                if Rules::of(config.scheme).is_some_and(|r| !r.moves()) =>
            {
                return impossible(
                    "this scheme needs memories at inputs and outputs; legal organisation: cioq",
                );
            }
            Organisation::Oq if config.scheme != SchemeKind::OneQueue => {
                return impossible(
                    "organisation `oq` is the reference for theory; legal scheme: 1q",
                );
            }
            _ => {}
        }
        if (control_packet_bytes == 0) != (named_control_bytes == 0) {
            return impossible(
                "credit packets and named control packets are both in band or both out of band (0)",
            );
        }
        if config.vcs != 1 {
            return impossible(
                "more than one virtual channel needs a routing that uses them; legal: 1",
            );
        }
        let s = config.stages;
        let p = time_base.link_phit_ticks();
        if s.enqueue == 0 || s.arbitration == 0 || s.crossbar == 0 {
            return impossible(
                "stages enqueue, arbitration and crossbar take at least 1 link-phit time",
            );
        }
        let (route, lookup, enqueue) = (
            u64::from(s.route),
            u64::from(s.lookup),
            u64::from(s.enqueue),
        );
        let crossbar = u64::from(s.crossbar);
        let (ingress, egress) = match config.organisation {
            Organisation::Cioq => (route + lookup + enqueue, crossbar + lookup + enqueue),
            Organisation::Iq => (route + lookup + enqueue, crossbar),
            Organisation::Oq => (route + crossbar + lookup + enqueue, 0),
        };
        Ok(Params {
            scheme: Scheme::new(config),
            per_queue_credits: Scheme::new(config).per_queue_credits(),
            store_and_forward: config.switching == Switching::StoreAndForward,
            recn: Rules::of(config.scheme).map(|_| config.recn),
            rules: Rules::of(config.scheme),
            quiet_cells: QuietCells::of(config),
            stages: StageTicks {
                ingress: ingress * p,
                egress: egress * p,
                arbitration: u64::from(s.arbitration) * p,
                credit_return: u64::from(s.credit_return) * p,
                injection: (lookup + enqueue) * p,
            },
            wait_bound: config.wait_bound_packets.map_or(Ticks::MAX, |packets| {
                u64::from(packets) * time_base.link_ticks(packet_bytes)
            }),
            link_phit: p,
            crossbar_phit: time_base.crossbar_phit_ticks(),
            credit_ticks: time_base.link_ticks(control_packet_bytes),
            named_ticks: time_base.link_ticks(named_control_bytes),
            packet_bytes,
            packet_lengths: PacketLengths::new(config, &time_base, packet_bytes),
            nodes,
            time_base,
            config: config.clone(),
        })
    }

    /// See [`crate::Env::is_plain`].
    pub fn is_plain(&self) -> bool {
        self.recn.is_none() && self.config.organisation == Organisation::Cioq
    }

    /// Whether heads may be stored when somebody looks, where no SAQ can come of it: see [`crate::Env::stores_late`].
    pub fn may_store_late(&self) -> bool {
        self.config.organisation == Organisation::Cioq && !self.rules.is_some_and(Rules::moves)
    }

    /// What a packet of `bytes` takes. Nearly all are as large as a packet may be: that needs no division.
    #[inline]
    pub fn lengths(&self, bytes: u32) -> PacketLengths {
        if bytes == self.packet_bytes {
            self.packet_lengths
        } else {
            PacketLengths::new(&self.config, &self.time_base, bytes)
        }
    }

    /// SAQs of each port.
    pub fn saqs(&self) -> u32 {
        self.recn.map_or(0, |r| u32::from(r.saqs))
    }

    /// Memory of an ingress port.
    ///
    /// # Errors
    /// A share that is too small, too many cells or queues.
    pub fn ingress_layout(&self, port: PortView) -> Result<MemoryLayout, ConfigError> {
        self.layout(self.scheme.ingress_queues(port), 1)
    }

    /// Memory of an egress port or of the injection side of an end node.
    ///
    /// # Errors
    /// A share that is too small, too many cells or queues.
    pub fn egress_layout(&self, port: PortView) -> Result<MemoryLayout, ConfigError> {
        self.layout(
            self.scheme.egress_queues(port),
            self.scheme.egress_memory_divisor(port),
        )
    }

    /// Receive memory of an end node: one queue.
    pub fn receive_cells(&self) -> u32 {
        self.config.port_memory_bytes / self.config.cell_bytes
    }

    fn layout(&self, queues: u32, divisor: u32) -> Result<MemoryLayout, ConfigError> {
        let packet_cells = self.packet_lengths.cells;
        let voq_net = self.config.scheme == SchemeKind::VoqNet;
        if queues + self.saqs() > QUEUES_MAX {
            return Err(ConfigError::TooManyQueues {
                queues,
                limit: QUEUES_MAX,
            });
        }
        let classes = if self.per_queue_credits { queues } else { 1 };
        let mut cells = u64::from(self.config.port_memory_bytes / self.config.cell_bytes / divisor);
        let needed = if voq_net {
            2 * packet_cells
        } else {
            packet_cells
        };
        if voq_net && self.config.voq_net_memory == VoqNetMemory::Grow {
            cells = cells.max(u64::from(needed) * u64::from(queues));
        }
        if cells > u64::from(CELLS_MAX) {
            return Err(ConfigError::TooManyCells {
                cells,
                limit: CELLS_MAX,
            });
        }
        let cells = cells as u32;
        let class_cells = cells / classes;
        if class_cells < needed {
            return Err(ConfigError::ShareTooSmall {
                scheme: self.config.scheme,
                queues: classes,
                memory_bytes: self.config.port_memory_bytes,
                share_cells: class_cells,
                needed_cells: needed,
                hint: if voq_net {
                    "; `voq_net.memory = \"grow\"` gives two packets a queue"
                } else {
                    ""
                },
            });
        }
        Ok(MemoryLayout {
            cells,
            queues,
            classes,
            class_cells,
        })
    }
}
