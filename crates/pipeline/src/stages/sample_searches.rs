//! Sampling of searches: a network plays itself, and its searches are sampled for a fit
//! (`accrue datagen --sample`).

use arena::datagen::{Sampling, for_each_sample};
use arena::fit::SampleTable;
use games::ToolkitGame;
use search::{Engine, SampleKind, SearchMode, SearchSample};

use super::GenerateData;
use crate::{Context, PipelineError, files};

/// Samples the searches of self-play games.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleSearches {
    /// What is sampled.
    pub kind: SampleKind,
    /// One in so many is taken.
    pub every: u64,
    /// The maximum number of games. Without one it follows from the number of samples.
    pub max_games: Option<u64>,
    /// The games; `positions` of its options is the number of samples.
    pub games: GenerateData,
}

impl SampleSearches {
    /// One in so many is taken where nothing else is said.
    pub fn default_every(kind: SampleKind) -> u64 {
        match kind {
            SampleKind::CutNodes => 8,
            SampleKind::LateMoves => 256,
            SampleKind::RfpNodes => 64,
        }
    }

    /// Plays until there are enough samples. `None` if the program is to stop before.
    pub fn run<G: ToolkitGame>(
        &self,
        context: &Context<'_>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Option<SampleTable>, PipelineError> {
        let mut table = SampleTable::new(self.kind);
        let finished = self.visit::<G>(context, progress, &mut |sample| table.push(sample))?;
        Ok(finished.then_some(table))
    }

    /// The same with a call for each sample. False if the program is to stop before.
    pub(super) fn visit<G: ToolkitGame>(
        &self,
        context: &Context<'_>,
        progress: &mut dyn FnMut(u64),
        visit: &mut dyn FnMut(&SearchSample<G>),
    ) -> Result<bool, PipelineError> {
        let Self { kind, every, max_games, games } = self;
        let run = Sampling {
            options: &games.options,
            openings: &games.book::<G>()?,
            kind: *kind,
            every: *every,
            max_games: *max_games,
            engines: games.engines::<G>(context)?,
        };
        Ok(for_each_sample(run, context.stop, progress, visit)?)
    }

    /// Writes samples with what they depend on.
    pub fn write<G: ToolkitGame>(
        &self,
        table: &SampleTable,
        context: &Context<'_>,
    ) -> Result<(), PipelineError> {
        let mode = self
            .games
            .engines::<G>(context)?
            .first_mut()
            .map_or(SearchMode::Classical, Engine::resolved_mode);
        let origin = self.games.origin::<G>(mode, context)?;
        let facts = origin.into_iter().chain(self.games.options.identity());
        let facts: Vec<_> = facts.map(|(name, value)| format!("{name} {value}")).collect();
        let facts = format!("{}; every {}", facts.join("; "), self.every);
        files::replace(&self.games.out, table.to_csv(&facts).as_bytes())
    }
}
