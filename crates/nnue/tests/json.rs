//! Matrices in JSON: transposed, quantised, and refused where they make no sense.

#[path = "file_support/networks.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod networks;

use networks::Random;
use nnue::{Accumulator, Activation, FileParameters, IntegerParameters, read_json};

/// Two neurons, three features; every value shows where it stands.
const SMALL: &str = r#"{
    "comment": {"by": ["hand", null, true, {"a\u0041\n": -1.5e-3}], "x": []},
    "ft.weight": [[0.1, 0.2, 0.3], [-1, -2.5, 1e1]],
    "ft.bias": [0.5, -0.002],
    "out.weight": [[1, -1, 0.0078125, 2]],
    "out.bias": [0.25]
}
"#;

fn integers(text: &str) -> Result<IntegerParameters, String> {
    let file = read_json(text.as_bytes(), "raw:3", Activation::Screlu);
    let file = file.map_err(|error| error.to_string())?;
    let FileParameters::Integer(parameters) = file.parameters() else { panic!() };
    Ok(parameters.clone())
}

#[test]
fn values_are_transposed_scaled_and_rounded() {
    let parameters = integers(SMALL).unwrap();
    // × 255: 25.5 and 76.5 are halves, which go away from zero.
    assert_eq!(parameters.feature_weights, [26, -255, 51, -638, 77, 2550]);
    assert_eq!(parameters.feature_bias, [128, -1]);
    // × 64, and the bias × 255 · 64.
    assert_eq!(parameters.heads[0].weights, [64, -64, 1, 128]);
    assert_eq!(parameters.heads[0].bias, [4080]);
    let file = read_json(SMALL.as_bytes(), "raw:3", Activation::Crelu).unwrap();
    assert_eq!(file.architecture().to_string(), "(3→2)×2→1 crelu");
    assert_eq!(file.architecture().scales, nnue::Scales::usual(Activation::Crelu, 0));
}

#[test]
fn a_plain_list_is_one_row() {
    let flat = SMALL.replace("[[1, -1, 0.0078125, 2]]", "[1, -1, 0.0078125, 2]");
    assert_ne!(flat, SMALL);
    assert_eq!(integers(&flat), integers(SMALL));
}

#[test]
fn faults_are_named() {
    for (old, new, fragment) in [
        ("\"ft.bias\"", "\"ft.b\"", "without ft.bias"),
        ("\"comment\"", "\"ft.bias\"", "`{\"by\""),
        ("[0.25]", "[0.25], \"ft.bias\": [1, 2]", "with ft.bias twice"),
        ("[0.5, -0.002]", "[0.5, -0.002, 1]", "ft.bias is 1×3 numbers; expected 1×2"),
        ("[0.5, -0.002]", "[0.5, [1]]", "mixed"),
        ("[0.5, -0.002]", "[]", "ft.bias is empty"),
        ("[[1, -1", "[[1], [1, -1", "with 4 numbers in row 1; expected 1 numbers"),
        ("0.0078125, 2]", "0.0078125]", "out.weight is 1×3 numbers; expected 1×4"),
        ("[0.25]", "[0.25, 0]", "out.bias"),
        ("1e1", "129", "ft.weight is 129; expected less than 128.502 in size"),
        ("-2.5", "-1e300", "ft.weight is -1000000"),
        ("-2.5", "-1e400", "below 10^308"),
        ("0.0078125", "512", "out.weight is 512"),
        ("[0.25]", "[1e6]", "out.bias is 1000000; expected less than 131586.008"),
        ("0.25", ".25", "a number"),
        ("0.25", "0.", "digits after the point"),
        ("0.25", "00", "`,`"),
        ("0.25", "1e", "digits of an exponent"),
        ("0.25", "NaN", "a number"),
        ("0.25", "+1", "a number"),
        ("0.25", "\"1\"", "a number"),
        ("null", "nul", "a value"),
        ("\\u0041", "\\u00g1", "hexadecimal"),
        ("\\n", "\\x", "escape"),
        ("hand", "ha\nnd", "the rest of a string"),
        ("}\n", "} {\n", "the end"),
        ("}\n", "", "an end after"),
        ("0.25]\n}", "0.25],\n}", "`\"`"),
    ] {
        let text = SMALL.replacen(old, new, 1);
        assert_ne!(text, SMALL, "{old}");
        let error = integers(&text).expect_err(new);
        assert!(error.contains(fragment), "{old} → {new}: {error}");
    }
    let error = read_json(b"\xFF{}", "raw:3", Activation::Screlu).unwrap_err().to_string();
    assert!(error.contains("UTF-8"), "{error}");
    let error = read_json(SMALL.as_bytes(), "raw:3", Activation::Tanh).unwrap_err().to_string();
    assert!(error.contains("integers"), "{error}");
    let error = read_json(SMALL.as_bytes(), "a name", Activation::Screlu).unwrap_err().to_string();
    assert!(error.contains("without spaces"), "{error}");
}

#[test]
fn nesting_has_a_limit() {
    let nested = |depth| {
        let value = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        integers(&SMALL.replacen("null", &value, 1))
    };
    assert!(nested(60).is_ok());
    assert!(nested(64).unwrap_err().contains("at most 64 levels"));
    // Not a stack overflow.
    assert!(nested(1_000_000).unwrap_err().contains("at most 64 levels"));
}

#[test]
fn every_prefix_is_refused() {
    for end in 0..SMALL.trim_end().len() {
        assert!(integers(&SMALL[..end]).is_err(), "{end}");
    }
}

/// A network of the size that the format is for, against floats in double precision.
#[test]
fn quantised_is_close_to_the_floats() {
    const NEURONS: usize = 32;
    const FEATURES: usize = 768;
    let mut random = Random::new(5);
    let mut many = |count: usize, max: f32| -> Vec<f64> {
        (0..count).map(|_| f64::from(random.unit() * max)).collect()
    };
    let weights = many(NEURONS * FEATURES, 0.2);
    let (bias, output) = (many(NEURONS, 0.5), many(2 * NEURONS, 0.7));
    let rows: Vec<&[f64]> = weights.chunks(FEATURES).collect();
    let text = format!(
        "{{\"ft.weight\":{rows:?},\"ft.bias\":{bias:?},\"out.weight\":[{output:?}],\
         \"out.bias\":[-0.125]}}"
    );
    let file = read_json(text.as_bytes(), "chess.piece-square", Activation::Screlu).unwrap();
    assert_eq!(file.architecture().to_string(), "chess.piece-square (768→32)×2→1 screlu");
    let network = file.to_network().unwrap();
    let mut workspace = network.workspace();
    let mut random = Random::new(6);
    for _ in 0..200 {
        let active = [(); 2]
            .map(|()| -> Vec<u32> { (0..20).map(|_| random.below(FEATURES) as u32).collect() });
        let mut sum = -0.125;
        for (view, active) in active.iter().enumerate() {
            for neuron in 0..NEURONS {
                let value: f64 = active.iter().map(|&feature| rows[neuron][feature as usize]).sum();
                let clipped = (value + bias[neuron]).clamp(0.0, 1.0);
                sum += clipped * clipped * output[view * NEURONS + neuron];
            }
        }
        let views = active.each_ref().map(|active| {
            let mut view = Accumulator::new(&network);
            network.refresh(&mut view, active);
            view
        });
        let found = network.evaluate(views.each_ref(), 0, 20, &mut workspace);
        assert!((f64::from(found) - sum * 400.0).abs() < 25.0, "{found} {}", sum * 400.0);
    }
}
