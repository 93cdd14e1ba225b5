//! AS route headers, turn pools and point identifiers
