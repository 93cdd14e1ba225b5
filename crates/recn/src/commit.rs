//! Steps 5 to 8 of the commit (spec: clock.md): the messages between the ports of a switch.
//! The switch runs these steps on its ports and memories, the model checker on its own.

use crate::{
    Answer, Freed, Internal, InternalKind, MarkedQueues, Met, ProtocolError, RecnConfig, RecnPort,
};
use flow_control::Control;
use turnpool::Point;
use units::bits::ones;
use units::{LineId, PortId, QueueId, Tick};

/// One side of a port of the switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum At {
    /// Where packets come in.
    Ingress(PortId),
    /// Where packets go out.
    Egress(PortId),
}

/// A broken invariant of the protocol, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{error} at {at:?}")]
pub struct CommitError {
    /// Where.
    pub at: At,
    /// What.
    pub error: ProtocolError,
}

/// What a step does beside its changes of CAM, lines and markers, carried out at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// A message went from this egress port to one ingress port, or a token back; the point as
    /// the ingress port names it.
    Sent(PortId, Control),
    /// A SAQ was allocated at an ingress port: its timer runs, a cold head may match it.
    Allocated(PortId, LineId, Point),
    /// An ingress port had no free SAQ.
    Refused(PortId, Point),
    /// The head of a queue may request from now on, or not any more.
    Changed(At, QueueId),
    /// A SAQ was freed.
    Freed(At, Freed),
    /// A line that may be freed in the next tick, at an egress port.
    Leaf(PortId),
}

/// The ports of a switch, as steps 5 to 8 see them.
pub trait Ports {
    /// The queues of a port memory.
    type Queues: MarkedQueues;
    /// How many ports there are.
    fn ports(&self) -> usize;
    /// Width of the turns in the switch.
    fn width(&self) -> u32;
    /// Whether it is known of a side that nothing is to be settled or freed there.
    fn is_idle(&self, _at: At) -> bool {
        false
    }
    /// CAM, lines and queues of one side of a port; `None` where there are no SAQs with queues.
    fn side(&mut self, at: At) -> Option<(&mut RecnPort, &mut Self::Queues)>;
    /// CAM and lines of an egress port, with queues or without.
    fn lines(&mut self, egress: PortId) -> Option<&mut RecnPort>;
    /// The normal queue of an ingress port for packets to an output.
    fn normal_queue(&self, output: PortId) -> QueueId;
    /// Carries out an effect.
    fn carry(&mut self, effect: Effect);
}

/// When, and by which thresholds.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    /// The present tick.
    pub now: Tick,
    /// Thresholds and times.
    pub config: &'a RecnConfig,
    /// Every queue and line is evaluated, else those marked; both do the same.
    pub all: bool,
}

type Done<T = ()> = Result<T, CommitError>;

fn at<T>(at: At, result: Result<T, ProtocolError>) -> Done<T> {
    result.map_err(|error| CommitError { at, error })
}

/// The point of a message as ingress port `input` names it; none where no packet can take that
/// turn.
fn point_at(ports: &impl Ports, message: &Internal, input: PortId) -> Option<Point> {
    let (egress, width) = (u32::from(message.egress.0), ports.width());
    let turn = turnpool::turn(u32::from(input.0), egress, ports.ports() as u32);
    if u64::from(turn) >> width != 0 {
        return None;
    }
    message.point.prepend(turn, width).ok()
}

/// Step 5: messages of egress ports, by egress port, then queue. An egress queue sends at most one
/// of each kind in a tick, and departures (Xon) come before stores.
pub fn carry_messages(
    ports: &mut impl Ports,
    messages: &mut Vec<Internal>,
    moment: &Moment<'_>,
) -> Done {
    // Stable; nearly always there are one or two.
    messages.sort_by_key(|message| (message.egress, message.queue));
    for message in messages.drain(..) {
        match message.kind {
            InternalKind::Notify { sender } => notify(ports, &message, sender, moment)?,
            InternalKind::Request { sender, blocked } => {
                request(ports, &message, sender, blocked, moment)?;
            }
            InternalKind::Xoff { sender } => flow(ports, &message, Some(sender), moment)?,
            InternalKind::Xon => flow(ports, &message, None, moment)?,
        }
    }
    Ok(())
}

/// A notification from an egress queue to an ingress port: adopted if it found the congestion
/// itself, accepted while a SAQ is free, else refused at once. The accepted SAQ is a child there,
/// and at Xoff if that is in force.
fn notify(ports: &mut impl Ports, message: &Internal, input: PortId, moment: &Moment<'_>) -> Done {
    let Some(point) = point_at(ports, message, input) else {
        return Ok(());
    };
    let (side, normal) = (At::Ingress(input), ports.normal_queue(message.egress));
    if ports.lines(message.egress).is_none() {
        return Ok(());
    }
    let Some((recn, queues)) = ports.side(side) else {
        return Ok(());
    };
    let answer = at(side, recn.notified(queues, point, normal, true, moment.now))?;
    let mut blocked = None;
    if answer != Answer::Refused {
        let egress = ports.lines(message.egress);
        let egress = egress.ok_or(ProtocolError::Misdirected("notification"));
        let xoff = egress.and_then(|egress| egress.child_accepted(message.queue, input));
        if at(side, xoff)? {
            blocked = Some(at(side, block(ports, side, point))?);
        }
    }
    ports.carry(Effect::Sent(message.egress, Control::Notification(point)));
    answered(ports, input, point, answer);
    if let Some(queue) = blocked {
        ports.carry(Effect::Changed(side, queue));
    }
    Ok(())
}

/// Xoff for a child that has just been accepted; its queue.
fn block(ports: &mut impl Ports, side: At, point: Point) -> Result<QueueId, ProtocolError> {
    let missing = ProtocolError::MissingChild(point);
    let Some((recn, _)) = ports.side(side) else {
        return Err(missing);
    };
    let line = recn.flow(&point, true)?.ok_or(missing)?;
    Ok(recn.queue(line))
}

/// DD versions: an ingress port is asked to set a point aside.
fn request(
    ports: &mut impl Ports,
    message: &Internal,
    input: PortId,
    blocked: bool,
    moment: &Moment<'_>,
) -> Done {
    // Requested by a line without a queue as a packet started: if Xon has freed it in this tick,
    // nothing would open the SAQ again.
    let has_line = |r: &mut RecnPort| r.cam.find(&message.point).is_some();
    if blocked && !ports.lines(message.egress).is_some_and(has_line) {
        return Ok(());
    }
    let Some(point) = point_at(ports, message, input) else {
        return Ok(());
    };
    let normal = ports.normal_queue(message.egress);
    let Some((recn, queues)) = ports.side(At::Ingress(input)) else {
        return Ok(());
    };
    let answer = recn.requested(queues, point, normal, blocked, moment.now);
    if let Some(answer) = at(At::Ingress(input), answer)? {
        // What a notification is in the token versions. A request for what has been set aside is
        // not reported again.
        ports.carry(Effect::Sent(message.egress, Control::Notification(point)));
        answered(ports, input, point, answer);
    }
    Ok(())
}

/// The answer of an ingress port to a notification or a request.
fn answered(ports: &mut impl Ports, input: PortId, point: Point, answer: Answer) {
    match answer {
        Answer::Adopted(_) => {}
        Answer::Refused => ports.carry(Effect::Refused(input, point)),
        Answer::Accepted(line) => ports.carry(Effect::Allocated(input, line, point)),
    }
}

/// Xoff (with the input that sent the last packet, if that is known) or Xon (`None`) from an egress
/// queue: to its child ports, or (DD versions) to all.
fn flow(
    ports: &mut impl Ports,
    message: &Internal,
    xoff: Option<Option<PortId>>,
    moment: &Moment<'_>,
) -> Done {
    let all = u64::MAX >> (64 - ports.ports());
    let inputs =
        ports.lines(message.egress).map_or(all, |recn| recn.flow_goes_to(message.queue, all));
    for input in ones(inputs) {
        let input = PortId::at(input);
        let Some(point) = point_at(ports, message, input) else {
            continue;
        };
        let normal = ports.normal_queue(message.egress);
        let last = xoff == Some(Some(input));
        let Some((recn, queues)) = ports.side(At::Ingress(input)) else {
            continue;
        };
        let met = recn.internal_flow(queues, point, xoff.is_some(), last, normal, moment.now);
        let met = at(At::Ingress(input), met)?;
        let changed = match met {
            Met::Line(line) => Some(recn.queue(line)),
            Met::Nothing | Met::Asked(_) => None,
        };
        let control = if xoff.is_some() { Control::Xoff(point) } else { Control::Xon(point) };
        ports.carry(Effect::Sent(message.egress, control));
        if let Some(queue) = changed {
            ports.carry(Effect::Changed(At::Ingress(input), queue));
        }
        if let Met::Asked(answer) = met {
            answered(ports, input, point, answer);
        }
    }
    Ok(())
}

/// Both sides of all ports, by number, ingress before egress.
fn sides(ports: usize) -> impl Iterator<Item = At> {
    (0..ports).map(PortId::at).flat_map(|port| [At::Ingress(port), At::Egress(port)])
}

/// Step 6: markers at the head of every ready queue, until nothing moves.
pub fn settle_markers(ports: &mut impl Ports, moment: &Moment<'_>) -> Done {
    for side in sides(ports.ports()) {
        if ports.is_idle(side) {
            continue;
        }
        let Some((recn, queues)) = ports.side(side) else {
            continue;
        };
        if !moment.all && !recn.is_marked() {
            continue;
        }
        let ready = at(side, recn.settle_marked(queues, moment.all))?;
        let base = recn.base();
        for line in ones(ready) {
            let queue = QueueId(base.0 + line as u16);
            ports.carry(Effect::Changed(side, queue));
        }
    }
    Ok(())
}

/// Step 7: frees of SAQs. Tokens due at ingress ports come to `tokens`.
pub fn free_saqs(
    ports: &mut impl Ports,
    tokens: &mut Vec<(PortId, Point)>,
    moment: &Moment<'_>,
) -> Done {
    for side in sides(ports.ports()) {
        if ports.is_idle(side) {
            continue;
        }
        let Some((recn, _)) = ports.side(side) else {
            continue;
        };
        let mut checks = recn.take_checks(moment.all);
        while let Some((recn, queues)) = ports.side(side) {
            let freed = recn.free_next(queues, &mut checks, moment.now, moment.config);
            let Some(freed) = at(side, freed)? else { break };
            if let (At::Ingress(input), true) = (side, freed.owned) {
                tokens.push((input, freed.point));
            }
            ports.carry(Effect::Freed(side, freed));
        }
    }
    Ok(())
}

/// Step 8: tokens from freed ingress SAQs to the egress queues that notified them.
pub fn carry_tokens(ports: &mut impl Ports, tokens: &mut Vec<(PortId, Point)>) -> Done {
    let (width, count) = (ports.width(), ports.ports() as u32);
    for (input, point) in tokens.drain(..) {
        let turn = point.first(width);
        let output = turnpool::forward(u32::from(input.0), turn, count);
        let egress = PortId(output as u8);
        ports.carry(Effect::Sent(egress, Control::Token(point)));
        let Some(recn) = ports.lines(egress) else {
            continue;
        };
        let leaf = recn.internal_token(point, width, input);
        if at(At::Egress(egress), leaf)? {
            ports.carry(Effect::Leaf(egress));
        }
    }
    Ok(())
}
