//! The shares of all cells, for the script that says them.

use super::{Panel, Ports};
use crate::plot::DIGITS;

/// What the script shows: five digits a cell, the four shares as one number to the base 101.
pub(super) fn data(ports: &Ports, panel: &Panel<'_>) -> String {
    let rows: Vec<serde_json::Value> = panel
        .rows
        .iter()
        .map(|row| {
            let mut text = String::with_capacity(row.cells.len() * 5);
            for cell in &row.cells {
                let mut value = cell.0.iter().fold(0u32, |all, &v| all * 101 + u32::from(v));
                for _ in 0..5 {
                    text.push(char::from(DIGITS.as_bytes()[(value % 90) as usize]));
                    value /= 90;
                }
            }
            serde_json::json!([row.name(), text])
        })
        .collect();
    let column_us = ports.bin_ns * ports.bins_a_column as f64 / 1000.0;
    // names are of this program, yet nothing may end the script
    serde_json::json!({ "us": column_us, "rows": rows }).to_string().replace('<', "\\u003c")
}
