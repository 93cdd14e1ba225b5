//! Self-contained HTML reports
