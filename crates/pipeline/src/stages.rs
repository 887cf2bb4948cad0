//! Stages: each is a struct with `run`, which carries it out, and `command`, its command line.
