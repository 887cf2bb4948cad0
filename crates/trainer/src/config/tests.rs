use super::*;
use crate::{OptimiserKind, ParameterSchedule, ValueLoss};

/// The games of these tests.
fn games() -> dataset::GameList {
    dataset::GameList::new()
        .with::<games::chess::Chess>()
        .with::<games::hexchess::Hexchess>()
        .with::<games::connect_four::ConnectFour>()
}

fn parse(text: &str) -> Result<Config, ConfigError> {
    Config::parse(text, &[])
}

const FULL: &str = r#"
[network]
features = "chess.halfka-hm"
accumulator = 128
hidden = [32, { width = 16, activation = "screlu" }]
buckets = { rule = "pieces", count = 4 }
value = "tanh"
centipawns = 361.5
[data]
files = ["a*.data", 'b"c.data']
held_out = 0.05
order = "sequential"
[target]
result_share = { kind = "linear", from = 0.1, to = 0.7 }
td_lambda = 0.8
[loss.value]
loss = "tanh-mse"
[loss.quantiles]
weight = 0.3
[loss.policy]
loss = "legal"
[optimiser]
kind = "ranger"
beta2 = 0.99
sparse = true
[schedule]
rate = { kind = "step", from = 0.001, every = 3, factor = 0.3 }
[init]
freeze = ["accumulator"]
freeze_until = 2
[clip]
accumulator = "off"
hidden = 1.5
"#;

#[test]
fn numbers_are_printed_as_they_were_typed() {
    let config = Config::parse("[target]\nresult_share = 0.3\nscore_scale = 400.1", &[]).unwrap();
    let table = config.to_table();
    assert_eq!(table["target"]["score_scale"].as_float(), Some(400.1));
    assert!(!table.to_string().contains("99999"), "{table}");
    assert_eq!(Config::parse(&table.to_string(), &[]).unwrap(), config);
}

#[test]
fn what_is_printed_is_the_same_configuration() {
    let line = "[network]\narchitecture = \"chess.piece-square (768->64)x2->1+3 screlu\"";
    for text in ["", FULL, line, include_str!("../../../../examples/1_xor.toml")] {
        let config = parse(text).unwrap();
        let printed = config.to_commented_toml();
        assert_eq!(parse(&printed).unwrap(), config, "{printed}");
        assert_eq!(parse(&printed).unwrap().to_commented_toml(), printed);
    }
}

#[test]
fn every_setting_is_described_and_every_description_has_a_setting() {
    fn check(value: &toml::Value, fields: &[Field], path: &str) {
        let table = value.as_table().unwrap();
        for (key, value) in table {
            let field = fields.iter().find(|field| field.name == key);
            let field = field.unwrap_or_else(|| panic!("{path}.{key} is not move_info"));
            assert!(field.about.iter().all(|line| line.trim().len() > 3), "{path}.{key}");
            if let Kind::Table(fields) = field.kind {
                check(value, fields, &format!("{path}.{key}"));
            }
        }
    }
    let config = parse(FULL).unwrap();
    check(&toml::Value::Table(config.to_table()), Config::FIELDS, "");
    // With every option set, each name occurs in the text, commented out or not.
    let printed = config.to_commented_toml();
    for path in schema::all_paths(Config::FIELDS, "") {
        let name = path.rsplit('.').next().unwrap();
        assert!(printed.contains(name), "{path}");
    }
}

#[test]
fn values_arrive() {
    let config = parse(FULL).unwrap();
    assert_eq!(config.optimiser.kind, OptimiserKind::Ranger);
    assert_eq!(config.target.result_share, ParameterSchedule::Linear { from: 0.1, to: 0.7 });
    assert_eq!(config.loss.value.unwrap().loss, ValueLoss::TanhMse);
    assert_eq!(config.clip.hidden, Limit::At(1.5));
    assert_eq!(
        config.check(&games()).unwrap().to_string(),
        "chess.halfka-hm (22528→128)×2→32→16→1+5+64/64:from-to screlu,crelu,screlu/tanh buckets=pieces:4 \
         scales=255,9,6/6,64,6,361.5"
    );
}

#[test]
fn unknown_names_are_refused_with_the_nearest_known_one() {
    for (text, path, nearest) in [
        ("[schedule]\nrat = 1", "schedule.rat", Some("schedule.rate")),
        ("[optimiser]\nrate = 1", "optimiser.rate", Some("schedule.rate")),
        ("[optimiser]\nrat = 1", "optimiser.rat", Some("schedule.rate")),
        ("[optimizer]\nkind = 1", "optimizer", Some("optimiser")),
        ("[netwrok]", "netwrok", Some("network")),
        ("[network]\nbukets = 1", "network.bukets", Some("network.buckets")),
        (
            "[network]\nbuckets = { cuont = 2 }",
            "network.buckets.cuont",
            Some("network.buckets.count"),
        ),
        ("[[network.hidden]]\nwidht = 2", "network.hidden.widht", Some("network.hidden.width")),
        ("[loss.vaule]", "loss.vaule", Some("loss.value")),
        ("[loss.value]\nwieght = 1", "loss.value.wieght", Some("loss.value.weight")),
        ("[schedule]\nrate = { knid = 2 }", "schedule.rate.knid", Some("schedule.rate.kind")),
        ("batch_size = 4", "batch_size", Some("data.batch_size")),
        ("[data]\nzebra = 4", "data.zebra", None),
    ] {
        let error = parse(text).unwrap_err();
        let nearest = nearest.map(str::to_owned);
        assert_eq!(error, ConfigError::Unknown { path: path.into(), nearest }, "{text}");
    }
    let message = parse("[schedule]\nrat = 1").unwrap_err().to_string();
    assert_eq!(message, "there is no setting `schedule.rat`; did you mean `schedule.rate`?");
}

#[test]
fn wrong_values_are_refused_by_name() {
    for (text, path, fragment) in [
        ("[data]\nbatch_size = 'x'", "data.batch_size", "expected"),
        ("[data]\nbatch_size = -4", "data.batch_size", "expected"),
        ("[data]\norder = 'random'", "data.order", "sequential"),
        ("[optimiser]\nkind = 'adamm'", "optimiser.kind", "adamw"),
        ("[schedule]\nrate = 'fast'", "schedule.rate", "a number, or a table"),
        ("[schedule]\nrate = { kind = 'cosine', from = 1 }", "schedule.rate", "to"),
        ("[clip]\nhidden = -1", "clip.hidden", "auto"),
        ("[network]\nhidden = ['a']", "network.hidden", "width"),
        ("[loss.value]\nloss = 'l2'", "loss.value", "bce"),
        (
            "[network]\narchitecture = '(768→2)×2→1 relu'\naccumulator = 3",
            "network.accumulator",
            "already",
        ),
    ] {
        match parse(text).unwrap_err() {
            ConfigError::Value { path: found, fault } => {
                assert_eq!(found, path, "{text}: {fault}");
                assert!(fault.contains(fragment), "{text}: {fault}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
    assert!(matches!(parse("[a").unwrap_err(), ConfigError::Syntax(_)));
}

#[test]
fn senseless_settings_are_refused_by_name() {
    let files = "data.files=['a']";
    for (overrides, path) in [
        (&[][..], "data.files"),
        (&[files, "data.batch_size=0"], "data.batch_size"),
        (&[files, "data.held_out=1.0"], "data.held_out"),
        (&[files, "target.result_share=1.5"], "target.result_share"),
        (&[files, "target.td_lambda=0.5"], "target.td_lambda"),
        (&[files, "target.score_scale=0"], "target.score_scale"),
        (&[files, "schedule.superbatches=0"], "schedule.superbatches"),
        (&[files, "schedule.rate=-1"], "schedule.rate"),
        (&[files, "network.features=chess.piece"], "network.features"),
        (&[files, "network.activation=gelu"], "network.activation"),
        (&[files, "network.buckets.rule=x"], "network.buckets.rule"),
        (&[files, "network.buckets.count=2"], "network"),
        (&[files, "network.accumulator=99999"], "network"),
        (&[files, "network.architecture=768->4->1 relu"], "data.rows"),
        (
            &[files, "network.architecture=(768->4)x2->1 relu", "loss.wdl.weight=1"],
            "network.architecture",
        ),
        (
            &[
                files,
                "network.architecture=chess.piece-square (768->4)x2->1 relu",
                "loss.wdl.weight=1",
            ],
            "loss.wdl",
        ),
        (&[files, "network.features=raw:2"], "data.rows"),
        (&["network.features=raw:2", "data.rows=[{inputs=[1],target=0}]"], "data.rows[0].inputs"),
        (&["network.features=raw:2", "data.rows=[{inputs=[1,2],target=0}]"], "data.rows[0].inputs"),
        (&["network.features=raw:2", "data.rows=[{inputs=[1,1],target=2}]"], "data.rows[0].target"),
        (&["network.features=raw:1", "loss.policy.weight=1", "data.rows=[]"], "loss.policy"),
        (&[files, "data.held_out=0", "validation.patience=2"], "validation.patience"),
        (&[files, "init.network=a", "init.accumulator_from=b"], "init.accumulator_from"),
        (&[files, "output.keep=0"], "output.keep"),
    ] {
        let overrides: Vec<String> = overrides.iter().map(|&one| one.to_owned()).collect();
        match Config::parse("", &overrides).unwrap().check(&games()).unwrap_err() {
            ConfigError::Value { path: found, fault } => {
                assert_eq!(found, path, "{overrides:?}: {fault}");
            }
            other => panic!("{overrides:?}: {other:?}"),
        }
    }
}

#[test]
fn the_command_line_has_the_last_word() {
    let set = |overrides: &[&str]| {
        let overrides: Vec<String> = overrides.iter().map(|&one| one.to_owned()).collect();
        Config::parse(FULL, &overrides)
    };
    let config = set(&[
        "data.files=['x']",
        "network.features=hexchess.piece-cell",
        "schedule.rate = 0.5",
        "loss.wdl.weight=2",
    ])
    .unwrap();
    assert_eq!(config.data.files, ["x"]);
    assert_eq!(config.network.features, "hexchess.piece-cell");
    assert_eq!(config.schedule.rate, ParameterSchedule::Constant(0.5));
    assert!((1.99..2.01).contains(&config.loss.wdl.unwrap().weight));
    // A table replaces a plain value.
    let config = set(&["schedule.rate.kind=constant", "schedule.rate.from=0.25"]);
    assert!(config.is_err(), "the parts of the file's own table remain");
    for wrong in ["schedule.rate", "=3", ".rate=3", "schedule..rate=3"] {
        assert_eq!(set(&[wrong]).unwrap_err(), ConfigError::Override(wrong.into()));
    }
    assert!(set(&["schedule.rat=1"]).unwrap_err().to_string().contains("schedule.rate"));
    // A value with a line feed is one text, not another setting.
    let config = set(&["init.network=1\nx = 2"]).unwrap();
    assert_eq!(config.init.network.unwrap(), "1\nx = 2");
}

#[test]
fn without_losses_every_head_has_the_usual_one() {
    let config = parse("").unwrap();
    assert!(config.loss.value.is_some() && config.loss.policy.is_none());
    let line = "[network]\narchitecture = 'chess.piece-square (768→8)×2→3+64/64 screlu'";
    let config = parse(line).unwrap();
    assert!(config.loss.wdl.is_some() && config.loss.policy.is_some());
    assert!(config.loss.value.is_none() && config.loss.quantiles.is_none());
}

#[test]
fn limits_follow_the_scales() {
    let config = parse("[loss.value]\n[loss.policy]\n[network]\nhidden = [16]").unwrap();
    let clips = config.clips(&config.architecture(&games()).unwrap());
    let expected = [
        ("accumulator", 1.98),
        ("hidden.0", 127.0 / 64.0),
        ("value", 32767.0 / 64.0),
        ("policy", 127.0 / 64.0),
    ];
    let expected = expected.map(|(name, limit)| (name.to_owned(), Some(limit)));
    assert_eq!(clips, expected);
    // Float networks have no automatic limits.
    let config = parse("[network]\nactivation = 'tanh'").unwrap();
    let clips = config.clips(&config.architecture(&games()).unwrap());
    assert!(clips.iter().all(|(_, limit)| limit.is_none()));
}

#[test]
fn the_examples_describe_the_networks_that_they_promise() {
    macro_rules! example {
        ($name:literal) => {
            include_str!(concat!("../../../../examples/", $name))
        };
    }
    for (text, architecture) in [
        (example!("1_xor.toml"), "2→4→1 sigmoid"),
        (
            example!("2_mlp_769.toml"),
            "chess.piece-square-stm 769→128→64→1 relu/tanh scales=255,1,6,64,6,1000",
        ),
        (example!("3_perspective_768.toml"), "chess.piece-square (768→256)×2→1 screlu"),
        (example!("4_hexchess.toml"), "hexchess.piece-cell (1110→256)×2→1 screlu"),
        (
            example!("5_buckets.toml"),
            "chess.piece-square-mirrored:0011/2222/3333/3333/3333/3333/3333/3333 \
             (3072→256)×2→16→32→1 screlu,crelu buckets=pieces:8",
        ),
        (
            example!("6_uncertainty.toml"),
            "chess.halfka-hm (22528→128)×2→32→5+64/64:from-to screlu,crelu",
        ),
    ] {
        let config = parse(text).unwrap();
        assert_eq!(config.check(&games()).unwrap().to_string(), architecture);
        assert_eq!(parse(&config.to_commented_toml()).unwrap(), config);
    }
}

#[test]
fn quantiles_around_the_value_make_a_head_of_four() {
    let anchored = "[loss.value]\n[loss.quantiles]\nform = 'anchored'\n";
    let config = parse(anchored).unwrap();
    let architecture = config.architecture(&games()).unwrap();
    assert_eq!(architecture.to_string(), "chess.piece-square (768→256)×2→1+4 screlu");
    let names: Vec<_> = config.clips(&architecture).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["accumulator", "value", "widths"]);
    assert_eq!(parse(&config.to_commented_toml()).unwrap(), config);
    // The one-line architecture is checked too.
    let line = |heads: &str| {
        format!("[network]\narchitecture = 'chess.piece-square (768→8)×2→{heads} screlu'\n")
    };
    let form = parse(&line("1+4")).unwrap().loss.quantiles.unwrap().form;
    assert_eq!(form, crate::QuantileForm::Anchored);
    for (text, word) in [
        ("[loss.quantiles]\nform = 'anchored'".to_owned(), "no value"),
        (format!("{anchored}[network]\nvalue = 'tanh'"), "tanh"),
        (line("1+4") + "[loss.value]\n[loss.quantiles]", "no such head; add `5`"),
        (line("1+5") + anchored, "no such head; add `4`"),
    ] {
        let error = parse(&text).unwrap().architecture(&games()).unwrap_err().to_string();
        assert!(error.contains(word), "{text}: {error}");
    }
}
