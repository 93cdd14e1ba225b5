//! Tables as Parquet files: the columns and rows of a CSV table, each column with a type.

use crate::columns::COLUMNS;
use crate::disk::{self, Reach, replace_file};
use crate::error::{StoreError, malformed};
use crate::manifest::SweepManifest;
use crate::table::Table;
use crate::windows;
use ::parquet::basic::{ConvertedType, LogicalType, Type as Physical};
use ::parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use ::parquet::errors::{ParquetError, Result};
use ::parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use ::parquet::schema::types::Type;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

#[cfg(test)]
mod tests;

/// Columns of text, whatever they hold.
const TEXT: [&str; 7] = ["directory", "status", "error", "window", "flows", "group", "note"];

pub(crate) const FILES: [&str; 3] = ["results.parquet", "windows.parquet", "latency.parquet"];

/// Writes [`FILES`], under the lock of the caller; the next sweep removes them.
pub(crate) fn write(table: &Table, dir: &Path) -> Result<(), StoreError> {
    let mut sweep = SweepManifest::read(dir)?;
    disk::refuse_in_the_way(dir, &FILES, Some(&sweep.files))?;
    sweep.files.retain(|name| !FILES.contains(&name.as_str()));
    sweep.files.extend(FILES.map(String::from));
    sweep.put(dir)?;
    let tables = [table.to_csv(), table.windows_csv(), table.latency_csv()];
    for (name, csv) in FILES.iter().zip(tables) {
        let path = dir.join(name);
        let bytes = csv.map_err(of_csv_error).and_then(|csv| of_csv(&csv));
        let bytes = bytes.map_err(malformed(&path))?;
        replace_file(&path, &bytes, Reach::Now)?;
    }
    Ok(())
}

/// The same bytes for the same CSV table with a header. An empty field is null.
fn of_csv(csv: &[u8]) -> Result<Vec<u8>> {
    let mut reader = csv::Reader::from_reader(csv);
    let names = reader.headers().map_err(of_csv_error)?.clone();
    let rows = reader.into_records().collect::<Result<Vec<_>, _>>();
    let rows = rows.map_err(of_csv_error)?;
    let cells = |at: usize| rows.iter().map(move |row| &row[at]);
    let columns = names.iter().enumerate();
    let columns = columns.map(|(at, name)| Values::of(name, cells(at)));
    let columns: Vec<Values> = columns.collect();
    let fields = names.iter().zip(&columns);
    let fields = fields.map(|(name, values)| Ok(Arc::new(values.field(name)?)));
    let fields = fields.collect::<Result<Vec<_>>>()?;
    let schema = Type::group_type_builder("schema").with_fields(fields);
    let schema = Arc::new(schema.build()?);
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::default())?;
    let mut group = writer.next_row_group()?;
    for (at, values) in columns.iter().enumerate() {
        let levels: Vec<i16> = cells(at).map(|cell| i16::from(!cell.is_empty())).collect();
        if let Some(mut column) = group.next_column()? {
            values.write(&mut column, &levels)?;
            column.close()?;
        }
    }
    group.close()?;
    writer.into_inner()
}

fn of_csv_error(error: csv::Error) -> ParquetError {
    ParquetError::External(Box::new(error))
}

/// The fields of a column that are not empty, in the narrowest type that holds all of them.
#[derive(Debug)]
enum Values {
    Flags(Vec<bool>),
    Integers(Vec<i64>),
    Numbers(Vec<f64>),
    Texts(Vec<ByteArray>),
}

impl Values {
    /// A known column has its own type where that holds its values: tables of sweeps go together.
    fn of<'a>(name: &str, cells: impl Iterator<Item = &'a str>) -> Values {
        let cells: Vec<&str> = cells.filter(|cell| !cell.is_empty()).collect();
        let flags = || all(&cells).map(Values::Flags);
        let integers = || all(&cells).map(Values::Integers);
        let finite = |all: &Vec<f64>| all.iter().all(|number| number.is_finite());
        let numbers = || all(&cells).filter(finite).map(Values::Numbers);
        let values = if TEXT.contains(&name) {
            None
        } else if name.ends_with("_is_lower_bound") {
            flags()
        } else if is_measured(name) {
            numbers()
        } else if cells.is_empty() {
            None
        } else {
            flags().or_else(integers).or_else(numbers)
        };
        let texts = || cells.iter().map(|cell| ByteArray::from(*cell)).collect();
        values.unwrap_or_else(|| Values::Texts(texts()))
    }

    fn field(&self, name: &str) -> Result<Type> {
        let physical = match self {
            Values::Flags(_) => Physical::BOOLEAN,
            Values::Integers(_) => Physical::INT64,
            Values::Numbers(_) => Physical::DOUBLE,
            Values::Texts(_) => Physical::BYTE_ARRAY,
        };
        let field = Type::primitive_type_builder(name, physical);
        let field = match self {
            Values::Texts(_) => field
                .with_logical_type(Some(LogicalType::String))
                .with_converted_type(ConvertedType::UTF8),
            _ => field,
        };
        field.build()
    }

    /// Level 0 is null, 1 is the next value.
    fn write(&self, column: &mut SerializedColumnWriter<'_>, levels: &[i16]) -> Result<()> {
        fn put<T: DataType>(
            column: &mut SerializedColumnWriter<'_>,
            values: &[T::T],
            levels: &[i16],
        ) -> Result<()> {
            let column = column.typed::<T>();
            column.write_batch(values, Some(levels), None).map(drop)
        }
        match self {
            Values::Flags(values) => put::<BoolType>(column, values, levels),
            Values::Integers(values) => put::<Int64Type>(column, values, levels),
            Values::Numbers(values) => put::<DoubleType>(column, values, levels),
            Values::Texts(values) => put::<ByteArrayType>(column, values, levels),
        }
    }
}

fn is_measured(name: &str) -> bool {
    name == "latency_ns"
        || COLUMNS.iter().any(|column| column.name == name)
        || windows::header().iter().any(|column| column == name)
}

fn all<T: FromStr>(cells: &[&str]) -> Option<Vec<T>> {
    cells.iter().map(|cell| cell.parse().ok()).collect()
}
