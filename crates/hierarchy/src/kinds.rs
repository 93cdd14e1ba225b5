//! What a scenario may choose (spec: rsi.md).

use units::named;

named! {
    /// Routing (key `routing.algorithm`).
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Algorithm: "routing algorithm" {
        /// A shortest way by T1 and T2.
        #[default]
        Minimal = "minimal",
        /// Minimal, or one misroute where the minimal port is busy (lai-rsi).
        Lar = "lar",
        /// Through a random super node.
        Valiant = "valiant",
        /// Through a random node.
        ValiantNode = "valiant-node",
        /// Minimal or `valiant`, by the counters at the source (UGAL-L).
        UgalL = "ugal-l",
    }
}

named! {
    /// How many local ports a table entry has (key `routing.local_routes`).
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum LocalRoutes: "local routes" {
        /// All that are on a shortest way.
        #[default]
        AllMinimal = "all-minimal",
        /// The one of dimension order.
        DimensionOrder = "dimension-order",
    }
}

named! {
    /// How the VC follows from the hops taken (key `routing.vc_scheme`).
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum VcScheme: "VC scheme" {
        /// Local: D x local groups + local hops in this one; global: global hops.
        #[default]
        HopCount = "hop-count",
        /// Local: local groups + local misroutes; global: global hops. Needs dimension order.
        GlobalCount = "global-count",
        /// Local: 0 on the first local hop in a super node, then 1; global: global hops. Deadlocks.
        PaperLiteral = "paper-literal",
    }
}

named! {
    /// When a router decides (key `routing.lar_decision`).
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum LarDecision: "LAR decision" {
        /// Once, as the packet arrives.
        #[default]
        Arrival = "arrival",
        /// Again and again while the packet is at the head of its queue.
        Head = "head",
    }
}

named! {
    /// What the counter Q of an egress port counts, in cells (key `routing.lar_counter`).
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum LarCounter: "LAR counter" {
        /// Packets that were assigned to the port and have not started.
        #[default]
        Requests = "requests",
        /// Credit in use behind the port.
        Credits = "credits",
        /// Heads that request the port now, and credit in use behind it.
        RequestsAndCredits = "requests+credits",
    }
}

named! {
    /// Which of several minimal ports (key `routing.selection`).
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Selection: "selection" {
        /// The lowest Q, then the lowest port.
        #[default]
        LeastQueued = "least-queued",
        /// The lowest port.
        First = "first",
        /// Any, with equal probability.
        Random = "random",
    }
}
