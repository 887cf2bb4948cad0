//! Files of both versions: version 1 is read, version 2 names what version 1 left to be guessed.

#[path = "file_support/bytes.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod bytes;
#[path = "file_support/networks.rs"]
mod networks;

use bytes::{Parts, seal};
use networks::{Random, answers, file};
use nnue::{
    Calibration, CalibrationRanges, ConformalAdjustment, MoveEncoding, Network, NetworkFile,
    PolicyCalibration, ScoreModel,
};

const NETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../nets");

/// A network with everything that the versions store differently.
fn calibrated() -> NetworkFile {
    let line = "t (9→6)×2→4→1+4+3+2/3:piece-to screlu,crelu buckets=pieces:2";
    let file = file(&line.parse().unwrap(), true, &mut Random::new(8));
    let policy = PolicyCalibration {
        move_classes: PolicyCalibration::MOVE_CLASSES_V1.into(),
        inverse_temperature: 0.75,
        class_biases: vec![0.5, -1.25],
    };
    let adjustments = vec![ConformalAdjustment::IDENTITY];
    let calibration = Calibration::new(7, CalibrationRanges::default(), adjustments).unwrap();
    let calibration = calibration.with_policy(Some(policy)).unwrap();
    file.with_calibration(Some(calibration)).unwrap()
}

fn with_model(file: NetworkFile) -> NetworkFile {
    let model = ScoreModel::new(&[120.0, 40.5], &[90.25], 3..=32, 1234, 56_789).unwrap();
    file.with_score_model(Some(model))
}

/// The same network as version 1 stores it.
fn version_1(file: &NetworkFile) -> Vec<u8> {
    let names = "value:sigmoid+anchored-quantiles+wdl+policy:piece-to:2/3";
    let parts = Parts::of(file).with(names, "1+4+3+2/3");
    let parts = parts.with("anchored-quantiles.weights", "widths.weights");
    let mut parts = parts.with("anchored-quantiles.bias", "widths.bias");
    // The calibration is the last section: a line can be left out without moving others.
    let line = "move-classes see-check-threat-1\n";
    let length = line.len();
    let place = parts.sections.windows(length).position(|bytes| bytes == line.as_bytes()).unwrap();
    parts.sections.drain(place..place + length);
    let old = parts.header.lines().find(|line| line.contains("section calibration")).unwrap();
    let (rest, size) = old.rsplit_once(' ').unwrap();
    let new = format!("{rest} {}", size.parse::<usize>().unwrap() - length);
    let mut bytes = parts.with(old, &new).bytes();
    bytes[8] = 1;
    seal(&mut bytes);
    bytes
}

#[test]
fn version_1_is_read() {
    let file = calibrated();
    let old = NetworkFile::read(&version_1(&file)).unwrap();
    assert_eq!(old.parameters(), file.parameters());
    assert_eq!(old.calibration(), file.calibration(), "there was one scheme of move classes");
    assert_eq!(old.score_model(), None);
    let policy = old.architecture().policy().unwrap();
    assert_eq!((policy.from, policy.to, policy.moves), (2, 3, None), "left to the game to find");
    // Once it is known, the network is the same in every respect.
    assert_eq!(old.with_move_encoding(MoveEncoding::PieceTo), file);
}

#[test]
fn version_1_has_no_score_model() {
    let mut bytes = with_model(calibrated()).write();
    bytes[8] = 1;
    seal(&mut bytes);
    let error = NetworkFile::read(&bytes).unwrap_err().to_string();
    assert!(error.contains("anchored-quantiles") || error.contains("widths"), "{error}");
    let line = "2→4→1 sigmoid";
    let plain = file(&line.parse().unwrap(), false, &mut Random::new(1));
    let mut bytes = with_model(plain).write();
    bytes[8] = 1;
    seal(&mut bytes);
    let error = NetworkFile::read(&bytes).unwrap_err().to_string();
    assert!(error.contains("section is score-model"), "{error}");
}

#[test]
fn the_networks_of_the_project_are_read_and_written() {
    let mut found = 0;
    for entry in std::fs::read_dir(NETS).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "accrue") {
            continue;
        }
        found += 1;
        let bytes = std::fs::read(&path).unwrap();
        let file = NetworkFile::read(&bytes).unwrap();
        let again = NetworkFile::read(&file.write()).unwrap();
        assert_eq!(again, file, "{}", path.display());
        let [a, b] = [&bytes, &file.write()].map(|bytes| Network::from_bytes(bytes).unwrap());
        let [a, b] = [a, b].map(|network| answers(&network, &mut Random::new(5)));
        assert_eq!(a, b, "{}", path.display());
    }
    assert!(found > 0, "there are networks in {NETS}");
}

#[test]
fn version_2_names_everything() {
    let parts = Parts::of(&with_model(calibrated()));
    let names = "→value:sigmoid+anchored-quantiles+wdl+policy:piece-to:2/3 ";
    assert!(parts.header.contains(names), "{}", parts.header);
    let text = String::from_utf8_lossy(&parts.sections);
    assert!(text.contains("move-classes see-check-threat-1\npolicy 0.75 0.5 -1.25\n"));
    assert!(
        text.contains("games 1234\npositions 56789\npieces 3 32\nmidpoint 120 40.5\nscale 90.25\n")
    );
}

/// What a text says is checked as what a caller says is.
#[test]
fn texts_that_make_no_sense_are_refused_by_name() {
    let parts = Parts::of(&with_model(calibrated()));
    let changed = |old: &str, new: &str| {
        assert_eq!(old.len(), new.len());
        let place = parts.sections.windows(old.len()).position(|bytes| bytes == old.as_bytes());
        let mut parts = parts.clone();
        let place = place.unwrap();
        parts.sections[place..place + old.len()].copy_from_slice(new.as_bytes());
        NetworkFile::read(&parts.bytes()).unwrap_err().to_string()
    };
    for (old, new, word) in [
        ("pieces 3 32", "pieces 39 2", "39 to 2"),
        ("pieces 3 32", "pieces 3-32", "3-32"),
        ("scale 90.25", "scale 00.00", "scale is 0"),
        ("scale 90.25", "scale  90.2", "score model"),
        ("scale 90.25", "slope 90.25", "begins with scale"),
        ("midpoint 120", "midpoint NaN", "finite"),
        ("midpoint 120", "midpoint -99", "midpoint is -"),
        ("games 1234", "games -234", "-234"),
        ("move-classes see-check", "move-classes see check", "move classes"),
        ("move-classes see", "move-clothes see", "calibration"),
        ("policy 0.75", "policy -.75", "negative"),
        ("positions 7", "positions x", "is x"),
    ] {
        let error = changed(old, new);
        assert!(error.contains(word), "{new}: {error}");
    }
    // A section that should hold numbers, and one that is no text.
    let error = |old: &str, new: &str| {
        NetworkFile::read(&parts.with(old, new).bytes()).unwrap_err().to_string()
    };
    assert!(error("score-model utf8", "score-model i16").contains("section type is i16"));
    assert!(error("section score-model", "section score_model").contains("section is score_model"));
}
