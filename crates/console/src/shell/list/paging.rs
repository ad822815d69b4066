//! Pages of a list, chosen by cursors in the URL.
//!
//! Cursors lead forward only. For the link `Previous page`, the URL therefore also contains the
//! cursors of up to [`BACK`] previous pages.

use std::future::Future;

use pressline_backoffice::limits::LISTED_ORDERS;
use pressline_domain::check::{Field, limits};
use pressline_domain::value::page::{Page, PageDraft};
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use super::PageLinks;
use crate::shell::form::{BEFORE, CURSOR, DEEP, Fields, FormErrors, SIZE};
use crate::shell::result::Result;

const DEFAULT_SIZE: u32 = 50;
const MAX_SIZE: u32 = LISTED_ORDERS;
/// Maximum number of cursors of previous pages in a URL.
const BACK: usize = 20;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Paging {
    size: u32,
    cursor: Option<String>,
    before: Vec<String>,
    is_deep: bool,
}

/// Entries of a page with its links, or the errors of the query.
pub(crate) struct Listed<T> {
    pub(crate) entries: Vec<T>,
    pub(crate) links: Option<PageLinks>,
    pub(crate) errors: Option<FormErrors>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListPage<T> {
    pub(crate) entries: Vec<T>,
    pub(crate) next_cursor: Option<String>,
}

impl Paging {
    /// Returns `validation_failed` unless the size is between 1 and [`MAX_SIZE`].
    pub(crate) fn from_query(query: &Fields) -> Result<Self> {
        let requested = match query.get(SIZE).trim() {
            "" => Some(DEFAULT_SIZE),
            text => text.parse().ok(),
        };
        let size = requested
            .filter(|size| (1..=MAX_SIZE).contains(size))
            .ok_or_else(|| {
                let message = format!("size: must be between 1 and {MAX_SIZE}");
                RequestError::new(Code::ValidationFailed, message)
            })?;
        let cursor = query.get(CURSOR);
        Ok(Self {
            size,
            cursor: (!cursor.is_empty()).then(|| cursor.to_owned()),
            before: query.all(BEFORE).map(str::to_owned).collect(),
            is_deep: query.has(DEEP),
        })
    }

    pub(crate) async fn read<T, E, F>(
        &self,
        read: impl Fn(PageDraft) -> F,
    ) -> Result<ListPage<T>, E>
    where
        F: Future<Output = Result<Page<T>, E>>,
    {
        self.read_parts(limits::PAGE_SIZE, read).await
    }

    /// Reads the page by several calls of `read`. Each call requests up to `limit` entries. The
    /// page ends early if a call returns fewer entries than requested.
    pub(crate) async fn read_parts<T, E, F>(
        &self,
        limit: u32,
        read: impl Fn(PageDraft) -> F,
    ) -> Result<ListPage<T>, E>
    where
        F: Future<Output = Result<Page<T>, E>>,
    {
        let mut listed = ListPage {
            entries: Vec::new(),
            next_cursor: self.cursor.clone(),
        };
        // The list may have larger pages than the use case, so several are joined.
        loop {
            let listed_count = u32::try_from(listed.entries.len()).unwrap_or(u32::MAX);
            let size = self.size.saturating_sub(listed_count).min(limit);
            if size == 0 {
                return Ok(listed);
            }
            let draft = PageDraft {
                page: Field::Absent,
                size: i64::from(size).into(),
                cursor: listed.next_cursor.take().into(),
            };
            let page = read(draft).await?;
            let is_short = u32::try_from(page.entries.len()).is_ok_and(|read| read < size);
            listed.entries.extend(page.entries);
            listed.next_cursor = page.next_cursor;
            // A page that ends early has searched as much as one request may.
            if is_short || listed.next_cursor.is_none() {
                return Ok(listed);
            }
        }
    }

    /// Returns an error if no form can show the error of `read`.
    pub(crate) async fn listed<T, E, F>(
        &self,
        (path, query): (&str, &Fields),
        limit: u32,
        read: impl Fn(PageDraft) -> F,
    ) -> Result<Listed<T>>
    where
        F: Future<Output = Result<Page<T>, E>>,
        RequestError: From<E>,
    {
        Ok(match self.read_parts(limit, read).await {
            Ok(page) => Listed {
                links: Some(self.links(path, query, page.next_cursor.as_deref())),
                entries: page.entries,
                errors: None,
            },
            Err(error) => Listed {
                entries: Vec::new(),
                links: None,
                errors: Some(FormErrors::from_error(error)?),
            },
        })
    }

    pub(crate) fn links(&self, path: &str, query: &Fields, next: Option<&str>) -> PageLinks {
        // `size` is kept, so that all pages have the same number of rows.
        let filters = query.without(&[CURSOR, BEFORE, DEEP]);
        let next = next.map(|next| self.after(&filters, next).address(path));
        let (first, previous) = match (&self.cursor, self.before.split_last()) {
            (None, _) => (None, None),
            (Some(_), None) if self.is_deep => (Some(filters.address(path)), None),
            (Some(_), None) => (None, Some(filters.address(path))),
            (Some(_), Some((last, rest))) => {
                let previous = at(&filters, last, rest.iter(), self.is_deep);
                (None, Some(previous.address(path)))
            }
        };
        PageLinks {
            first,
            previous,
            next,
        }
    }

    fn after(&self, filters: &Fields, next: &str) -> Fields {
        let here: Vec<&String> = self.before.iter().chain(&self.cursor).collect();
        let dropped = here.len().saturating_sub(BACK);
        at(
            filters,
            next,
            here.into_iter().skip(dropped),
            self.is_deep || dropped > 0,
        )
    }
}

/// Returns the query of the page at `cursor`. `before` are the cursors of previous pages.
fn at<'a>(
    filters: &Fields,
    cursor: &str,
    before: impl Iterator<Item = &'a String>,
    is_deep: bool,
) -> Fields {
    let mut fields = filters.clone().with(CURSOR, cursor);
    for cursor in before {
        fields = fields.with(BEFORE, cursor);
    }
    if is_deep {
        fields = fields.with(DEEP, "1");
    }
    fields
}

/// Returns up to `limit` entries, in reads of `size`. The flag is `true` if more entries follow.
pub(crate) async fn first_of<T, F>(
    limit: usize,
    size: u32,
    read: impl Fn(PageDraft) -> F,
) -> Result<(Vec<T>, bool)>
where
    F: Future<Output = Result<Page<T>>>,
{
    let mut entries = Vec::new();
    let mut paging = PageDraft {
        size: i64::from(size).into(),
        ..PageDraft::default()
    };
    loop {
        let page = read(paging.clone()).await?;
        entries.extend(page.entries);
        match page.next_cursor {
            Some(cursor) if entries.len() < limit => paging.cursor = cursor.into(),
            next => {
                let has_more = next.is_some() || entries.len() > limit;
                entries.truncate(limit);
                return Ok((entries, has_more));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paging(query: &str) -> Paging {
        Paging::from_query(&Fields::parse(query)).unwrap()
    }

    fn links(query: &str, next: Option<&str>) -> PageLinks {
        paging(query).links("/l", &Fields::parse(query), next)
    }

    fn query_of(link: Option<String>) -> String {
        let link = link.unwrap();
        link.split_once('?')
            .map_or("", |(_, query)| query)
            .to_owned()
    }

    #[test]
    fn pages_lead_forward_and_back_with_the_same_filters() {
        let first = links("sku=A", Some("c2"));
        assert!(first.previous.is_none() && first.first.is_none());
        let second = query_of(first.next);
        assert_eq!(second, "sku=A&cursor=c2");
        let third = query_of(links(&second, Some("c3")).next);
        assert_eq!(third, "sku=A&cursor=c3&before=c2");
        let last = links(&third, None);
        assert!(last.next.is_none());
        assert_eq!(query_of(last.previous), second);
        assert_eq!(query_of(links(&second, None).previous), "sku=A");
    }

    #[test]
    fn far_pages_lead_back_some_pages_and_then_to_the_first() {
        let mut query = String::new();
        for page in 2..40 {
            query = query_of(links(&query, Some(&format!("c{page}"))).next);
        }
        for _ in 0..BACK {
            query = query_of(links(&query, None).previous);
        }
        let far = links(&query, None);
        assert_eq!(far.first.as_deref(), Some("/l"));
        assert!(far.previous.is_none());
    }

    #[test]
    fn sizes_beyond_the_limits_are_refused() {
        assert_eq!(paging("").size, 50);
        assert_eq!(paging("size=200").size, 200);
        for wrong in ["size=0", "size=201", "size=x", "size=-1"] {
            assert!(
                Paging::from_query(&Fields::parse(wrong)).is_err(),
                "{wrong}"
            );
        }
    }

    #[actix_web::test]
    async fn a_large_page_is_read_in_parts() {
        let read = |draft: PageDraft| async move {
            let size = u32::try_from(*draft.size.value().unwrap()).unwrap();
            let from: u32 = draft.cursor.text().map_or(0, |text| text.parse().unwrap());
            let to = (from + size).min(170);
            Ok::<_, RequestError>(Page {
                entries: (from..to).collect(),
                number: None,
                size,
                has_previous: from > 0,
                next_cursor: (to < 170).then(|| to.to_string()),
            })
        };
        let all = paging("size=200").read(read).await.unwrap();
        assert_eq!(all.entries, (0..170).collect::<Vec<_>>());
        assert_eq!(all.next_cursor, None);
        let some = paging("size=150&cursor=10").read(read).await.unwrap();
        assert_eq!(some.entries, (10..160).collect::<Vec<_>>());
        assert_eq!(some.next_cursor.as_deref(), Some("160"));
    }
}
