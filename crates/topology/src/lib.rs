//! Graphs, routes, deadlock check
