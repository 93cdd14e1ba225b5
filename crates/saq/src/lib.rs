//! Memory management unit: cell pool, queues, markers, set-aside queues
