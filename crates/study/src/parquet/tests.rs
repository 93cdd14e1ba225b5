//! What the crate's own reader reads back is the CSV table, cell by cell.

use super::of_csv;
use crate::{Job, Outcome, RunRow, Table};
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::record::Field;
use csv::StringRecord;
use proptest::prelude::*;
use std::fs::{self, File};

/// Names and types of the columns, and the rows.
fn read(parquet: &[u8]) -> (Vec<(String, String)>, Vec<Vec<Field>>) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.parquet");
    fs::write(&path, parquet).unwrap();
    let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
    let schema = reader.metadata().file_metadata().schema();
    let column = |field: &super::Type| {
        let converted = field.get_basic_info().converted_type();
        let physical = field.get_physical_type();
        let kind = format!("{physical} {converted}").replace(" NONE", "");
        (field.name().to_string(), kind)
    };
    let columns = schema.get_fields().iter().map(|field| column(field));
    let fields = |row: ::parquet::record::Row| {
        row.get_column_iter().map(|(_, field)| field.clone()).collect()
    };
    let rows = reader.get_row_iter(None).unwrap().map(|row| fields(row.unwrap()));
    (columns.collect(), rows.collect())
}

/// Compares every cell; the types of the columns.
fn types_of(csv: &[u8]) -> Vec<(String, String)> {
    let bytes = of_csv(csv).unwrap();
    assert!(bytes == of_csv(csv).unwrap(), "other bytes the second time");
    let (columns, rows) = read(&bytes);
    let mut csv = csv::Reader::from_reader(csv);
    let names: Vec<String> = columns.iter().map(|(name, _)| name.clone()).collect();
    assert_eq!(csv.headers().unwrap(), &StringRecord::from(names));
    let expected: Vec<StringRecord> = csv.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), expected.len());
    for (row, expected) in rows.iter().zip(&expected) {
        assert_eq!(row.len(), expected.len());
        for ((field, text), column) in row.iter().zip(expected).zip(&columns) {
            let is_same = match field {
                Field::Null => text.is_empty(),
                Field::Bool(flag) => text == flag.to_string(),
                Field::Long(integer) => text.parse() == Ok(*integer),
                Field::Double(number) => {
                    text.parse().is_ok_and(|n: f64| n.to_bits() == number.to_bits())
                }
                Field::Str(string) => !text.is_empty() && text == string,
                _ => false,
            };
            assert!(is_same, "{column:?}: {field:?} is not {text:?}");
        }
    }
    columns
}

fn kinds(csv: &str) -> Vec<String> {
    let types = types_of(csv.as_bytes()).into_iter();
    types.map(|(_, kind)| kind).collect()
}

const FLAG: &str = "BOOLEAN";
const INTEGER: &str = "INT64";
const NUMBER: &str = "DOUBLE";
const WORDS: &str = "BYTE_ARRAY UTF8";

#[test]
fn a_column_has_the_narrowest_type_that_holds_its_values() {
    for (values, kind) in [
        (&["0", "-7", "", "9223372036854775807"][..], INTEGER),
        (&["-9223372036854775808"], INTEGER),
        (&["1", "2.5", "-3", ""], NUMBER),
        (&["1e-9", "0.000000001", "-0", "5e-324", "1e300"], NUMBER),
        (&["true", "", "false"], FLAG),
        (&["true", "1"], WORDS),
        (&["12", "twelve"], WORDS),
        (&["NaN", "inf", "1"], WORDS),
        (&["True"], WORDS),
        (&["", ""], WORDS),
        (&[" 1"], WORDS),
        (&["a \"b\", c", "two\nlines", "\u{b1} 3 \u{3bc}s", ""], WORDS),
    ] {
        let mut out = csv::Writer::from_writer(Vec::new());
        out.write_record(["recn.saqs"]).unwrap();
        for value in values {
            out.write_record([value]).unwrap();
        }
        let csv = String::from_utf8(out.into_inner().unwrap()).unwrap();
        assert_eq!(kinds(&csv), [kind], "{values:?}");
    }
}

#[test]
fn a_known_column_has_its_type_whatever_it_holds() {
    let header = "directory,error,of_ideal,latency_p99_ns,latency_p99_is_lower_bound,latency_ns";
    let types = [WORDS, WORDS, NUMBER, NUMBER, FLAG, NUMBER];
    for rows in ["", "0,,1,2000,,3\n", ",,,,,\n", "0,12,0.5,1e3,true,0.5\n"] {
        assert_eq!(kinds(&format!("{header}\n{rows}")), types, "{rows:?}");
    }
    // What it does not hold is not lost.
    assert_eq!(kinds("of_ideal\nmuch\n1\n"), [WORDS]);
}

/// The tables of a sweep as the layout is pinned, with a failed run among them.
#[test]
fn tables_of_a_sweep_are_read_back() {
    let results = types_of(include_bytes!("../../tests/pinned/results.csv"));
    for expected in [
        ("index", INTEGER),
        ("switch.scheme", WORDS),
        ("recn.saqs", INTEGER),
        ("exit_code", INTEGER),
        ("error", WORDS),
        ("flows_starved", NUMBER),
        ("latency_p99_is_lower_bound", FLAG),
    ] {
        assert!(results.iter().any(|(name, kind)| (&**name, &**kind) == expected), "{expected:?}");
    }
    types_of(include_bytes!("../../tests/pinned/windows.csv"));
    types_of(include_bytes!("../../tests/pinned/latency.csv"));
}

/// Each measured column is known, also of a sweep whose runs measured nothing.
#[test]
fn columns_of_a_table_do_not_hang_on_its_runs() {
    let row = RunRow { job: Job::default(), outcome: Outcome::NotRun };
    let table = Table::new("s", "s", vec![row]);
    for csv in [table.to_csv(), table.windows_csv(), table.latency_csv()] {
        types_of(&csv.unwrap());
    }
    let types = types_of(&table.to_csv().unwrap());
    for (name, kind) in types.iter().skip_while(|(name, _)| name != "error").skip(1) {
        assert!([NUMBER, FLAG].contains(&&**kind), "{name}: {kind}");
    }
}

/// Values of a column: of one kind, or of several.
fn values(rows: usize) -> impl Strategy<Value = Vec<String>> {
    let empty = || Just(String::new());
    let integer = || any::<i64>().prop_map(|n| n.to_string());
    let small = || (-9i64..9).prop_map(|n| n.to_string());
    let finite = || proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL;
    let number = move || finite().prop_map(|n| n.to_string());
    let tiny = move || finite().prop_map(|n| format!("{n:e}"));
    let flag = || any::<bool>().prop_map(|flag| flag.to_string());
    let text = || "[a-z0-9 ,\"'\r\n\u{b1}.+-]{0,9}".prop_map(String::from);
    let all = move |cell: BoxedStrategy<String>| proptest::collection::vec(cell, rows);
    prop_oneof![
        all(prop_oneof![integer(), empty()].boxed()),
        all(prop_oneof![small(), number(), tiny(), empty()].boxed()),
        all(prop_oneof![flag(), empty()].boxed()),
        all(text().boxed()),
        all(prop_oneof![small(), number(), flag(), text(), empty()].boxed()),
    ]
}

fn table() -> impl Strategy<Value = Vec<Vec<String>>> {
    (1usize..6, 0usize..40)
        .prop_flat_map(|(columns, rows)| proptest::collection::vec(values(rows), columns))
}

proptest! {
    #[test]
    fn any_table_is_read_back(columns in table()) {
        let mut out = csv::Writer::from_writer(Vec::new());
        let names = ["index", "directory", "of_ideal", "p99_is_lower_bound", "switch.scheme"];
        out.write_record(&names[..columns.len()]).unwrap();
        for row in 0..columns[0].len() {
            out.write_record(columns.iter().map(|column| &column[row])).unwrap();
        }
        types_of(&out.into_inner().unwrap());
    }
}
