//! Content-addressable memory of RECN: longest match over turn-pool prefixes
