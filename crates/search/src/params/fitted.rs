//! Fitted parameters: numbers of a network file, which the learned mode uses in place of the
//! defaults.

use nnue::FittedParams;

use super::Params;

/// The numbers that were set by their names, which the numbers of a network do not replace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NamedNumbers(u128);

impl NamedNumbers {
    /// The bit of a number; none for an unknown name.
    fn bit(name: &str) -> u128 {
        const { assert!(Params::LIST.len() <= 128) };
        let index = Params::LIST.iter().position(|param| param.name == name);
        index.map_or(0, |index| 1 << index)
    }

    pub(super) fn add(&mut self, name: &str) {
        self.0 |= Self::bit(name);
    }

    fn contains(self, name: &str) -> bool {
        self.0 & Self::bit(name) != 0
    }
}

impl Params {
    /// The same with the numbers that were fitted for a network, each clamped to its range, but for
    /// those that were set by their names. Names that the search does not know are ignored.
    ///
    /// ```
    /// use nnue::FittedParams;
    /// use search::Params;
    ///
    /// let fitted = FittedParams::new([("lmr_base".into(), 900), ("rfp_margin".into(), 70)])?;
    /// let mut params = Params::default();
    /// params.parse("rfp_margin", "55")?;
    /// let params = params.with_fitted(&fitted);
    /// assert_eq!((params.lmr_base, params.rfp_margin), (900, 55));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_fitted(&self, fitted: &FittedParams) -> Self {
        let mut params = self.clone();
        for (name, value) in fitted.iter().filter(|(name, _)| !self.named.contains(name)) {
            params.set_unnamed(name, value);
        }
        params
    }
}
