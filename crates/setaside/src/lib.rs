//! Command line of the setaside switch and fabric model
