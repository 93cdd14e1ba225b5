//! Scenario and study files: TOML in, checked values out
