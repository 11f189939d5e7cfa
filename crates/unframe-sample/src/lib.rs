//! Small invented web sites with realistic templates, for demos, tests and benchmarks.
