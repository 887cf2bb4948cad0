//! Parameters by name: lookup for tuners, and values as text for command lines and options.

use super::{Param, ParamChoice, ParamError, Params};
use crate::UnknownName;

impl Params {
    /// The number of that name, for a tuner.
    pub fn find(name: &str) -> Result<&'static Param, ParamError> {
        if let Some(choice) = Self::CHOICES.iter().find(|choice| choice.name == name) {
            return Err(ParamError::NotTunable { name: choice.name, expected: choice.values });
        }
        Self::LIST.iter().find(|param| param.name == name).ok_or_else(|| Self::no_such(name))
    }

    /// Sets a number or a choice as text: `futility_base` to `90`, `learned_ordering` to `both`.
    ///
    /// Numbers outside their range are refused, and so are names and numbers of older versions: the
    /// error has the new spelling.
    pub fn parse(&mut self, name: &str, value: &str) -> Result<(), ParamError> {
        if let Some(&ParamChoice { name, values, .. }) =
            Self::CHOICES.iter().find(|choice| choice.name == name)
        {
            let known = self.choose(name, value);
            return known.map(|_| ()).map_err(|UnknownName { value, expected, .. }| {
                // Older versions numbered the values in the order in which they are listed now.
                match value.parse().ok().and_then(|number: usize| values.get(number)) {
                    Some(new) => ParamError::NumberedChoice { name, value, new },
                    None => ParamError::Choice { name, value, expected },
                }
            });
        }
        let &Param { name, min, max, .. } = Self::find(name)?;
        let number = value.parse().ok().filter(|number| (min..=max).contains(number));
        let number =
            number.ok_or_else(|| ParamError::Number { name, value: value.to_owned(), min, max })?;
        self.set(name, number);
        Ok(())
    }
}
