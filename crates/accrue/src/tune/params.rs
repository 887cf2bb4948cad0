//! Tuned parameters: which numbers `accrue tune` changes, by name, by group, or all that the search
//! reads.

use anyhow::{Context, anyhow, bail};
use arena::tune::TunedParam;
use search::{Param, Params, SearchMode};

/// What is tuned, and in which mode.
#[derive(Debug, clap::Args)]
pub(super) struct ParamArgs {
    /// The search mode of both sides: auto (as the engine plays), classical, learned or seed
    #[arg(long, value_name = "MODE", default_value_t = SearchMode::Auto, hide_default_value = true)]
    pub(super) mode: SearchMode,

    /// A parameter to tune: NAME, NAME=START or NAME=START:STEP; may be repeated [default: all]
    #[arg(long = "param", value_name = "NAME")]
    params: Vec<String>,

    /// A group of parameters to tune, by the prefix of their names, such as lmr; may be repeated
    #[arg(long = "group", value_name = "NAME")]
    groups: Vec<String>,
}

/// The searches of the games, as far as they decide which numbers have an effect.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchConditions {
    /// The resolved mode.
    pub(super) mode: SearchMode,
    /// Whether games are played by the clock.
    pub(super) clock: bool,
}

impl SearchConditions {
    /// Why a number has no effect; `None` if it has one.
    fn obstacle(self, param: &Param) -> Option<String> {
        if !self.clock && param.needs_clock() {
            return Some("it has no effect without a clock; expected --tc".to_owned());
        }
        let read = Params::default().reads(param, self.mode);
        (!read).then(|| {
            let mode = self.mode;
            format!(
                "a search in {mode} mode does not read it; expected another --mode or parameter"
            )
        })
    }

    fn has_effect(self, param: &Param) -> bool {
        self.obstacle(param).is_none()
    }
}

impl ParamArgs {
    /// The parameters to tune; `step` is the perturbation as a share of each range.
    pub(super) fn tuned_params(
        &self,
        conditions: SearchConditions,
        step: f64,
    ) -> anyhow::Result<Vec<TunedParam>> {
        let mut tuned = Vec::new();
        for text in &self.params {
            let (param, start_step) = named(text)?;
            if let Some(obstacle) = conditions.obstacle(param) {
                bail!("--param {}: {obstacle}", param.name);
            }
            tuned.push(tuned_param(param, start_step, step));
        }
        let all = self.params.is_empty() && self.groups.is_empty();
        let mut chosen: Vec<&Param> = if all { Params::LIST.iter().collect() } else { Vec::new() };
        chosen.retain(|param| conditions.has_effect(param));
        for group in &self.groups {
            let params =
                Params::in_group(group).map_err(|error| anyhow!("--group {group}: {error}"))?;
            let with_effect = params.iter().filter(|param| conditions.has_effect(param));
            let with_effect: Vec<&Param> = with_effect.copied().collect();
            if let ([], Some(obstacle)) = (&*with_effect, conditions.obstacle(params[0])) {
                bail!(
                    "--group {group}: none of its numbers has an effect: {}, {obstacle}",
                    params[0].name
                );
            }
            chosen.extend(with_effect);
        }
        for param in chosen {
            // `--param` has the last word on a number of a group.
            if !tuned.iter().any(|other: &TunedParam| other.name == param.name) {
                tuned.push(tuned_param(param, (None, None), step));
            }
        }
        Ok(tuned)
    }
}

/// Start and step, where they are given.
type StartStep = (Option<f64>, Option<f64>);

/// A parameter as `NAME`, `NAME=START` or `NAME=START:STEP`.
fn named(text: &str) -> anyhow::Result<(&'static Param, StartStep)> {
    let (name, numbers) = text.split_once('=').map_or((text, None), |(n, v)| (n, Some(v)));
    let param = Params::find(name).map_err(|error| anyhow!("--param {text}: {error}"))?;
    let (start, step) = match numbers.map(|numbers| numbers.split_once(':')) {
        None => (None, None),
        Some(None) => (numbers, None),
        Some(Some((start, step))) => (Some(start), Some(step)),
    };
    let number = |text: Option<&str>| text.map(str::parse::<f64>).transpose();
    let numbers = number(start).and_then(|start| Ok((start, number(step)?)));
    let numbers = numbers.with_context(|| {
        format!("--param {text}: expected {name}=START:STEP, such as {name}={}", param.default)
    })?;
    Ok((param, numbers))
}

fn tuned_param(param: &Param, (start, step): StartStep, share: f64) -> TunedParam {
    let [default, min, max] = [param.default, param.min, param.max].map(f64::from);
    // A smaller perturbation often rounds to no difference at all.
    let usual = (share * (max - min)).max(0.5);
    TunedParam {
        name: param.name.to_owned(),
        start: start.unwrap_or(default),
        min,
        max,
        step: step.unwrap_or(usual),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(params: &[&str], groups: &[&str], conditions: SearchConditions) -> Vec<String> {
        let tuned = chosen(params, groups, conditions).unwrap();
        tuned.into_iter().map(|param| param.name).collect()
    }

    fn chosen(
        params: &[&str],
        groups: &[&str],
        conditions: SearchConditions,
    ) -> anyhow::Result<Vec<TunedParam>> {
        let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        let (params, groups) = (owned(params), owned(groups));
        ParamArgs { mode: SearchMode::Auto, params, groups }.tuned_params(conditions, 0.05)
    }

    const CLASSICAL: SearchConditions =
        SearchConditions { mode: SearchMode::Classical, clock: false };
    const LEARNED: SearchConditions = SearchConditions { mode: SearchMode::Learned, clock: true };

    #[test]
    fn without_names_all_numbers_that_the_mode_reads_are_tuned() {
        let (classical, learned) = (names(&[], &[], CLASSICAL), names(&[], &[], LEARNED));
        let has = |names: &[String], name: &str| names.iter().any(|other| other == name);
        for name in ["lmr_base", "rfp_margin", "history_bonus_max"] {
            assert!(has(&classical, name) && has(&learned, name), "{name}");
        }
        for name in ["policy_blend", "policy_min_depth", "lmr_policy", "time_soft"] {
            assert!(!has(&classical, name) && has(&learned, name), "{name}");
        }
        for name in ["policy_lmr_scale", "policy_history_weight", "learned_gate_width"] {
            assert!(!has(&classical, name) && !has(&learned, name), "{name}");
        }
        assert!(!learned.iter().any(|name| name.starts_with("quantile_")), "{learned:?}");
    }

    #[test]
    fn a_group_is_what_the_mode_reads_of_it() {
        let lmr = names(&[], &["lmr"], CLASSICAL);
        assert!(lmr.len() > 5 && lmr.iter().all(|name| name.starts_with("lmr_")), "{lmr:?}");
        assert!(!lmr.contains(&"lmr_policy".to_owned()));
        assert!(names(&[], &["lmr"], LEARNED).contains(&"lmr_policy".to_owned()));
        let policy = names(&[], &["policy"], LEARNED);
        assert_eq!(policy.first().unwrap(), "policy_blend");
        assert!(policy.contains(&"policy_order_check".to_owned()), "{policy:?}");
        // Named twice, tuned once, with the numbers of `--param`.
        let both = chosen(&["rfp_margin=90:7"], &["rfp", "rfp"], CLASSICAL).unwrap();
        let starts: Vec<_> = both.iter().map(|param| (&*param.name, param.start)).collect();
        assert_eq!(
            starts,
            [
                ("rfp_margin", 90.0),
                ("rfp_max_depth", 8.0),
                ("rfp_improving", 42.0),
                ("rfp_base", 0.0),
                ("rfp_correction", 0.0),
            ]
        );
    }

    #[test]
    fn numbers_without_effect_and_unknown_groups_are_refused() {
        let refusal = |params: &[&str], groups: &[&str], conditions| {
            chosen(params, groups, conditions).unwrap_err().to_string()
        };
        for (error, expected) in [
            (refusal(&["lmr_policy"], &[], CLASSICAL), ["lmr_policy", "classical mode"]),
            (refusal(&["time_soft"], &[], CLASSICAL), ["time_soft", "--tc"]),
            (refusal(&[], &["policy"], CLASSICAL), ["--group policy", "classical mode"]),
            (refusal(&[], &["time"], CLASSICAL), ["--group time", "--tc"]),
            (refusal(&[], &["quantile"], LEARNED), ["--group quantile", "learned mode"]),
            (refusal(&[], &["reductions"], LEARNED), ["`reductions`", "lmr, "]),
        ] {
            assert!(expected.iter().all(|words| error.contains(words)), "{error}");
        }
    }
}
