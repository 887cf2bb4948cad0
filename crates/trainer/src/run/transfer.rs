//! Weight transfer: copies the weights of a network to one with more neurons or other heads.

use nnue::{Architecture, FloatParameters, Weights};

/// A network and its weights.
pub(super) struct Donor<'a> {
    pub(super) architecture: &'a Architecture,
    pub(super) parameters: &'a FloatParameters,
}

impl Donor<'_> {
    /// Copies its weights to another network: all layers, and the heads that both have. Additional
    /// neurons of the other network keep their weights but have no effect on later layers, so that
    /// common heads return the same outputs.
    pub(super) fn put_into(
        &self,
        architecture: &Architecture,
        parameters: &mut FloatParameters,
    ) -> Result<(), String> {
        self.check(architecture)?;
        let (from, to) = (self.parameters, parameters);
        let (narrow, wide) = (self.architecture.accumulator, architecture.accumulator);
        let place = |neuron: usize| {
            // The second half of a pairwise layer is multiplied with the first.
            if narrow.activation.is_pairwise() && neuron >= narrow.width / 2 {
                neuron - narrow.width / 2 + wide.width / 2
            } else {
                neuron
            }
        };
        let rows = from.feature_weights.chunks_exact(narrow.width).chain([&*from.feature_bias]);
        let places = to.feature_weights.chunks_exact_mut(wide.width).chain([&mut *to.feature_bias]);
        for (from, to) in rows.zip(places) {
            for (neuron, &weight) in from.iter().enumerate() {
                to[place(neuron)] = weight;
            }
        }
        let behind = |from: &Weights<f32, f32>, to: &mut Weights<f32, f32>| {
            widen(from, to, narrow.outputs(), wide.outputs());
        };
        let hidden = from.hidden.iter().zip(&mut to.hidden).enumerate();
        for (layer, (from, to)) in hidden {
            if layer == 0 { behind(from, to) } else { to.clone_from(from) }
        }
        for (head, to) in architecture.layer_heads().zip(&mut to.heads) {
            let heads = self.architecture.layer_heads().zip(&from.heads);
            let same = heads.into_iter().find(|(other, _)| *other == head);
            match same {
                Some((_, from)) if architecture.hidden.is_empty() => behind(from, to),
                Some((_, from)) => to.clone_from(from),
                None => {}
            }
        }
        let policies = self.architecture.policy().zip(architecture.policy());
        if policies.is_some_and(|(from, to)| from.is_compatible(to))
            && let (Some(from), Some(to)) = (&from.policy, &mut to.policy)
        {
            behind(from, to);
        }
        Ok(())
    }

    /// Whether the weights have the same meaning in the other network. The error names the
    /// difference.
    fn check(&self, other: &Architecture) -> Result<(), String> {
        let own = self.architecture;
        let (narrow, wide) = (own.accumulator, other.accumulator);
        let differs = if own.features != other.features || own.inputs != other.inputs {
            "features"
        } else if own.perspectives != other.perspectives {
            "perspectives"
        } else if narrow.activation != wide.activation {
            "activation"
        } else if narrow.width > wide.width {
            "accumulator, which must not be narrower"
        } else if own.hidden != other.hidden {
            "hidden layers"
        } else if own.buckets != other.buckets {
            "output buckets"
        } else if own.scales.centipawns.to_bits() != other.scales.centipawns.to_bits() {
            "centipawns"
        } else {
            return Ok(());
        };
        Err(format!(
            "is the network {own}; the configuration describes {other}: \
             they differ in their {differs}"
        ))
    }
}

/// Copies a layer that reads `narrow` values of each perspective into one that reads more. A row
/// has a part for each perspective.
fn widen(from: &Weights<f32, f32>, to: &mut Weights<f32, f32>, narrow: usize, wide: usize) {
    to.weights.fill(0.0);
    for (from, to) in from.weights.chunks_exact(narrow).zip(to.weights.chunks_exact_mut(wide)) {
        to[..narrow].copy_from_slice(from);
    }
    to.bias.clone_from(&from.bias);
}

#[cfg(test)]
mod tests {
    use games::Random;
    use nnue::Network;

    use super::*;
    use crate::export::{measure, random_positions};

    fn network(text: &str, seed: u64) -> (Architecture, FloatParameters) {
        let architecture: Architecture = text.parse().unwrap();
        let random = std::cell::RefCell::new(Random::new(seed));
        let weight = || random.borrow_mut().below(2001) as f32 / 4000.0 - 0.25;
        let parameters = FloatParameters::generate(&architecture, weight, weight, weight, weight);
        (architecture, parameters)
    }

    fn put(from: &str, to: &str) -> Result<[Network; 2], String> {
        let (narrow, weights) = network(from, 1);
        let (wide, mut parameters) = network(to, 2);
        let donor = Donor { architecture: &narrow, parameters: &weights };
        donor.put_into(&wide, &mut parameters)?;
        parameters.check(&wide).unwrap();
        Ok([(narrow, weights), (wide, parameters)]
            .map(|(architecture, weights)| Network::from_floats(architecture, &weights).unwrap()))
    }

    #[test]
    fn wider_networks_answer_the_same() {
        let set = "chess.piece-square";
        let games = dataset::GameList::new().with::<games::chess::Chess>();
        for (narrow, wide) in [
            ("(768→16)×2→1 screlu", "(768→40)×2→1 screlu"),
            ("(768→16)×2→8→1+4+64/64 screlu,crelu", "(768→24)×2→8→1+4+64/64 screlu,crelu"),
            (
                "(768→16)×2→8→1+3+64/384 pairwise,crelu buckets=pieces:8",
                "(768→32)×2→8→1+3+64/384 pairwise,crelu buckets=pieces:8",
            ),
            ("(768→16)×2→4→4→5 crelu,crelu,screlu", "(768→16)×2→4→4→5 crelu,crelu,screlu"),
        ] {
            let [a, b] = put(&format!("{set} {narrow}"), &format!("{set} {wide}")).unwrap();
            let batch = random_positions(a.architecture(), 300, 3, &games).unwrap();
            let report = measure(&a, &b, &[batch]);
            assert!(report.value.max == 0.0, "{wide}: {report:?}");
            assert!(report.quantiles.is_none_or(|errors| errors.max == 0.0), "{wide}");
            assert!(report.wdl.is_none_or(|errors| errors.max == 0.0), "{wide}");
            assert!(report.policy.is_none_or(|policy| policy.logits.max == 0.0), "{wide}");
        }
    }

    #[test]
    fn heads_that_only_one_has_stay_out_of_it() {
        let text = "hexchess.piece-cell (1110→8)×2→";
        let (narrow, weights) = network(&format!("{text}1 screlu"), 1);
        let (wide, mut parameters) = network(&format!("{text}1+4+91/546 screlu"), 2);
        let before = parameters.clone();
        let donor = Donor { architecture: &narrow, parameters: &weights };
        donor.put_into(&wide, &mut parameters).unwrap();
        assert_eq!(parameters.heads[0], weights.heads[0]);
        assert_eq!(parameters.heads[1], before.heads[1]);
        assert_eq!(parameters.policy, before.policy);
        assert_eq!(parameters.feature_weights, weights.feature_weights);
        // In the other direction: only the value.
        let (narrow, mut value) = network(&format!("{text}1 screlu"), 3);
        let donor = Donor { architecture: &wide, parameters: &parameters };
        donor.put_into(&narrow, &mut value).unwrap();
        assert_eq!(value, weights);
    }

    #[test]
    fn what_differs_is_named() {
        let text = "chess.piece-square (768→16)×2→8→1 screlu,crelu";
        for (other, part) in [
            ("chess.piece-square-mirrored (768→16)×2→8→1 screlu,crelu", "features"),
            ("chess.piece-square 768→16→8→1 screlu,crelu", "perspectives"),
            ("chess.piece-square (768→16)×2→8→1 crelu,crelu", "activation"),
            ("chess.piece-square (768→8)×2→8→1 screlu,crelu", "narrower"),
            ("chess.piece-square (768→16)×2→4→1 screlu,crelu", "hidden layers"),
            ("chess.piece-square (768→16)×2→8→1 screlu,crelu buckets=pieces:8", "buckets"),
            (
                "chess.piece-square (768→16)×2→8→1 screlu,crelu scales=255,9,6,64,6,300",
                "centipawns",
            ),
        ] {
            let fault = put(text, other).unwrap_err();
            assert!(fault.contains(part) && fault.contains("is the network"), "{fault}");
        }
    }
}
