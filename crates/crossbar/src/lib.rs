//! Crossbar arbiters and transfer timing
