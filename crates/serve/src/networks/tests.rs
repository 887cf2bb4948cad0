use std::path::Path;

use arena::networks::{BuiltInNetwork, BuiltInNetworks, NetworkLoader};
use axum::http::StatusCode;
use dataset::GameList;
use games::chess::Chess;
use games::connect_four::ConnectFour;
use nnue::ScoreModel;
use pipeline::quickstart::Recipe;

use super::*;
use crate::game::ServedGame;
use crate::root::Root;
use crate::server::ServeOptions;

const CHESS: &[u8] = include_bytes!("../../../../nets/chess-small.accrue");
const HEXCHESS: &[u8] = include_bytes!("../../../../nets/hexchess-linear.accrue");

fn served<G: ToolkitGame>(loader: &NetworkLoader) -> Arc<dyn ServedGame> {
    let recipe = Recipe::default_for::<G>();
    Arc::new(GameServer::<G>::new(loader.clone(), recipe, ScoreModel::constant(154.0, 116.0)))
}

/// Chess with a built-in network, and connect four without one.
pub(super) fn app(root: &Path) -> Arc<App> {
    let games = GameList::new().with::<Chess>().with::<ConnectFour>();
    let built_in = BuiltInNetwork { game: "chess", name: "chess-small", bytes: CHESS };
    let loader = NetworkLoader::new(games, BuiltInNetworks::from_iter([built_in]));
    let games = vec![served::<Chess>(&loader), served::<ConnectFour>(&loader)];
    let options = ServeOptions {
        host: "127.0.0.1".into(),
        port: 0,
        root: root.to_owned(),
        threads: 1,
        token: None,
    };
    let root = Root::new(root).expect("a folder");
    Arc::new(App::new(games, loader, root, options))
}

#[test]
fn the_list_has_built_in_networks_and_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let put = |path: &str, bytes: &[u8]| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, bytes).expect("a file");
    };
    put("runs/net.accrue", CHESS);
    put("hex.accrue", HEXCHESS);
    put("cut.nnue", &CHESS[..100]);
    put("noru.bin", b"URON1234");
    put("other.bin", b"something else");
    put("short.bin", b"abc");
    for skipped in [".git/a.accrue", "target/a.accrue", "x/node_modules/a.accrue"] {
        put(skipped, CHESS);
    }
    #[cfg(unix)]
    {
        let outside = tempfile::tempdir().expect("a folder");
        std::fs::write(outside.path().join("a.accrue"), CHESS).expect("a file");
        let link = |from: &Path, to: &str| {
            std::os::unix::fs::symlink(from, folder.path().join(to)).expect("a link");
        };
        link(&outside.path().join("a.accrue"), "outside.accrue");
        link(outside.path(), "folder");
    }
    let networks = list::all(&app(folder.path()));
    let ids: Vec<_> = networks.iter().map(|network| network.id.as_str()).collect();
    let expected = "chess-small file:cut.nnue file:hex.accrue file:noru.bin file:runs/net.accrue";
    assert_eq!(ids.join(" "), expected);
    let json = serde_json::to_value(&networks).expect("JSON");
    assert_eq!((&json[0]["game"], &json[0]["error"]), (&"chess".into(), &().into()));
    assert_eq!((&json[4]["source"], &json[4]["bytes"]), (&"file".into(), &CHESS.len().into()));
    for faulty in [1, 2, 3] {
        let error = json[faulty]["error"].as_str().expect("an error");
        assert!(!error.contains(&*folder.path().to_string_lossy()), "{error}");
    }
}

#[test]
fn networks_are_read_again_when_their_files_change() {
    let folder = tempfile::tempdir().expect("a folder");
    let app = app(folder.path());
    assert!(load(&app, None, "connect_four").expect("an answer").is_none());
    let default = load(&app, None, "chess").expect("an answer").expect("a network");
    assert_eq!(default.file(), "chess-small");
    let path = folder.path().join("net.accrue");
    std::fs::write(&path, CHESS).expect("a file");
    let id = Some("file:net.accrue");
    let first = load(&app, id, "chess").expect("an answer").expect("a network");
    let again = load(&app, id, "chess").expect("an answer").expect("a network");
    assert!(Arc::ptr_eq(&first, &again));
    std::fs::write(&path, HEXCHESS).expect("a file");
    let error = load(&app, id, "chess").expect_err("another game");
    assert_eq!((error.status, error.code), (StatusCode::BAD_REQUEST, "wrong_network"));
    assert!(error.message.contains("net.accrue does not fit chess"), "{error}");
    for (id, code) in [
        ("file:nothing", "no_such_path"),
        ("file:../net.accrue", "bad_path"),
        ("file:", "bad_network"),
        ("nothing", "no_such_network"),
    ] {
        assert_eq!(load(&app, Some(id), "chess").expect_err("an error").code, code, "{id}");
    }
}

#[test]
fn a_network_is_shown_with_all_that_its_file_has() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("net.accrue"), HEXCHESS).expect("a file");
    let app = app(folder.path());
    let built_in = serde_json::to_value(view::of(&app, "chess-small").expect("a view")).unwrap();
    for picture in ["drawing", "neurons"] {
        let svg = built_in[picture].as_str().expect(picture);
        assert!(svg.starts_with("<svg") && !svg.contains("style="), "{picture}");
    }
    assert_eq!(built_in["calibration"]["svgs"].as_array().map(Vec::len), Some(2));
    assert!(built_in["facts"].as_array().is_some_and(|facts| facts.len() >= 8));
    assert_eq!(built_in["scales"][0][0], "accumulator");
    assert!(built_in["provenance"].as_str().is_some_and(|text| !text.is_empty()));
    // A network of a game that is not served here is described all the same.
    let file = serde_json::to_value(view::of(&app, "file:net.accrue").expect("a view")).unwrap();
    assert!(file["network"]["error"].is_string() && file["neurons"].is_null(), "{file}");
    assert_eq!(view::of(&app, "file:nothing").expect_err("an error").code, "no_such_path");
}

#[test]
fn a_network_plays_against_itself_and_one_measurement_runs_at_a_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let app = app(folder.path());
    let network = load(&app, None, "chess").expect("an answer").expect("a network");
    let chess = app.game("chess").expect("chess");
    let measured = chess.reliability(&network, Duration::from_millis(300)).expect("games");
    assert!(measured.games > 0 && measured.positions > 5 * measured.games, "{measured:?}");
    let measuring = app.network_cache.measure().expect("nobody else measures");
    let busy = app.network_cache.measure().expect_err("somebody measures");
    assert_eq!((busy.code, busy.status), ("busy", StatusCode::SERVICE_UNAVAILABLE));
    drop(measuring);
    assert!(app.network_cache.measure().is_ok());
}
