//! Rules broken on purpose, each of which must be caught, else the exploration shows nothing; and
//! how they are broken between the steps of a commit: the production code is not touched, what goes
//! into it or comes out of it is, and the ports that it works on.

use super::commit::NOW;
use super::events::Commit;
use super::network::{PORTS, width};
use super::state::{Fault, Port};
use flow_control::Control;
use recn::commit::{At, Effect};
use recn::{Internal, InternalKind, ProtocolError, RecnConfig};
use turnpool::Point;
use units::bits::ones;
use units::{LineId, PortId, QueueId};

macro_rules! mutants {
    ($($mutant:ident = $what:literal,)+) => {
        /// A rule that is broken.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Mutant {
            $(#[doc = $what] $mutant),+
        }

        /// All, each in one line.
        pub const MUTANTS: &[(Mutant, &str)] = &[$((Mutant::$mutant, $what)),+];
    };
}

mutants! {
    MarkerOmitted = "no marker where the host is a normal queue",
    NestedMarkerOmitted = "no marker where the host is the SAQ of a less specific point",
    SwapOmitted = "the detection queue stays what it is as its root is found",
    FreedNotReady = "a SAQ is freed without the R bit",
    FreedNotLeaf = "a SAQ is freed that is not a leaf",
    FreedBlocked = "a SAQ is freed although it is blocked",
    TimerForgotten = "the end of the SAQ timer is not looked at",
    TokenLost = "a token over a link is not sent",
    TokenTwice = "a token over a link is sent twice",
    InternalTokenLost = "a token inside a switch is not sent",
    NackForgotten = "a refusal over a link is not answered",
    RefusalForgotten = "a refusal inside a switch is taken for a child",
    AdoptionForgotten = "an adopted root owes no token",
    XonLost = "Xon over a link is not sent",
    InternalXonLost = "Xon inside a switch is not sent",
    XoffBehindNotificationOmitted = "a notification is not followed by the Xoff in force",
    ColdHeadGoes = "the head of the cold queue goes although it matches a line",
    LineKept = "Xon leaves the line without a queue at its output",
}

/// A queue that is always ready.
const NORMAL: QueueId = QueueId(0);

impl Mutant {
    /// Before step 5: messages that are lost.
    pub(super) fn before_messages(self, messages: &mut Vec<Internal>) {
        if self == Mutant::InternalXonLost {
            messages.retain(|message| message.kind != InternalKind::Xon);
        }
    }

    /// A line was allocated: the marker that is left out waits for nothing.
    pub(super) fn allocated(self, port: &mut Port, line: LineId) {
        let Some(host) = port.queues.host(line) else {
            return;
        };
        let omitted = match port.recn.line(host) {
            None => self == Mutant::MarkerOmitted,
            Some(_) => self == Mutant::NestedMarkerOmitted,
        };
        if omitted {
            let_pass(port, line);
        }
    }

    /// Before step 7: what must not be freed appears free, where that frees it.
    pub(super) fn before_free(self, port: &mut Port, config: &RecnConfig) -> Result<(), Fault> {
        let checks = port.recn.clone().take_checks(false) & port.recn.cam().valid();
        for line in ones(checks).map(LineId::at) {
            let mut changed = port.clone();
            self.change(&mut changed, line, config)?;
            if changed.recn == port.recn || !changed.recn.may_free(&port.queues, line, NOW, config)
            {
                continue;
            }
            if self == Mutant::FreedBlocked {
                port.recn.free(line)?;
            }
            port.recn = changed.recn;
        }
        Ok(())
    }

    /// Makes a line appear ready, a leaf, or open.
    fn change(
        self,
        port: &mut Port,
        line: LineId,
        config: &RecnConfig,
    ) -> Result<(), ProtocolError> {
        let point = port.recn.cam().point(line);
        let registers = *port.recn.registers(line);
        match self {
            Mutant::FreedNotReady if !port.recn.cam().ready(line) => {
                let_pass(port, line);
                port.recn.settle_marked(&mut port.queues, false)?;
            }
            Mutant::FreedNotLeaf => {
                if registers.notified {
                    port.recn.ingress_control(Control::Token(point), NOW, config)?;
                }
                for input in ones(registers.children).map(PortId::at) {
                    // No turn in front: the point is as this port names it.
                    port.recn.internal_token(point, 0, input)?;
                }
            }
            Mutant::FreedBlocked if port.recn.cam().blocked(line) => {
                port.recn.flow(&point, false)?;
            }
            _ => {}
        }
        Ok(())
    }
}

/// The marker of `line` goes where the next step 6 consumes it.
fn let_pass(port: &mut Port, line: LineId) {
    port.queues.put_ahead(line, NORMAL);
    port.recn.head_left(&port.queues, NORMAL);
}

impl Commit<'_> {
    /// What a mutant does as a step has had an effect.
    pub(super) fn carry_mutated(&mut self, mutant: Mutant, effect: Effect) {
        let result = match effect {
            Effect::Allocated(input, line, _) => {
                if let Some(unit) = self.unit_at(At::Ingress(input)) {
                    mutant.allocated(self.state.port(unit), line);
                }
                Ok(())
            }
            Effect::Refused(input, point) if mutant == Mutant::RefusalForgotten => {
                self.take_for_child(input, point)
            }
            Effect::Sent(egress, Control::Notification(point))
                if mutant == Mutant::AdoptionForgotten =>
            {
                self.forget_adoption(egress, point);
                Ok(())
            }
            _ => Ok(()),
        };
        if let Err(error) = result {
            self.state.fault = Some(error.into());
        }
    }

    /// The notification that an ingress port has refused counts as a child.
    fn take_for_child(&mut self, input: PortId, point: Point) -> Result<(), ProtocolError> {
        let turn = point.first(width());
        let output = turnpool::forward(u32::from(input.0), turn, PORTS);
        let Some(unit) = self.lines_at(PortId::at(output as usize)) else {
            return Ok(());
        };
        let recn = &mut self.state.port(unit).recn;
        let rest = point.without_first(width());
        let line = rest.and_then(|rest| recn.cam().find(&rest));
        let queue = line.map_or(NORMAL, |line| recn.queue(line));
        recn.child_accepted(queue, input).map(drop)
    }

    /// No token is due for the line that `egress` notified if an earlier commit has allocated it.
    fn forget_adoption(&mut self, egress: PortId, point: Point) {
        let turn = |input| turnpool::turn(input, u32::from(egress.0), PORTS);
        let inputs = (0..PORTS).filter(|&input| turn(input) == point.first(width()));
        for input in inputs.map(|input| PortId::at(input as usize)) {
            let Some(unit) = self.unit_at(At::Ingress(input)) else {
                continue;
            };
            let recn = &mut self.state.port(unit).recn;
            if let Some(line) = recn.cam().find(&point)
                && recn.registers(line).allocated != NOW
            {
                recn.registers_mut(line).owned = false;
            }
        }
    }
}
