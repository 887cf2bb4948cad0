//! Names and values of parameters: what is accepted, what is refused, and what old names became.

use super::error::RENAMED;
use super::{NamedNumbers, Param, ParamError, Params, Selectivity};

fn refusal(name: &str, value: &str) -> String {
    Params::default().parse(name, value).unwrap_err().to_string()
}

#[test]
fn every_parameter_is_found_by_name() {
    let mut params = Params::default();
    for &Param { name, default, min, max } in Params::LIST {
        assert!((min..=max).contains(&default), "{name}");
        assert_eq!(params.get(name), Some(default));
        for (value, expected) in [(i32::MAX, max), (i32::MIN, min)] {
            assert!(params.set(name, value));
            assert_eq!(params.get(name), Some(expected));
        }
        assert_eq!(params.parse(name, &default.to_string()), Ok(()));
        assert_eq!(Params::find(name).map(|param| param.name), Ok(name));
    }
    // A number that was set by its name is not replaced by that of a network, whatever its value.
    assert_ne!(params.named, NamedNumbers::default());
    params.named = NamedNumbers::default();
    assert_eq!(params, Params::default());
    for choice in Params::CHOICES {
        assert!(choice.values.contains(&choice.default), "{}", choice.name);
        for value in choice.values {
            assert_eq!(params.parse(choice.name, value), Ok(()));
        }
        assert_eq!(params.parse(choice.name, choice.default), Ok(()));
    }
    assert_eq!(params, Params::default());
}

#[test]
fn old_names_lead_to_the_new_ones() {
    let known = |name: &str| {
        Params::LIST.iter().any(|param| param.name == name)
            || Params::CHOICES.iter().any(|choice| choice.name == name)
    };
    for (number, &(old, new)) in RENAMED.iter().enumerate() {
        assert!(!known(old), "{old} is a present name");
        assert!(known(new), "{new} is not a parameter");
        assert!(!RENAMED[..number].iter().any(|&(a, b)| a == old || b == new), "{old} is twice");
        assert_eq!(Params::renamed(old), Some(new));
        let error = ParamError::Renamed { old: old.to_owned(), new };
        assert!(error.to_string().contains(new));
        assert_eq!(Params::default().parse(old, "1"), Err(error.clone()));
        assert_eq!(Params::find(old), Err(error));
    }
    assert_eq!(Params::renamed("futility_base"), None);
    assert_eq!(Params::renamed("no such parameter"), None);
}

#[test]
fn choices_have_names_and_their_numbers_are_refused() {
    let mut params = Params::default();
    assert_eq!(params.parse("learned_ordering", "learned"), Ok(()));
    assert_eq!(params.learned_ordering, Selectivity::Learned);
    for (name, number, new) in [
        ("learned_ordering", "0", "classical"),
        ("learned_reductions", "1", "learned"),
        ("learned_cutoffs", "2", "both"),
        ("learned_verification", "1", "null-move"),
        ("learned_gate", "2", "width"),
    ] {
        let error = refusal(name, number);
        assert!(error.contains(name) && error.contains(&format!("`{new}`")), "{error}");
    }
    assert_eq!(
        refusal("learned_ordering", "policy"),
        "learned_ordering is `policy`; expected classical, learned, both"
    );
    assert!(refusal("learned_gate", "3").contains("expected never, decision, width"));
    let error = Params::find("learned_gate").unwrap_err().to_string();
    assert!(error.contains("cannot be tuned") && error.contains("decision"), "{error}");
}

#[test]
fn numbers_outside_their_range_are_refused() {
    for value in ["9999", "-1", "", "ninety", "90.0"] {
        let error = refusal("futility_base", value);
        assert_eq!(
            error,
            format!("futility_base is `{value}`; expected a whole number from 13 to 162")
        );
    }
    let error = refusal("futility", "1");
    assert!(error.contains("no parameter `futility`; expected one of"), "{error}");
    assert!(error.contains("futility_base") && error.contains("learned_gate"), "{error}");
    assert!(!Params::default().set("learned_ordering", 1));
}
