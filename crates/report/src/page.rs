//! Pages: the shell of an HTML file, its one style sheet, sections, tables and figures.

use maud::{Markup, PreEscaped, Render, html};

use crate::components::{BOARD_CSS, replay_script};
use crate::{board, picture, replay};

const STYLE: &str = include_str!("page.css");

/// A page that needs nothing but itself. Only a page with replays has a script, and it is readable
/// without.
///
/// ```
/// use report::page::{Page, table};
///
/// let rows = [["1", "0.083"], ["2", "0.041"]];
/// let losses = table(&["superbatch", "loss"], rows);
/// let page = Page::new("Losses").section("losses", "By superbatch", losses);
/// assert!(page.html().contains("<section id=\"losses\">"));
/// ```
#[derive(Clone, Debug)]
pub struct Page {
    title: String,
    lead: Markup,
    sections: Vec<Section>,
}

#[derive(Clone, Debug)]
struct Section {
    id: &'static str,
    heading: String,
    body: Markup,
}

impl Page {
    /// A page without sections.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), lead: html! {}, sections: Vec::new() }
    }

    /// What stands between the title and the first section.
    #[must_use]
    pub fn lead(self, lead: Markup) -> Self {
        Self { lead, ..self }
    }

    /// Adds a section. The `id` is its anchor.
    #[must_use]
    pub fn section(mut self, id: &'static str, heading: impl Into<String>, body: Markup) -> Self {
        self.sections.push(Section { id, heading: heading.into(), body });
        self
    }

    /// Adds a section if there is something to show.
    #[must_use]
    pub fn section_if(self, id: &'static str, heading: &str, body: Option<Markup>) -> Self {
        match body {
            Some(body) => self.section(id, heading, body),
            None => self,
        }
    }

    /// The page as the text of an HTML file.
    pub fn html(&self) -> String {
        let has =
            |markup: &str| self.sections.iter().any(|section| section.body.0.contains(markup));
        let (has_boards, has_replays) = (has(board::REFERENCE), has(replay::REPLAY));
        let page = html! {
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (self.title) }
                    style {
                        (PreEscaped(STYLE))
                        (PreEscaped(picture::STYLE))
                        @if has_replays { (PreEscaped(BOARD_CSS)) }
                    }
                    @if has_replays {
                        script type="module" { (PreEscaped(replay_script())) }
                    }
                }
                body {
                    @if has_boards { svg class="outlines" { (board::outlines()) } }
                    header {
                        h1 { (self.title) }
                        (self.lead)
                        nav {
                            @for section in &self.sections {
                                a href=(format_args!("#{}", section.id)) { (section.heading) }
                            }
                        }
                    }
                    main {
                        @for Section { id, heading, body } in &self.sections {
                            section id=(id) { h2 { (heading) } (body) }
                        }
                    }
                    footer { "accrue " (env!("CARGO_PKG_VERSION")) }
                }
            }
        };
        format!("<!doctype html>\n{}\n", page.into_string())
    }
}

/// A table with a row of headings. It scrolls by itself where it is wider or higher than its place.
pub fn table<T: Render>(
    headings: &[impl Render],
    rows: impl IntoIterator<Item = impl IntoIterator<Item = T>>,
) -> Markup {
    html! {
        div class="scroll" {
            table {
                thead { tr { @for heading in headings { th { (heading) } } } }
                tbody { @for row in rows { tr { @for cell in row { td { (cell) } } } } }
            }
        }
    }
}

/// A table of names and values.
pub fn facts<V: Render>(rows: impl IntoIterator<Item = (impl Render, V)>) -> Markup {
    html! {
        table class="facts" {
            @for (name, value) in rows { tr { th scope="row" { (name) } td { (value) } } }
        }
    }
}

/// A figure with a picture, and a caption if it is not empty.
pub fn figure(picture: &picture::Picture, caption: Option<&str>) -> Markup {
    html! {
        figure {
            (picture.inline())
            @if let Some(caption) = caption { figcaption { (caption) } }
        }
    }
}

/// Figures side by side, as many as there is room for.
pub fn figures<'a>(pictures: impl IntoIterator<Item = &'a picture::Picture>) -> Markup {
    html! { div class="charts" { @for picture in pictures { (figure(picture, None)) } } }
}

/// A figure of the whole width. It scrolls where it would become too small to be read.
pub fn wide_figure(picture: &picture::Picture) -> Markup {
    // Text stays readable down to about 70 % of the width of the drawing.
    let class = if picture.width > 900.0 { "wider" } else { "" };
    html! { figure class="wide" { div class=(class) { (picture.inline()) } } }
}

/// A command line, and what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedCommand {
    /// What it does.
    pub title: String,
    /// The command.
    pub command: String,
}

/// Command lines in their order.
pub fn command_list(commands: &[ListedCommand]) -> Markup {
    html! {
        ol class="commands" {
            @for ListedCommand { title, command } in commands { li { (title) pre { (command) } } }
        }
    }
}

#[cfg(test)]
mod tests {
    use games::Game;
    use games::chess::Chess;

    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        let commands = [ListedCommand { title: "a < b".into(), command: "x & \"y\"".into() }];
        let page = Page::new("<script>").lead(html! { p { ("</p>") } }).section(
            "steps",
            "<i>",
            command_list(&commands),
        );
        let html = page.html();
        assert!(!html.contains("<script>") && !html.contains("<i>"), "{html}");
        for text in ["&lt;script&gt;", "&lt;/p&gt;", "a &lt; b", "x &amp; &quot;y&quot;"] {
            assert!(html.contains(text), "{html}");
        }
    }

    #[test]
    fn a_page_refers_to_nothing_outside() {
        let page = Page::new("t").section("a", "A", facts([("name", "value")]));
        let html = page.html();
        assert!(html.contains("href=\"#a\"") && html.contains("<section id=\"a\">"));
        assert!(!html.contains("<script"), "{html}");
        assert!(!html.contains("://") && !html.contains("src=") && !html.contains("@import"));
        assert_eq!(html.matches("href=").count(), html.matches("href=\"#").count());
    }

    #[test]
    fn pages_with_boards_have_the_outlines_of_cells() {
        let board = board::BoardDrawing::of(&Chess::start()).picture();
        for (body, outlines) in [(html! {}, 0), (figure(&board, Some("start")), 1)] {
            let html = Page::new("t").section("a", "A", body).html();
            assert_eq!(html.matches("id=\"square\"").count(), outlines);
        }
    }

    #[test]
    fn sections_without_anything_are_left_out() {
        let page = Page::new("t").section_if("a", "A", None).section_if("b", "B", Some(html! {}));
        assert!(!page.html().contains("id=\"a\"") && page.html().contains("id=\"b\""));
    }
}
