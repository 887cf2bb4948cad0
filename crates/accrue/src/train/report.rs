//! `report.html`: a training on one page that needs nothing else.

use serde_json::Value;
use trainer::Run;

use super::Summary;
use super::show::speed_text;
use crate::output::escape;

/// The page.
pub(super) fn page(
    run: &Run,
    summary: &Summary,
    records: &[Value],
    curves: &str,
    neurons: Option<&str>,
) -> String {
    let architecture = escape(&summary.architecture);
    let figures = rows(&figures(summary, records));
    let table = superbatches(records);
    let neurons = neurons.map_or(String::new(), |svg| {
        format!("<h2>What neurons look at</h2>\n<figure>{svg}</figure>\n")
    });
    let config = escape(&run.config().to_commented_toml());
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width\">
<title>{architecture}</title>
<style>{STYLE}</style>
</head>
<body>
<h1>{architecture}</h1>
<table>{figures}</table>
<h2>Curves</h2>
<figure>{curves}</figure>
{neurons}<h2>Superbatches</h2>
<div class=\"scroll\">{table}</div>
<h2>Configuration</h2>
<pre>{config}</pre>
<footer>accrue {version}</footer>
</body>
</html>
"
    )
}

const STYLE: &str = "\
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}
table{border-collapse:collapse}th,td{padding:.15rem .8rem .15rem 0;text-align:left;font-variant-numeric:tabular-nums}
thead th{border-bottom:1px solid}.scroll{max-height:24rem;overflow:auto}
figure{margin:0}figure svg{max-width:100%;height:auto}
pre{overflow:auto;padding:1rem;border:1px solid #8888;border-radius:.4rem;font-size:.85rem}
footer{margin:2rem 0;opacity:.7}";

/// What the training came to.
fn figures(summary: &Summary, records: &[Value]) -> Vec<(&'static str, String)> {
    let last = records.last().unwrap_or(&Value::Null);
    let mut figures = vec![
        ("ended", summary.kind.to_owned()),
        ("parameters", summary.parameters.to_string()),
        ("steps", format!("{} of {}", summary.step, summary.steps)),
        ("positions", summary.positions.to_string()),
        ("threads", summary.threads.to_string()),
    ];
    let speeds: Vec<f64> =
        records.iter().filter_map(|record| record["positions_per_second"].as_f64()).collect();
    if !speeds.is_empty() {
        let mean = speeds.iter().sum::<f64>() / speeds.len() as f64;
        figures.push(("speed", speed_text(mean)));
    }
    if let Some(loss) = last["loss"].as_f64() {
        figures.push(("last training loss", format!("{loss:.6}")));
    }
    for (name, loss) in last["heads"].as_object().into_iter().flatten() {
        let Some(loss) = loss.as_f64() else { continue };
        let label = match name.as_str() {
            "value" => "of the value head",
            "wdl" => "of the win, draw, loss head",
            "quantiles" => "of the quantile head",
            _ => "of the policy head",
        };
        figures.push((label, format!("{loss:.6}")));
    }
    if let (Some(loss), Some(step)) = (summary.best_validation, summary.best_step) {
        figures.push(("best validation loss", format!("{loss:.6} after step {step}")));
    }
    figures
}

fn rows(figures: &[(&str, String)]) -> String {
    let row = |(name, value): &(&str, String)| {
        format!("<tr><th scope=\"row\">{}</th><td>{}</td></tr>", escape(name), escape(value))
    };
    figures.iter().map(row).collect()
}

fn superbatches(records: &[Value]) -> String {
    let number = |value: &Value| match value.as_f64() {
        Some(number) => format!("{number:.6}"),
        None => "–".to_owned(),
    };
    let row = |record: &Value| {
        let speed = record["positions_per_second"].as_f64().map_or("–".to_owned(), speed_text);
        let best = if record["validation"]["best"] == true { " ★" } else { "" };
        format!(
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}{best}</td><td>{speed}</td></tr>",
            record["superbatch"],
            record["step"],
            number(&record["loss"]),
            number(&record["validation"]["loss"]),
        )
    };
    let rows: String = records.iter().map(row).collect();
    format!(
        "<table><thead><tr><th>superbatch</th><th>step</th><th>training loss</th><th>validation loss</th>\
         <th>speed</th></tr></thead><tbody>{rows}</tbody></table>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(escape("<a href=\"x\">&"), "&lt;a href=&quot;x&quot;&gt;&amp;");
    }
}
