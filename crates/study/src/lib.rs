//! Sweeps: points, runs side by side, store
