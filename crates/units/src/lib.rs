//! Identifiers, time base and rational numbers of the setaside model
