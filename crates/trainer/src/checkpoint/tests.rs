use super::*;
use crate::{HeadLoss, Losses};

const CONFIG: &str = "[network]\naccumulator = 4\n";

fn progress() -> TrainingProgress {
    TrainingProgress {
        step: 7,
        positions: 700,
        place: [1, 2, 3],
        threads: 2,
        random: 99,
        since_best: 1,
        best: Some(Best { loss: 0.25, step: 5 }),
        superbatch: Losses {
            total: 1.5,
            positions: 30,
            heads: vec![HeadLoss { sum: 1.25, positions: 29 }, HeadLoss::default()],
        },
    }
}

fn tensors() -> [(String, Vec<f32>); 3] {
    [
        ("accumulator.weight".into(), vec![0.5, -1.0, f32::MIN_POSITIVE]),
        ("value.bias".into(), vec![3.0]),
        ("empty".into(), vec![]),
    ]
}

fn write(progress: &TrainingProgress) -> Vec<u8> {
    let tensors = tensors();
    let tensors: Vec<_> = tensors.iter().map(|(name, list)| (name.clone(), &list[..])).collect();
    let mut bytes = Vec::new();
    write_checkpoint(&mut bytes, CONFIG, progress, &tensors).unwrap();
    bytes
}

#[test]
fn what_is_written_is_read() {
    for progress in [progress(), TrainingProgress::default()] {
        let checkpoint = Checkpoint::from_bytes(write(&progress)).unwrap();
        assert_eq!(checkpoint.config(), CONFIG);
        assert_eq!(checkpoint.progress(), &progress);
        for (name, values) in tensors() {
            let mut copy = vec![0.0; values.len()];
            checkpoint.copy(&name, &mut copy).unwrap();
            assert_eq!(copy, values);
            let wrong = checkpoint.copy(&name, &mut vec![0.0; values.len() + 1]);
            assert!(matches!(wrong, Err(CheckpointError::Tensor { .. })));
        }
        assert!(checkpoint.copy("other", &mut [0.0]).is_err());
    }
}

#[test]
fn damage_of_any_byte_and_any_truncation_is_noticed() {
    let bytes = write(&progress());
    for place in 0..bytes.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[place] ^= flip;
            assert!(Checkpoint::from_bytes(damaged).is_err(), "byte {place} ^ {flip:#x}");
        }
        assert!(Checkpoint::from_bytes(bytes[..place].to_vec()).is_err(), "length {place}");
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(Checkpoint::from_bytes(longer).is_err());
}

/// Wrong lengths are refused even if the checksum is correct.
#[test]
fn lying_lengths_are_refused() {
    let bytes = write(&progress());
    for place in (8..bytes.len() - SUFFIX).filter(|place| !(16..24).contains(place)) {
        let mut lying = bytes.clone();
        let end = (place + 8).min(bytes.len() - SUFFIX);
        lying[place..end].fill(0xff);
        let content = lying.len() - SUFFIX;
        let sum = crc32fast::hash(&lying[..content]).to_le_bytes();
        lying[content..].copy_from_slice(&sum);
        // It must end, with a result or an error, without allocating more than the size of the
        // file.
        if let Ok(checkpoint) = Checkpoint::from_bytes(lying) {
            assert!(checkpoint.tensors.iter().all(|(_, range)| range.end <= bytes.len()));
        }
    }
}

#[test]
fn weights_that_are_no_numbers_are_not_kept() {
    assert!(check_finite(&[("a".into(), &[1.0, -2.0])]).is_ok());
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let error = check_finite(&[("a".into(), &[1.0]), ("b".into(), &[bad])]).unwrap_err();
        assert!(error.to_string().starts_with("b holds"), "{error}");
    }
}

#[test]
fn a_folder_keeps_the_last_and_the_best() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = CheckpointFolder::new(temporary.path());
    assert!(folder.latest().unwrap().is_none());
    for step in 1..=6 {
        let progress = TrainingProgress { step, ..progress() };
        folder.save(step, |writer| writer.write_all(&write(&progress))).unwrap();
        if step == 2 {
            folder.name_best(step).unwrap();
        }
        folder.prune(3).unwrap();
    }
    assert_eq!(folder.steps().unwrap(), [6, 5, 4]);
    assert_eq!(folder.latest().unwrap().unwrap().checkpoint.progress().step, 6);
    assert_eq!(Checkpoint::read(&folder.best()).unwrap().progress().step, 2);
    assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 4);
}

#[test]
fn a_damaged_newest_checkpoint_gives_way_to_the_one_before() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = CheckpointFolder::new(temporary.path());
    for step in [10, 20, 30] {
        let progress = TrainingProgress { step, ..progress() };
        folder.save(step, |writer| writer.write_all(&write(&progress))).unwrap();
    }
    fs::write(folder.file(30), b"").unwrap();
    fs::write(folder.file(20), &write(&progress())[..50]).unwrap();
    let found = folder.latest().unwrap().unwrap();
    assert_eq!((found.checkpoint.progress().step, found.damaged.len()), (10, 2));
    folder.set_aside_after(10).unwrap();
    assert_eq!(folder.steps().unwrap(), [10]);
    fs::write(folder.file(10), b"x").unwrap();
    assert!(folder.latest().is_err());
}

#[test]
fn a_full_disk_loses_nothing() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = CheckpointFolder::new(temporary.path());
    let bytes = write(&progress());
    folder.save(7, |writer| writer.write_all(&bytes)).unwrap();
    for room in [0, 1, bytes.len() / 2] {
        let error = folder.save(8, |writer| {
            writer.write_all(&bytes[..room])?;
            Err(io::ErrorKind::StorageFull.into())
        });
        let error = error.unwrap_err().to_string();
        assert!(error.contains("checkpoint-000000008.ckpt"), "{error}");
        assert_eq!(fs::read(folder.file(7)).unwrap(), bytes);
        assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 1);
    }
    // A failed overwrite also keeps the existing file.
    assert!(folder.save(7, |_| Err(io::ErrorKind::StorageFull.into())).is_err());
    assert_eq!(fs::read(folder.file(7)).unwrap(), bytes);
}
