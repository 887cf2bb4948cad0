//! The accrue toolkit with one more game.

use breakthrough::Breakthrough;

fn main() -> std::process::ExitCode {
    accrue::Toolkit::new().with_builtin_games().with_game::<Breakthrough>().main()
}
