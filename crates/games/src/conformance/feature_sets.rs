//! Conformance of feature sets: checks indices, incremental changes, refresh buckets and packed
//! features.

use super::places::{self, Reflections};
use super::{AnySet, Failure, Property, Report, ensure, named_sets};
use crate::{
    Changes, Color, FeatureIndex, FeatureSet, PackedRows, PerspectiveCount, Random, ToolkitGame,
    Update, sorted_active,
};

/// The feature sets of a game, with statistics of their updates.
pub(super) struct Sets<G: ToolkitGame> {
    tracked: Vec<Tracked<G>>,
    reflections: Reflections,
    changes: Changes,
}

struct Tracked<G: ToolkitGame> {
    name: String,
    set: AnySet<G>,
    changes: usize,
    refreshes: usize,
}

/// Checks that different active features have different factors, so that none counts twice.
fn check_factors<G: ToolkitGame>(
    set: &dyn FeatureSet<G>,
    position: &G,
    active: &[FeatureIndex],
) -> Result<(), Failure> {
    if set.factors() == 0 {
        return Ok(());
    }
    let mut factors: Vec<_> = active.iter().map(|&feature| set.factor(feature)).collect();
    factors.sort_unstable();
    let twice = factors.windows(2).find(|pair| pair[0] == pair[1]);
    ensure(twice.is_none(), Property::FeatureFactors, position, || {
        format!("{}: the factor {twice:?} stands behind two active features", set.name())
    })
}

impl<G: ToolkitGame> Sets<G> {
    /// Finds each set by its name, and checks the errors for unknown names.
    pub(super) fn new(more: &[String]) -> Result<Self, Failure> {
        let start = G::start();
        let hold = |holds: bool, detail: &dyn Fn() -> String| {
            ensure(holds, Property::FeatureNames, &start, detail)
        };
        let mut sets = Vec::new();
        for name in named_sets::<G>(more) {
            hold(name.starts_with(&format!("{}.", G::NAME)), &|| {
                format!("`{name}` does not begin with the name of its game")
            })?;
            let set = G::feature_set(&name).map_err(|error| Failure {
                property: Property::FeatureNames,
                fen: start.to_fen(),
                detail: format!("`{name}` is refused: {error}"),
            })?;
            hold(set.name() == name, &|| format!("`{name}` finds `{}`", set.name()))?;
            let beyond = |&feature: &FeatureIndex| set.factor(feature) as usize >= set.factors();
            let wrong = (0..set.size() as FeatureIndex).find(beyond);
            ensure(
                set.factors() == 0 || wrong.is_none(),
                Property::FeatureFactors,
                &start,
                || format!("{name}: the factor behind {wrong:?} is not one of {}", set.factors()),
            )?;
            sets.push(Tracked { name, set, changes: 0, refreshes: 0 });
        }
        for unknown in ["", "no such set", &format!("{}.no-such-set", G::NAME)] {
            let answer = G::feature_set(unknown).map(|set| set.name()).map_err(|e| e.to_string());
            let listed = |text: &String| G::feature_set_names().iter().all(|n| text.contains(n));
            hold(answer.as_ref().is_err_and(listed), &|| {
                format!("`{unknown}` is answered with {answer:?}; expected the known names")
            })?;
        }
        Ok(Self {
            tracked: sets,
            reflections: Reflections::of(&G::geometry()),
            changes: Changes::default(),
        })
    }

    /// Checks that active features are appended, distinct, in range, and not too many.
    pub(super) fn check_active(&self, position: &G) -> Result<(), Failure> {
        const MARK: FeatureIndex = FeatureIndex::MAX;
        for Tracked { name, set, .. } in &self.tracked {
            for perspective in Color::BOTH {
                let hold = |holds: bool, detail: &dyn Fn() -> String| {
                    ensure(holds, Property::FeatureActive, position, || {
                        format!("{name}, {perspective}: {}", detail())
                    })
                };
                let (refresh_bucket, refresh_buckets) =
                    (set.refresh_bucket(position, perspective), set.refresh_buckets());
                hold(refresh_bucket < refresh_buckets, &|| {
                    format!("reads refresh_bucket {refresh_bucket} of {refresh_buckets}")
                })?;
                let mut features = vec![MARK];
                set.active(position, perspective, &mut features);
                hold(features.first() == Some(&MARK), &|| "does not append".to_owned())?;
                let features = sorted_active(&**set, position, perspective);
                let twice = features.windows(2).find(|pair| pair[0] == pair[1]);
                hold(twice.is_none(), &|| format!("{twice:?} is active twice"))?;
                let largest = features.last().map_or(0, |&index| index as usize);
                hold(largest < set.size(), &|| format!("{largest} in a set of {}", set.size()))?;
                let (count, most) = (features.len(), set.max_active());
                hold(count <= most, &|| format!("{count} are active; expected at most {most}"))?;
                check_factors(&**set, position, &features)?;
                places::check(name, &**set, position, perspective, &self.reflections)?;
            }
        }
        Ok(())
    }

    /// Checks that the features of a packed position equal those of the position, and that those of
    /// damaged bytes are in range.
    pub(super) fn check_packed(&self, position: &G, random: &mut Random) -> Result<(), Failure> {
        let ply = random.below(200) as u16;
        let mut packed = Vec::new();
        position.pack(ply, &mut packed);
        for Tracked { name, set, .. } in &self.tracked {
            let hold = |holds: bool, detail: &dyn Fn() -> String| {
                ensure(holds, Property::FeaturePacked, position, || format!("{name}: {}", detail()))
            };
            let (mut features, mut rest) = (Vec::new(), packed.as_slice());
            let rows = set.active_packed(ply, &mut rest, &mut features);
            let Some(PackedRows { middle, pieces }) = rows.filter(|_| rest.is_empty()) else {
                return hold(false, &|| format!("{packed:?} gives {rows:?} and leaves {rest:?}"));
            };
            let middle = middle.min(features.len());
            let (first, second) = features.split_at_mut(middle);
            first.sort_unstable();
            second.sort_unstable();
            let side = position.side_to_move();
            let expected = match set.perspectives() {
                PerspectiveCount::One => {
                    [sorted_active(&**set, position, Color::White), Vec::new()]
                }
                PerspectiveCount::Two => {
                    [side, !side].map(|perspective| sorted_active(&**set, position, perspective))
                }
            };
            hold(expected == [&*first, &*second] && pieces == position.piece_count(), &|| {
                format!("{pieces} pieces, {first:?} and {second:?}; expected {expected:?}")
            })?;
            let mut damaged = packed.clone();
            damaged[random.below(packed.len())] ^= 1 << random.below(8);
            features.clear();
            if let Some(rows) = set.active_packed(ply, &mut damaged.as_slice(), &mut features) {
                let longest = rows.middle.max(features.len().saturating_sub(rows.middle));
                let in_range = features.iter().all(|&feature| (feature as usize) < set.size());
                hold(in_range && longest <= set.max_active(), &|| {
                    format!("{damaged:?} gives {rows:?} and {features:?}")
                })?;
            }
        }
        Ok(())
    }

    /// Checks that the changes between two positions are exactly the difference of their features.
    pub(super) fn check_pair(
        &mut self,
        before: &G,
        after: &G,
        report: &mut Report,
    ) -> Result<(), Failure> {
        for Tracked { name, set, changes, refreshes } in &mut self.tracked {
            for perspective in Color::BOTH {
                // Leftovers of an earlier call must not remain.
                self.changes.added.push(FeatureIndex::MAX);
                self.changes.removed.push(FeatureIndex::MAX);
                let update = set.changes(before, after, perspective, &mut self.changes);
                let refresh_buckets =
                    [before, after].map(|position| set.refresh_bucket(position, perspective));
                let due = refresh_buckets[0] != refresh_buckets[1];
                ensure(
                    (update == Update::Refresh) == due,
                    Property::FeatureRefreshBuckets,
                    before,
                    || {
                        let after = after.to_fen();
                        format!(
                            "{name}, {perspective}, to `{after}`: {update:?} between the refresh buckets {refresh_buckets:?}"
                        )
                    },
                )?;
                if update == Update::Refresh {
                    *refreshes += 1;
                    report.refreshes += 1;
                    continue;
                }
                *changes += 1;
                report.changes += 1;
                let [old, new] = [before, after].map(|p| sorted_active(&**set, p, perspective));
                let expected = Changes { added: without(&new, &old), removed: without(&old, &new) };
                self.changes.added.sort_unstable();
                self.changes.removed.sort_unstable();
                ensure(self.changes == expected, Property::FeatureChanges, before, || {
                    let after = after.to_fen();
                    let found = &self.changes;
                    format!("{name}, {perspective}, to `{after}`: {found:?}; expected {expected:?}")
                })?;
            }
            check_both(name, &**set, before, after)?;
        }
        Ok(())
    }

    /// Checks that Black sees the colour-swapped image as White sees the position, and vice versa.
    pub(super) fn check_swapped(&self, position: &G, image: &G) -> Result<(), Failure> {
        for Tracked { name, set, .. } in &self.tracked {
            if set.perspectives() == PerspectiveCount::One {
                continue;
            }
            for perspective in Color::BOTH {
                let own = sorted_active(&**set, position, perspective);
                let other = sorted_active(&**set, image, !perspective);
                ensure(own == other, Property::FeaturePerspective, position, || {
                    format!(
                        "{name}: {perspective} sees {own:?}, {} in the image {other:?}",
                        !perspective
                    )
                })?;
            }
        }
        Ok(())
    }

    /// Checks that each set supported some incremental updates.
    pub(super) fn check_updates(&self) -> Result<(), Failure> {
        for Tracked { name, changes, refreshes, .. } in &self.tracked {
            let useful = *changes > 0 || *refreshes == 0;
            ensure(useful, Property::FeatureRefresh, &G::start(), || {
                format!("{name} asked for a refresh all {refreshes} times")
            })?;
        }
        Ok(())
    }
}

/// Checks that the changes of both perspectives at once equal those of each perspective.
fn check_both<G: ToolkitGame>(
    name: &str,
    set: &dyn FeatureSet<G>,
    before: &G,
    after: &G,
) -> Result<(), Failure> {
    // Leftovers of an earlier call must not remain.
    let mut added = [[FeatureIndex::MAX; 2]; 8];
    let mut removed = added;
    let Some(counts) = set.changes_both(before, after, &mut added, &mut removed) else {
        return Ok(());
    };
    let [added, removed] = [(&added, counts[0]), (&removed, counts[1])]
        .map(|(pairs, count)| &pairs[..pairs.len().min(count.into())]);
    for (number, perspective) in Color::BOTH.into_iter().enumerate() {
        let of_perspective = |pairs: &[[FeatureIndex; 2]]| {
            let mut features: Vec<_> = pairs.iter().map(|pair| pair[number]).collect();
            features.sort_unstable();
            features
        };
        let found = Changes { added: of_perspective(added), removed: of_perspective(removed) };
        let mut expected = Changes::default();
        let update = set.changes(before, after, perspective, &mut expected);
        expected.added.sort_unstable();
        expected.removed.sort_unstable();
        let right = update == Update::Changes && found == expected;
        ensure(right, Property::FeatureChanges, before, || {
            let after = after.to_fen();
            format!(
                "{name}, both, {perspective}, to `{after}`: {found:?}; expected {update:?} {expected:?}"
            )
        })?;
    }
    Ok(())
}

/// The items of a sorted list that are not in another sorted list.
fn without(list: &[FeatureIndex], other: &[FeatureIndex]) -> Vec<FeatureIndex> {
    list.iter().filter(|index| other.binary_search(index).is_err()).copied().collect()
}
