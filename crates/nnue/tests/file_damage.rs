//! Files that were cut off, damaged or made to deceive are refused, each for its reason.

#[path = "file_support/bytes.rs"]
mod bytes;
#[path = "file_support/networks.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod networks;

use std::fmt::Write;

use bytes::{PREFIX, Parts, seal, small_file};
use networks::{Random, file};
use nnue::{Network, NetworkError, NetworkFile};

fn refusal(bytes: &[u8]) -> String {
    NetworkFile::read(bytes).expect_err("it should be refused").to_string()
}

#[test]
fn every_truncation_is_refused() {
    let whole = small_file().write();
    for end in 0..whole.len() {
        assert!(NetworkFile::read(&whole[..end]).is_err(), "{end}");
        assert!(Network::from_bytes(&whole[..end]).is_err(), "{end}");
    }
    let mut longer = whole.clone();
    longer.push(0);
    assert!(refusal(&longer).contains("by its own account"));
}

#[test]
fn every_flipped_byte_is_refused() {
    let whole = small_file().write();
    for place in 0..whole.len() {
        for mask in [0x01, 0x80, 0xFF] {
            let mut bytes = whole.clone();
            bytes[place] ^= mask;
            let error = NetworkFile::read(&bytes).expect_err("a flipped byte");
            if place >= PREFIX {
                assert!(matches!(error, NetworkError::Checksum { .. }), "{place}: {error}");
            }
        }
    }
}

#[test]
fn numbers_before_the_header() {
    let whole = small_file().write();
    let with = |place: usize, value: &[u8]| {
        let mut bytes = whole.clone();
        bytes[place..place + value.len()].copy_from_slice(value);
        seal(&mut bytes);
        refusal(&bytes)
    };
    for version in [0, 3, 0x0100_0000, u32::MAX] {
        assert!(with(8, &version.to_le_bytes()).contains("version"));
    }
    let header = u32::from_le_bytes(whole[12..16].try_into().unwrap());
    for length in [0, 1, header - 1, header + 1, 1 << 14, 1 << 15, 1 << 31, u32::MAX] {
        with(12, &length.to_le_bytes());
    }
    assert!(with(12, &u32::MAX.to_le_bytes()).contains("at most 16384 bytes"));
    assert!(with(12, &16384u32.to_le_bytes()).contains("the header takes 16384 bytes"));
    let length = whole.len() as u64;
    for length in [0, 1, 27, 28, length - 1, length + 1, 1 << 32, 1 << 60, 1 << 63, u64::MAX] {
        assert!(with(16, &length.to_le_bytes()).contains("by its own account"));
    }
}

#[test]
fn an_extended_file_is_still_read() {
    let small = small_file();
    let parts = Parts::of(&small);
    assert_eq!(NetworkFile::read(&parts.bytes()).unwrap(), small);
    let mut extended = parts.with("architecture", "x-made-by somebody\narchitecture");
    let end = 2048 + extended.sections.len();
    let offset = end.next_multiple_of(64);
    writeln!(extended.header, "section x-later bf16 {offset} 5").unwrap();
    extended.sections.resize(offset - 2048, 0);
    extended.sections.extend_from_slice(b"later");
    assert_eq!(NetworkFile::read(&extended.bytes()).unwrap(), small);
    let mut padded = extended.clone();
    padded.sections[end - 2048] = 1;
    assert!(refusal(&padded.bytes()).contains("padding is not zero before x-later"));
}

/// One change to a header, and what the refusal says.
const CHANGES: [(&str, &str, &str); 54] = [
    ("architecture", "Architecture", "header key is Architecture"),
    ("arithmetic integer\n", "", "without arithmetic"),
    ("arithmetic integer", "arithmetic float", "section type is i16 for feature.weights"),
    ("arithmetic integer", "arithmetic bfloat", "arithmetic is bfloat"),
    ("arithmetic integer", "arithmetic integer\narithmetic integer", "arithmetic twice"),
    ("arithmetic integer", "arithmetic", "header line is arithmetic"),
    ("arithmetic integer\n", "arithmetic integer\n\n", "header line is ;"),
    ("arithmetic integer\n", "arithmetic integer\r\n", "arithmetic is integer\r"),
    ("arithmetic integer\n", "colour red\narithmetic integer\n", "colour"),
    ("scales ", "x-scales ", "without scales"),
    ("scales 255", "scales 0", "accumulator scale"),
    ("scales 255", "scales 32768", "scales `32768"),
    ("scales 255,9", "scales 255,8", "activations reach 254"),
    ("scales 255,9", "scales 255,31", "activation shift is 31"),
    ("scales 255,9", "scales 255,4294967296", "scales `255,4294967296"),
    ("scales 255,9,6", "scales 255,9,-", "0 weight scales for 1 hidden layers"),
    ("scales 255,9,6", "scales 255,9,6/6", "2 weight scales"),
    ("scales 255,9,6", "scales 255,9,25", "hidden weight shift is 25"),
    ("64,6,400", "-1,6,400", "head scale"),
    ("64,6,400", "64,6,NaN", "NaN centipawns"),
    ("64,6,400", "64,6,inf", "inf centipawns"),
    ("64,6,400", "64,6,400 scales=1", "scales in their own line"),
    ("buckets=pieces:2", "buckets=pieces:2 scales=255,9,6,64,6,400", "scales in their own line"),
    ("buckets=pieces:2", "buckets=pieces:3", "for this architecture"),
    ("buckets=pieces:2", "buckets=pieces:18446744073709551615", "number of buckets"),
    ("value:sigmoid", "moves-left:1", "head `moves-left:1`; expected value"),
    ("value:sigmoid", "value:cosine", "output `cosine`"),
    ("+wdl", "", "section is wdl.weights"),
    ("+wdl", "+wdl+wdl", "two heads of a kind"),
    ("from-to", "to-from", "move encoding `to-from`"),
    ("2/3 ", "2/18446744073709551615 ", "policy outputs for the cell entered"),
    ("2/3 ", "2/4097 ", "policy outputs for the cell entered is 4097"),
    ("(3→2)", "(4→2)", "section feature.weights, for this architecture, takes 16 bytes"),
    ("(3→2)", "(131072→4096)", "takes 536870912 bytes"),
    ("(3→2)", "(99999999999999999999→2)", "shape"),
    ("(3→2)", "(3→4097)", "accumulator width is 4097"),
    ("quantisation-error 1000", "quantisation-error -1", "quantisation-error is -1"),
    ("quantisation-error 1000", "quantisation-error 18446744073709551616", "quantisation-error"),
    ("0.5 3.25", "0.5", "quantisation-error is 1000 0.5"),
    ("0.5 3.25", "0.5 inf", "finite numbers"),
    ("0.5 3.25", "-1 3.25", "finite numbers"),
    ("section feature.bias i16 2112 4", "section feature.bias i16 2112", "section line"),
    ("section feature.bias i16 2112 4", "section feature.bias i16 2112 4 4", "section line"),
    ("feature.bias i16 2112 4", "feature.bias i16 +2112 4", "section line"),
    ("feature.bias i16 2112 4", "feature.bias i16 2112 -4", "section line"),
    (
        "feature.bias i16 2112 4",
        "feature.bias i16 2048 4",
        "section offset is 2048 for feature.bias",
    ),
    ("feature.bias i16 2112 4", "feature.bias i16 2113 4", "section offset is 2113"),
    ("feature.bias i16 2112 4", "feature.bias i16 18446744073709551615 4", "section offset"),
    (
        "feature.bias i16 2112 4",
        "feature.bias i16 2112 18446744073709551615",
        "feature.bias at 2112",
    ),
    ("feature.bias i16 2112 4", "feature.bias i16 2112 6", "feature.bias, for this architecture,"),
    ("feature.bias i16 2112 4", "feature.bias u16 2112 4", "section type is u16 for feature.bias"),
    ("feature.bias i16 2112 4", "feature.weights i16 2112 4", "feature.weights twice"),
    ("feature.bias i16 2112 4", "x-bias i16 2112 4", "without feature.bias"),
    ("provenance utf8", "x-note utf8", "without provenance"),
];

#[test]
fn every_header_fault_is_named() {
    let parts = Parts::of(&small_file());
    for (old, new, fragment) in CHANGES {
        let error = refusal(&parts.with(old, new).bytes());
        assert!(error.contains(fragment), "{old} → {new}: {error}");
    }
}

#[test]
fn extra_bytes_are_accounted_for() {
    let parts = Parts::of(&small_file());
    let mut longer = parts.clone();
    longer.sections.push(0);
    assert!(refusal(&longer.bytes()).contains("content up to the checksum"));

    let mut unknown = parts.clone();
    let offset = (2048 + unknown.sections.len()).next_multiple_of(64);
    writeln!(unknown.header, "section gates i8 {offset} 0").unwrap();
    unknown.sections.resize(offset - 2048, 0);
    assert!(refusal(&unknown.bytes()).contains("section is gates"));

    assert!(refusal(&parts.bytes_with(b"")).contains("without architecture"));
    assert!(refusal(&parts.bytes_with(b"\xFF\n")).contains("UTF-8"));
    assert!(refusal(&parts.bytes_with(b"x-a b\narithmetic")).contains("a line feed"));
    let many = "x-a b\n".repeat(3000);
    assert!(refusal(&parts.bytes_with(many.as_bytes())).contains("at most 16384 bytes"));
}

#[test]
fn contents_that_make_no_sense() {
    let mut parts = Parts::of(&small_file());
    let last = parts.sections.len() - 1;
    parts.sections[last] = 0xFF;
    assert!(refusal(&parts.bytes()).contains("provenance is invalid utf-8"));

    let architecture = "2→4→1 sigmoid".parse().unwrap();
    let mut parts = Parts::of(&file(&architecture, false, &mut Random::new(1)));
    for bad in [f32::NAN, f32::INFINITY] {
        parts.sections[4..8].copy_from_slice(&bad.to_le_bytes());
        let error = refusal(&parts.bytes());
        assert!(error.contains(&format!("a weight is {bad} in feature.weights")), "{error}");
    }
}

/// Each number of the header in turn is set to extremes: the reader may accept only what it reads as the
/// same network.
#[test]
fn numbers_of_the_header_at_their_extremes() {
    let small = small_file();
    let parts = Parts::of(&small);
    let extremes = ["", "0", "1", "-1", "63", "64", "65", "2147483648", "4294967296"];
    let larger = ["1152921504606846976", "9223372036854775808", "18446744073709551615"];
    let mut refused = 0;
    let bytes = parts.header.as_bytes();
    let digit = |place: usize| bytes.get(place).is_some_and(u8::is_ascii_digit);
    for start in (0..bytes.len()).filter(|&place| digit(place) && !digit(place - 1)) {
        let end = (start..=bytes.len()).find(|&place| !digit(place)).unwrap();
        for value in extremes.into_iter().chain(larger) {
            let header = format!("{}{value}{}", &parts.header[..start], &parts.header[end..]);
            match NetworkFile::read(&Parts { header, ..parts.clone() }.bytes()) {
                Err(_) => refused += 1,
                Ok(file) => assert_eq!(file.parameters(), small.parameters()),
            }
        }
    }
    assert!(refused > 500, "{refused}");
}

#[test]
fn what_cannot_be_stored_is_refused_when_it_is_made() {
    let architecture: nnue::Architecture = "2→4→1 sigmoid".parse().unwrap();
    let parameters = networks::floats(&architecture, &mut Random::new(2));
    let new = |name: String, max: f32, parameters: &nnue::FloatParameters| {
        let description =
            nnue::Description { features: name, ..architecture.clone().into_description() };
        let error = nnue::QuantisationError { positions: 1, mean: 0.0, max };
        let architecture = nnue::Architecture::new(description).unwrap();
        NetworkFile::new(architecture, parameters.clone(), String::new(), Some(error))
    };
    assert!(new("a".repeat(256), 0.0, &parameters).is_ok());
    assert!(new("a".repeat(257), 0.0, &parameters).unwrap_err().to_string().contains("256"));
    assert!(new("a".into(), f32::NAN, &parameters).unwrap_err().to_string().contains("finite"));
    assert!(new("a".into(), -1.0, &parameters).is_err());
    let mut diverged = parameters.clone();
    diverged.heads[0].bias[0] = f32::NAN;
    let error = new("a".into(), 0.0, &diverged).unwrap_err().to_string();
    assert!(error.contains("a weight is NaN in value.bias"), "{error}");
    let mut short = parameters;
    short.feature_bias.pop();
    assert!(new("a".into(), 0.0, &short).unwrap_err().to_string().contains("feature bias"));
}

#[test]
fn kinds_of_file_are_told_apart() {
    let hint = |bytes: &[u8]| match Network::from_bytes(bytes) {
        Err(NetworkError::UnknownFormat(hint)) => hint,
        other => panic!("{other:?}"),
    };
    assert!(hint(b"").contains("empty"));
    assert!(hint(b" \n{\"ft.weight\":").contains("JSON"));
    assert!(hint(b"\x89acc").contains("cut off"));
    assert!(hint(b"\x89accrue\r\n").contains("binary"));
    assert!(hint(b"version https://git-lfs.github.com/spec/v1\n").contains("LFS"));
    assert!(hint(&[0; 4096]).contains("quantised.bin"));
    let network = Network::from_bytes(&small_file().write()).unwrap();
    assert_eq!(network.provenance(), "made by a test");
}
