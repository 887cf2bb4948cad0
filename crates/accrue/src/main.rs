//! The `accrue` program: the toolkit with its built-in games.

fn main() -> std::process::ExitCode {
    accrue::Toolkit::new().with_builtin_games().main()
}
