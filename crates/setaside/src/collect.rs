//! `setaside collect`.

use crate::exit::{Failure, print};
use crate::log;
use crate::options::Format;
use crate::sweep::derived;
use std::path::Path;
use study::Tables;

/// Rebuilds the results of a sweep from its run directories and prints the answer.
pub(crate) fn collect(dir: &Path, format: Format, parquet: bool) -> Result<(), Failure> {
    let tables = match parquet {
        true => Tables::CsvAndParquet,
        false => Tables::Csv,
    };
    let collected = study::collect(dir, tables)?;
    let table = &collected.table;
    if collected.is_written {
        let page = crate::report::write(dir)?;
        log::say(&format!("results {}", dir.join("results.csv").display()));
        if parquet {
            log::say(&format!("parquet {}", dir.join("results.parquet").display()));
        }
        log::say(&format!("report  {}", page.display()));
    } else {
        log::say("a sweep writes here, and with it its results and page: they are left to it");
    }
    let (there, all) = (table.runs.len(), table.runs.len() + table.left_out);
    if there < all {
        log::say(&format!("{there} of {all} runs are there"));
    }
    if let Some(line) = derived(table) {
        log::say(&line);
    }
    print(&match format {
        Format::Json => format!("{:#}\n", table.to_json()),
        Format::Text if !collected.found.is_empty() => collected.found,
        Format::Text => table.answer().to_text(&collected.question, false),
    })
}
