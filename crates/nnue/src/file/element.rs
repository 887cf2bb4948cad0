//! Tensor elements: conversion from and to little-endian bytes.

use alloc::vec::Vec;

/// An element type of tensors.
pub(super) trait Element: Copy {
    /// The type's name in the header.
    const NAME: &'static str;
    /// The size of an element in bytes.
    const SIZE: usize;

    /// The tensor as the content of a section.
    fn data(values: &[Self]) -> Data<'_>;

    /// Parses little-endian numbers. Ignores trailing bytes that do not form a whole number.
    fn read(bytes: &[u8]) -> Vec<Self>;
}

/// The content of a section.
#[derive(Clone, Copy, Debug)]
pub(super) enum Data<'a> {
    I8(&'a [i8]),
    I16(&'a [i16]),
    I32(&'a [i32]),
    F32(&'a [f32]),
    Text(&'a str),
}

macro_rules! element {
    ($type:ident, $data:ident) => {
        impl Element for $type {
            const NAME: &'static str = stringify!($type);
            const SIZE: usize = size_of::<$type>();

            fn data(values: &[Self]) -> Data<'_> {
                Data::$data(values)
            }

            fn read(bytes: &[u8]) -> Vec<Self> {
                let (numbers, _) = bytes.as_chunks();
                numbers.iter().map(|&number| Self::from_le_bytes(number)).collect()
            }
        }
    };
}

element!(i8, I8);
element!(i16, I16);
element!(i32, I32);
element!(f32, F32);

impl Data<'_> {
    /// The type's name in the header.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::I8(_) => i8::NAME,
            Self::I16(_) => i16::NAME,
            Self::I32(_) => i32::NAME,
            Self::F32(_) => f32::NAME,
            Self::Text(_) => "utf8",
        }
    }

    /// The size in bytes.
    pub(super) fn size(self) -> usize {
        match self {
            Self::I8(values) => size_of_val(values),
            Self::I16(values) => size_of_val(values),
            Self::I32(values) => size_of_val(values),
            Self::F32(values) => size_of_val(values),
            Self::Text(text) => text.len(),
        }
    }

    /// Appends the content as little-endian bytes.
    pub(super) fn append_to(self, bytes: &mut Vec<u8>) {
        match self {
            Self::I8(values) => bytes.extend(values.iter().flat_map(|v| v.to_le_bytes())),
            Self::I16(values) => bytes.extend(values.iter().flat_map(|v| v.to_le_bytes())),
            Self::I32(values) => bytes.extend(values.iter().flat_map(|v| v.to_le_bytes())),
            Self::F32(values) => bytes.extend(values.iter().flat_map(|v| v.to_le_bytes())),
            Self::Text(text) => bytes.extend_from_slice(text.as_bytes()),
        }
    }
}
