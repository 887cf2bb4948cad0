//! Selection of neurons: those with the largest weights, and the mean weight on each cell.

use games::FeaturePlace;

use super::{
    FirstLayer, MAX_NEURONS, NeuronBoards, NeuronError, NeuronRow, NeuronSelection, PieceColumn,
};

pub(super) fn boards(
    layer: &FirstLayer<'_>,
    selection: &NeuronSelection,
) -> Result<NeuronBoards, NeuronError> {
    let FirstLayer { geometry, places, weights, width } = *layer;
    if weights.len() != places.len() * width {
        let (weights, features) = (weights.len(), places.len());
        return Err(NeuronError::Size { weights, features, width });
    }
    let buckets = places.iter().flatten().map(|place| place.bucket + 1).max().unwrap_or(0);
    let places = selected_places(places, buckets, selection)?;
    let columns = columns(&places);
    let numbers = selected_neurons(layer, &places, selection)?;
    let row = |number: usize| {
        let weights = columns.iter().map(|column| mean_weights(layer, &places, *column, number));
        NeuronRow { number, weights: weights.collect() }
    };
    let bucket = match selection.bucket {
        Some(bucket) => format!(", king bucket {bucket}"),
        None if buckets > 1 => format!(", mean of {buckets} king buckets"),
        None => String::new(),
    };
    let neurons = numbers.into_iter().map(row).collect();
    Ok(NeuronBoards { geometry: geometry.clone(), width, bucket, columns, neurons })
}

/// The places of the features that are drawn; `None` for all others.
fn selected_places(
    places: &[Option<FeaturePlace>],
    buckets: usize,
    selection: &NeuronSelection,
) -> Result<Vec<Option<FeaturePlace>>, NeuronError> {
    let mut known = String::new();
    for place in places.iter().flatten() {
        if !known.contains(place.piece) {
            known.push(place.piece);
        }
    }
    let wanted: Vec<char> = selection.pieces.iter().map(char::to_ascii_uppercase).collect();
    if let Some(&piece) = wanted.iter().find(|piece| !known.contains(**piece)) {
        return Err(NeuronError::UnknownPiece { piece, known });
    }
    if let Some(bucket) = selection.bucket.filter(|bucket| *bucket >= buckets) {
        return Err(NeuronError::UnknownBucket { bucket, buckets });
    }
    let is_drawn = |place: &FeaturePlace| {
        selection.bucket.is_none_or(|bucket| bucket == place.bucket)
            && (wanted.is_empty() || wanted.contains(&place.piece))
    };
    Ok(places.iter().map(|place| place.filter(is_drawn)).collect())
}

/// The kinds of pieces, own ones first, in the order that the set numbers them by.
fn columns(places: &[Option<FeaturePlace>]) -> Vec<PieceColumn> {
    let mut columns: Vec<PieceColumn> = Vec::new();
    for place in places.iter().flatten() {
        let column = PieceColumn { piece: place.piece, theirs: place.theirs };
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    columns.sort_by_key(|column| column.theirs);
    columns
}

/// The numbers of the neurons that are drawn: by the weights that are shown, unless they are named.
fn selected_neurons(
    layer: &FirstLayer<'_>,
    places: &[Option<FeaturePlace>],
    selection: &NeuronSelection,
) -> Result<Vec<usize>, NeuronError> {
    let NeuronSelection { count, only, .. } = selection;
    let width = layer.width;
    let count = if only.is_empty() { *count } else { only.len() };
    if !(1..=MAX_NEURONS).contains(&count) {
        return Err(NeuronError::Count { count });
    }
    if let Some(&number) = only.iter().find(|number| **number >= width) {
        return Err(NeuronError::UnknownNeuron { number, width });
    }
    if !only.is_empty() {
        return Ok(only.clone());
    }
    let mut sizes = vec![0.0_f64; width];
    let rows = layer.weights.chunks_exact(width.max(1)).zip(places);
    for (row, _) in rows.filter(|(_, place)| place.is_some()) {
        for (size, weight) in sizes.iter_mut().zip(row) {
            *size += f64::from(*weight) * f64::from(*weight);
        }
    }
    let mut numbers: Vec<usize> = (0..width).collect();
    numbers.sort_by(|&a, &b| sizes[b].total_cmp(&sizes[a]));
    numbers.truncate(count);
    Ok(numbers)
}

/// For each cell, the mean weight of the features that stand for that piece there; not a number if
/// none does.
fn mean_weights(
    layer: &FirstLayer<'_>,
    places: &[Option<FeaturePlace>],
    column: PieceColumn,
    neuron: usize,
) -> Vec<f32> {
    let mut sums = vec![(0.0, 0.0); layer.geometry.cells.len()];
    for (feature, place) in places.iter().enumerate() {
        let Some(place) = place else { continue };
        if (place.piece, place.theirs) == (column.piece, column.theirs)
            && let Some((sum, count)) = sums.get_mut(place.cell)
        {
            *sum += layer.weights[feature * layer.width + neuron];
            *count += 1.0;
        }
    }
    sums.into_iter().map(|(sum, count)| sum / count).collect()
}
