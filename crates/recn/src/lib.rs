//! RECN: set-aside queues named by points of the network (spec: recn.md).
//!
//! [`RecnPort`] is one port's share of the protocol: CAM, line registers, and every decision about
//! them, as functions of the port alone. Who carries messages between ports is the switch
//! ([`crate::Switch`]), the link, or a model checker.

mod egress;
mod ingress;
mod life_cycle;
mod port;
mod queues;
mod rules;

pub use egress::{Message, Received};
pub use ingress::{Detection, Met, Says};
pub use life_cycle::{Illegal, LifeEvent, LifeState, Row, TABLE_DD, TABLE_TOKENS, table};
pub use port::{Answer, Freed, Line, ProtocolError, RecnPort};
pub use queues::MarkedQueues;
pub use rules::{IngressDetection, Rules};
