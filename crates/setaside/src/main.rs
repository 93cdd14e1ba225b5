//! The `setaside` program; everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    setaside::ask_for_large_pages();
    setaside::main(std::env::args_os())
}
