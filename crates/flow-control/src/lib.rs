//! Credits, Xon/Xoff hysteresis, control packets and their merging
