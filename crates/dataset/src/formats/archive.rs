//! Text archives: text files that are plain, compressed by bzip2, or in a tar archive.
//!
//! OpenBench distributes the games of a data generation as `N.pgn.tar`, with a `.pgn.bz2` for each
//! workload. The archive is read as one text, member by member: nothing is unpacked to the disk,
//! and at most one block is in memory.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::Path;

use bzip2::bufread::MultiBzDecoder;

/// The block size of tar.
const BLOCK: usize = 512;
/// The size of the read buffer.
const BUFFER: usize = 1 << 16;

/// Opens a text file of any of these kinds.
pub(super) fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    unpack(BufReader::with_capacity(BUFFER, File::open(path)?))
}

fn unpack(mut input: impl BufRead + 'static) -> io::Result<Box<dyn BufRead>> {
    let start = input.fill_buf()?;
    if is_bzip2(start) {
        let text = MultiBzDecoder::new(input);
        return Ok(Box::new(BufReader::with_capacity(BUFFER, text)));
    }
    if is_tar(start) {
        return Ok(Box::new(BufReader::with_capacity(BUFFER, Archive { input, file: None })));
    }
    Ok(Box::new(input))
}

/// Whether the bytes start with `BZh`, the block size, and the magic of a block or of the end of
/// the stream.
fn is_bzip2(start: &[u8]) -> bool {
    const BLOCK_MARK: &[u8] = b"\x31\x41\x59\x26\x53\x59";
    const END_MARK: &[u8] = b"\x17\x72\x45\x38\x50\x90";
    let sized = start.get(3).is_some_and(|size| (b'1'..=b'9').contains(size));
    let mark = start.get(4..10);
    start.starts_with(b"BZh") && sized && (mark == Some(BLOCK_MARK) || mark == Some(END_MARK))
}

fn is_tar(start: &[u8]) -> bool {
    start.get(257..262) == Some(b"ustar")
}

/// The files of an archive, one after the other.
struct Archive<R> {
    input: R,
    file: Option<Member>,
}

/// The member of an archive that is being read.
enum Member {
    /// The remaining bytes of the member, and of the padding of its last block.
    Plain { left: u64, padding: u64 },
    /// The decompressed rest of the member: workloads are small.
    Compressed { text: Box<dyn Read> },
}

impl<R: BufRead> Archive<R> {
    /// Advances to the next member. Returns `None` at the end of the archive.
    fn next(&mut self) -> io::Result<Option<Member>> {
        loop {
            let mut header = [0; BLOCK];
            // Archives end with blocks of zeros; one without them is accepted.
            if !read_block(&mut self.input, &mut header)? || header == [0; BLOCK] {
                return Ok(None);
            }
            let (left, kind) = (size(&header)?, header[156]);
            let padding = left.wrapping_neg() % BLOCK as u64;
            if !matches!(kind, 0 | b'0') {
                // Folders, links and long names have no content to read.
                skip(&mut self.input, left.saturating_add(padding))?;
                continue;
            }
            if !is_bzip2(self.input.fill_buf()?) {
                return Ok(Some(Member::Plain { left, padding }));
            }
            if left > MAX_COMPRESSED {
                let fault = "a file in the archive is larger than 1 GiB; unpack the archive first";
                return Err(io::Error::new(ErrorKind::InvalidData, fault));
            }
            let mut bytes = Vec::new();
            self.input.by_ref().take(left).read_to_end(&mut bytes)?;
            skip(&mut self.input, padding)?;
            let text = Box::new(MultiBzDecoder::new(io::Cursor::new(bytes)));
            return Ok(Some(Member::Compressed { text }));
        }
    }
}

/// The maximum size of a compressed member, which is held in memory.
const MAX_COMPRESSED: u64 = 1 << 30;

impl<R: BufRead> Read for Archive<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = match &mut self.file {
                None => 0,
                Some(Member::Plain { left, .. }) => {
                    let read = self.input.by_ref().take(*left).read(buffer)?;
                    *left -= read as u64;
                    read
                }
                Some(Member::Compressed { text }) => text.read(buffer)?,
            };
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            match self.file.take() {
                Some(Member::Plain { left: 1.., .. }) => {
                    return Err(io::Error::new(ErrorKind::UnexpectedEof, "the archive is cut off"));
                }
                Some(Member::Plain { padding, .. }) => skip(&mut self.input, padding)?,
                Some(Member::Compressed { .. }) | None => {}
            }
            self.file = self.next()?;
            if self.file.is_none() {
                return Ok(0);
            }
        }
    }
}

/// The size of a member, in octal digits.
fn size(header: &[u8; BLOCK]) -> io::Result<u64> {
    let text = String::from_utf8_lossy(&header[124..136]);
    let text = text.trim_matches(['\0', ' ']);
    u64::from_str_radix(text, 8).map_err(|_| {
        let fault = "the header of a file in the archive has no size; unpack the archive first";
        io::Error::new(ErrorKind::InvalidData, fault)
    })
}

/// Reads a whole block. Returns false if the input ends before it.
fn read_block(input: &mut impl Read, block: &mut [u8; BLOCK]) -> io::Result<bool> {
    match input.read_exact(block) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// Skips bytes, up to the end of the input.
fn skip(input: &mut impl Read, count: u64) -> io::Result<()> {
    io::copy(&mut input.take(count), &mut io::sink()).map(|_| ())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use bzip2::Compression;
    use bzip2::write::BzEncoder;

    use super::*;

    fn compressed(text: &[u8]) -> Vec<u8> {
        let mut encoder = BzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn member(kind: u8, content: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0; BLOCK];
        bytes[..4].copy_from_slice(b"name");
        bytes[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
        bytes[156] = kind;
        bytes[257..262].copy_from_slice(b"ustar");
        bytes.extend(content);
        bytes.resize(bytes.len().next_multiple_of(BLOCK), 0);
        bytes
    }

    fn read(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        unpack(io::Cursor::new(bytes.to_vec()))?.read_to_end(&mut text)?;
        Ok(text)
    }

    #[test]
    fn everything_is_read_as_one_text() {
        let long = vec![b'x'; 100_000];
        assert_eq!(read(b"plain").unwrap(), b"plain");
        assert_eq!(read(b"").unwrap(), b"");
        assert_eq!(read(b"BZh9 is how it begins").unwrap(), b"BZh9 is how it begins");
        assert_eq!(read(&compressed(b"")).unwrap(), b"");
        let twice = [compressed(b"first "), compressed(&long)].concat();
        assert_eq!(read(&twice).unwrap(), [&b"first "[..], &long].concat());
        let archive = [
            member(b'5', b""),
            member(b'0', &compressed(b"one ")),
            member(b'x', b"no file"),
            member(0, b"two "),
            member(b'0', b""),
            member(b'0', &compressed(&long)),
            vec![0; 2 * BLOCK],
        ];
        assert_eq!(read(&archive.concat()).unwrap(), [&b"one two "[..], &long].concat());
    }

    #[test]
    fn what_is_cut_or_damaged_is_an_error_or_less_text_and_never_more() {
        let text = b"1. e4 e5 ".repeat(500);
        let archive = [member(b'0', &compressed(&text)), member(b'0', &text)].concat();
        let whole = read(&archive).unwrap();
        for cut in (0..archive.len()).step_by(37) {
            if let Ok(found) = read(&archive[..cut]) {
                assert!(whole.starts_with(&found) || cut < 262, "cut at {cut}");
            }
            let mut damaged = archive.clone();
            damaged[cut] ^= 0x55;
            let _ = read(&damaged);
        }
    }
}
