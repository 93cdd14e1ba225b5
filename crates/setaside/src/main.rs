//! The `setaside` program; everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    setaside::main(std::env::args_os())
}
