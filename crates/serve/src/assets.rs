//! Assets: the files of the page, embedded in the binary.
