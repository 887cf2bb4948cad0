//! Links between pages, and pages that the sources name.

use std::fs;
use std::path::Path;

use crate::blocks::{prose, read, root};

/// The broken links of a page.
pub(crate) fn broken(page: &str) -> Vec<String> {
    let folder = Path::new(page).parent().unwrap();
    let mut faults = Vec::new();
    for link in links(&prose(page)) {
        let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
        let target = if path.is_empty() { Path::new(page).into() } else { folder.join(path) };
        let target = target.to_str().unwrap();
        if !root().join(target).exists() {
            faults.push(format!("{page}: {link}: there is no {target}"));
        } else if !anchor.is_empty() && !anchors(target).iter().any(|known| known == anchor) {
            faults.push(format!("{page}: {link}: {target} has no such heading"));
        }
    }
    faults
}

/// The relative targets of the links and pictures of a text.
pub(crate) fn links(text: &str) -> Vec<String> {
    let inline = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    let html = text.split("src=\"").skip(1).filter_map(|rest| rest.split_once('"'));
    let all = inline.chain(html).map(|(link, _)| link.to_owned());
    all.filter(|link| !link.contains("://")).collect()
}

/// The anchors of a page, as GitHub derives them from headings.
fn anchors(page: &str) -> Vec<String> {
    let mut open = false;
    let mut anchors = Vec::new();
    for line in read(page).lines() {
        open ^= line.starts_with("```");
        let heading = line.trim_start_matches('#');
        if !open && heading.len() < line.len() && heading.starts_with(' ') {
            let heading = heading.trim().to_lowercase();
            let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            anchors.push(kept.map(|c| if c == ' ' { '-' } else { c }).collect());
        }
    }
    anchors
}

/// Missing pages that files below a folder name as `docs/….md`.
pub(crate) fn unknown_pages(folder: &Path) -> Vec<String> {
    let mut faults = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            let name = path.file_name().unwrap_or_default();
            if name != "target" && name != "node_modules" {
                faults.extend(unknown_pages(&path));
            }
            continue;
        }
        let Ok(text) = fs::read_to_string(&path) else { continue };
        for rest in text.split("docs/").skip(1) {
            let end = rest.find(|c: char| !c.is_alphanumeric() && !"-_./".contains(c));
            let name = rest[..end.unwrap_or(rest.len())].trim_end_matches('.');
            let is_page = Path::new(name).extension().is_some_and(|ending| ending == "md");
            if is_page && !root().join("docs").join(name).exists() {
                faults.push(format!("{}: there is no docs/{name}", path.display()));
            }
        }
    }
    faults
}
