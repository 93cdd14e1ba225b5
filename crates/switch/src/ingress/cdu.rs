//! CDU: detects congestion on arrivals, and where it is. Detection queues are one way to find
//! the congested output at an ingress, "not mandatory" (garcia-trees-2005), counters of the cold
//! queue another: this file is the place for more.

use recn::{IngressDetection, RecnConfig, Rules};
use units::{PortId, QueueId};

use super::ppu::COLD;

/// The congestion detection unit of one ingress port.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Cdu {
    rules: Option<Rules>,
    /// `recn-dd-iq`: packets in the cold queue, by output.
    cold_by_output: Box<[u32]>,
}

impl Cdu {
    /// Of a switch with so many ports.
    pub fn new(rules: Option<Rules>, ports: usize) -> Cdu {
        let counts = rules.is_some_and(Rules::moves);
        Cdu { rules, cold_by_output: vec![0; if counts { ports } else { 0 }].into() }
    }

    /// A packet for `output` was stored in a queue that is no SAQ and now holds so many packets.
    /// Whether that is congestion.
    ///
    /// ```
    #[doc = include_str!("../of_examples.txt")]
    /// let config = recn_config(); // detection at 3 packets
    /// // `recn`: a detection queue for each output.
    /// let mut cdu = Cdu::new(Some(Rules::of(Version::Enhanced)), 8);
    /// assert!(!cdu.stored(PortId(1), 2, &config) && cdu.stored(PortId(1), 3, &config));
    /// // `recn-dd-iq`: what counts is how many of the cold queue go to one output.
    /// let mut cdu = Cdu::new(Some(Rules::of(Version::DdIq)), 8);
    /// let outputs = [1, 2, 1, 1].map(PortId);
    /// let found = outputs.map(|output| cdu.stored(output, 40, &config));
    /// assert_eq!(found, [false, false, false, true]);
    /// ```
    pub fn stored(&mut self, output: PortId, packets: u32, config: &RecnConfig) -> bool {
        let Some(rules) = self.rules else {
            return false;
        };
        let packets = match rules.ingress_detection {
            IngressDetection::None => return false,
            IngressDetection::Swap => packets,
            IngressDetection::Count => {
                let count = &mut self.cold_by_output[output.index()];
                *count += 1;
                *count
            }
        };
        rules.detects_at_ingress(packets, config)
    }

    /// A packet for `output` left `queue`.
    pub fn left(&mut self, queue: QueueId, output: PortId) {
        if queue == COLD && !self.cold_by_output.is_empty() {
            self.cold_by_output[output.index()] -= 1;
        }
    }
}
