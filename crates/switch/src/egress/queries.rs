//! What only looks at an egress port: what is left over.

use super::Egress;

impl Egress {
    /// Everything is at home: no packet, no marker, no SAQ, all credits back. Names
    /// what is not.
    pub fn left_over(&self) -> Option<String> {
        let unit = self.unit();
        let control = || (!self.link.is_at_rest()).then(|| format!("{unit}: control packets wait"));
        let saqs = || {
            let recn = self.recn.as_ref()?;
            let (in_use, children) = (recn.cam().in_use(), recn.root_children());
            if in_use > 0 {
                return Some(format!("{unit}: {in_use} SAQs in use"));
            }
            (children != 0).then(|| format!("{unit}: tokens of children {children:#b} are away"))
        };
        self.memory.left_over().or_else(|| self.fcu.left_over()).or_else(control).or_else(saqs)
    }
}
