//! Small pages with the values that they declare.
