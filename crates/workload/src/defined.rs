//! Whether a pattern is defined for a number of nodes.

use crate::error::WorkloadError;
use crate::pattern::Pattern;

impl Pattern {
    /// Refuses a number of nodes that the pattern is not defined for; `key` names the setting
    /// in the error.
    ///
    /// # Errors
    /// [`WorkloadError::Shape`].
    pub fn check(self, key: &str, nodes: u32) -> Result<(), WorkloadError> {
        let legal = self.shape();
        if legal.admits(nodes) {
            return Ok(());
        }
        Err(WorkloadError::Shape { key: key.to_owned(), pattern: self, nodes, legal })
    }
}
