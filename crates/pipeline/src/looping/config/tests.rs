//! Tests of the configuration: defaults, options that are passed on, mistakes.

use games::chess::Chess;
use games::connect_four::ConnectFour;

use super::*;

fn parse(text: &str) -> Result<LoopConfig, PipelineError> {
    LoopConfig::parse(text, &GameList::new().with::<Chess>().with::<ConnectFour>())
}

#[test]
fn generations_grow_to_their_size() {
    let generate: Generate = toml::from_str("positions = 1000\nfirst = 300").unwrap();
    assert_eq!([1, 2, 3, 70].map(|number| generate.positions_of(number)), [300, 600, 1000, 1000]);
    let generate: Generate = toml::from_str("positions = 1000").unwrap();
    assert_eq!(generate.positions_of(1), 1000);
}

#[test]
fn options_of_commands_are_passed_on() {
    let text = "game = \"chess\"\n[generate]\nkeep = [\"captures\"]\nmax_opening_score = \"none\"\n\
        [generate.options]\nmode = \"auto\"\nwin-score = \"none\"\ndraw-after = 30\n\
        max-plies = 220\n\
        [training]\nexport_bound = \"20,200\"\nexport_options = { hidden-shift = 7 }";
    let config = parse(text).unwrap();
    let data = config.data(NetworkSource::new("n.accrue"), "g.data".into(), 5000, 3, 2);
    assert_eq!(
        data.command().to_string(),
        "accrue datagen --game chess --net n.accrue --out g.data --positions 5000 \
         --soft-nodes 400 --mode auto --max-opening-score none --win-score none --draw-after 30 \
         --max-plies 220 --keep captures --hash 4 --seed 3 --threads 2"
    );
    assert_eq!(parse(&config.to_toml().unwrap()).unwrap(), config);
}

#[test]
fn mistakes_are_named() {
    let network = "[network]\nfeatures = \"connect_four.cells\"";
    for (text, part) in [
        ("game = \"go\"".to_owned(), "no game is called `go`"),
        ("game = \"chess\"\nspeed = 3".to_owned(), "speed"),
        (format!("game = \"chess\"\n{network}"), "not of the game chess"),
        ("game = \"chess\"\n[gate]\ngames = 3".to_owned(), "gate.games"),
        ("game = \"chess\"\nnice = 20".to_owned(), "nice"),
        ("game = \"chess\"\n[network]\nacumulator = 3".to_owned(), "acumulator"),
        ("game = \"chess\"\n[generate]\nwindow = 0".to_owned(), "generate.window"),
        ("game = \"chess\"\n[generate]\nkeep = [\"mate\"]".to_owned(), "mate"),
        ("game = \"chess\"\n[generate.options]\nwin-scor = 3".to_owned(), "win-scor"),
        ("game = \"chess\"\n[generate.options]\nwin-score = \"x\"".to_owned(), "centipawns"),
        ("game = \"chess\"\n[generate.options]\nmode = \"x\"".to_owned(), "a search mode"),
        ("game = \"chess\"\n[generate.options]\npositions = 3".to_owned(), "positions"),
        ("game = \"chess\"\n[generate.options]\ntree-share = 0.1".to_owned(), "at least 512"),
        ("game = \"chess\"\n[training]\nexport_bound = \"x\"".to_owned(), "centipawns"),
        ("game = \"chess\"\n[training.export_options]\nbound = \"x\"".to_owned(), "bound"),
        ("game = \"chess\"\n[training.export_options]\nhidden-shift = 17".to_owned(), "0 to 16"),
        ("game = \"chess\"\n[calibrate]\npositions = 5".to_owned(), "loss.quantiles"),
        (
            "game = \"chess\"\n[calibrate]\nsoft_nodes = 50\n[loss.quantiles]\n".to_owned(),
            "at least 512",
        ),
        ("game = \"chess\"\n[fit]\ncount = 0".to_owned(), "fit.count"),
        ("game = \"chess\"\n[fit]\nsoft_nodes = 0".to_owned(), "fit.soft_nodes"),
        ("game = \"chess\"\n[fit]\nsoft-nodes = 9".to_owned(), "soft-nodes"),
        ("game = \"chess\"\n[fit]\ncount = \"many\"".to_owned(), "count"),
        ("game = \"chess\"\n[heads]\nepochs = 0\nloss = {}".to_owned(), "heads.epochs"),
        ("game = \"chess\"\n[heads]\nepochs = 1\nloss = { polici = {} }".to_owned(), "polici"),
    ] {
        let error = parse(&text).unwrap_err();
        let mut fault = error.to_string();
        let mut source = std::error::Error::source(&error);
        while let Some(cause) = source {
            fault = format!("{fault}: {cause}");
            source = cause.source();
        }
        assert!(fault.contains(part), "{text}: {fault}");
    }
}
