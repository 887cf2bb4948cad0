//! `report.html`: everything on one page that needs nothing else.

use std::fmt::Write;

use super::plan::Plan;
use super::table::MatchTable;
use crate::output::escape;

/// A page that is being made.
pub(super) struct Page {
    title: String,
    body: String,
}

/// A part of the page.
#[derive(Clone, Copy)]
pub(super) enum Part<'a> {
    Steps(&'a [(String, String)]),
    Matches(&'a [MatchTable]),
    /// SVG.
    Curves(&'a str),
    /// SVG.
    Reliability(&'a str),
    /// HTML.
    Games(&'a str),
    /// SVG.
    Neurons(&'a str),
    /// What to do next, and by which command.
    Next(&'a [(String, String)]),
}

impl Page {
    pub(super) fn new(plan: &Plan, tables: &[MatchTable]) -> Self {
        let title = format!("accrue quickstart: {}", plan.game);
        let mut body = format!("<h1>{}</h1>\n", escape(&title));
        if let Some(table) = tables.first() {
            let _ = writeln!(
                body,
                "<p class=\"result\">{}</p>\n<p>This is how much stronger the network is than the evaluation whose games it \
                 learnt from, which knows the worth of the pieces and nothing else. Both search equally many positions for \
                 each move. The network learnt from {} positions, on {} threads.</p>",
                escape(&table.elo()),
                plan.positions,
                plan.threads
            );
        }
        Self { title, body }
    }

    pub(super) fn add(&mut self, part: Part<'_>) {
        // Writing into a string does not fail.
        let _ = self.write(part);
    }

    fn write(&mut self, part: Part<'_>) -> std::fmt::Result {
        let body = &mut self.body;
        match part {
            Part::Steps(steps) => {
                body.push_str("<section id=\"steps\"><h2>What was done</h2>");
                write_commands(body, steps)?;
            }
            Part::Next(steps) => {
                body.push_str("<section id=\"next\"><h2>How to go on</h2>");
                write_commands(body, steps)?;
            }
            Part::Matches(tables) => {
                body.push_str("<section id=\"match\"><h2>Who won</h2>");
                for table in tables {
                    write!(body, "<h3>{}</h3><table>", escape(table.title))?;
                    for (name, value) in table.rows() {
                        write!(
                            body,
                            "<tr><th scope=\"row\">{name}</th><td>{}</td></tr>",
                            escape(&value)
                        )?;
                    }
                    body.push_str("</table>");
                }
            }
            Part::Curves(svg) => write!(
                body,
                "<section id=\"curves\"><h2>How it learnt</h2><p>The loss on what it learns from, and on games that it never \
                 sees. Where the second goes up again, it begins to learn by heart; the network that was best there is the \
                 one that plays.</p><figure>{svg}</figure>"
            )?,
            Part::Reliability(svg) => write!(
                body,
                "<section id=\"reliability\"><h2>Whether it can be believed</h2><p>Positions of the match, which it was not \
                 trained on, by the score that the network expects for the side to move, and what was made of them on \
                 average. On the dashed line it is right; larger dots are more positions.</p><figure>{svg}</figure>"
            )?,
            Part::Games(html) => write!(body, "<section id=\"games\"><h2>How it plays</h2>{html}")?,
            Part::Neurons(svg) => write!(
                body,
                "<section id=\"neurons\"><h2>What neurons look at</h2><p>Each row is a neuron of the first layer, each board \
                 one kind of piece: blue where it raises the neuron's sum, red where it lowers it.</p><figure>{svg}</figure>"
            )?,
        }
        body.push_str("</section>\n");
        Ok(())
    }

    pub(super) fn html(&self) -> String {
        let Self { title, body } = self;
        let (title, version) = (escape(title), env!("CARGO_PKG_VERSION"));
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
             content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}\
             <footer>accrue {version}</footer>\n</body>\n</html>\n"
        )
    }
}

fn write_commands(body: &mut String, commands: &[(String, String)]) -> std::fmt::Result {
    body.push_str("<ol>");
    for (what, command) in commands {
        write!(body, "<li>{}<pre>{}</pre></li>", escape(what), escape(command))?;
    }
    body.push_str("</ol>");
    Ok(())
}

const STYLE: &str = "\
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2.5rem}h3{font-size:1rem;margin:1.5rem 0 .3rem}
.result{font-size:2rem;font-weight:bold;margin:.5rem 0}
table{border-collapse:collapse}th,td{padding:.15rem .8rem .15rem 0;text-align:left;font-variant-numeric:tabular-nums}
th{font-weight:normal}figure{margin:0}figure svg{max-width:100%;height:auto}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.2rem 0 .6rem;padding:.5rem .8rem;border:1px solid #8886;border-radius:.4rem;font-size:.85rem}
.boards{display:flex;flex-wrap:wrap;gap:1rem}figcaption{font-size:.8rem;opacity:.8}
.moves{font-size:.85rem}footer{margin:3rem 0 1rem;opacity:.7}";
