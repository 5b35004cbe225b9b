//! Arguments of directives that have a grammar of their own: parameter lists
//! (`name(a, b = 5)`) and options (`name, start = $4000, size = 1024`).

use crate::text::lex::{Kind, Tok};
use chumsky::prelude::*;

/// A parameter or option: its name, and the tokens behind `=`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Name.
    pub name: Tok,
    /// Default or value; `None` without `=`.
    pub value: Option<Vec<Tok>>,
}

/// Where a list went wrong: index of the token, or past the last.
pub type BadAt = usize;

type Failure<'t> = extra::Err<Cheap>;

fn of_kind<'t>(kind: Kind) -> impl Parser<'t, &'t [Tok], Tok, Failure<'t>> + Clone {
    any().filter(move |t: &Tok| t.kind == kind)
}

fn list<'t>() -> impl Parser<'t, &'t [Tok], Vec<Parameter>, Failure<'t>> + Clone {
    // A value runs to the next comma outside parentheses.
    let value = recursive(|value| {
        let bracketed = of_kind(Kind::Open)
            .then(
                value
                    .clone()
                    .separated_by(of_kind(Kind::Comma))
                    .collect::<Vec<Vec<Tok>>>(),
            )
            .then(of_kind(Kind::Close))
            .map(|((open, inner), close): ((Tok, Vec<Vec<Tok>>), Tok)| {
                let comma = Tok {
                    kind: Kind::Comma,
                    span: open.span,
                };
                let mut all = vec![open];
                for (i, part) in inner.into_iter().enumerate() {
                    if i > 0 {
                        all.push(comma);
                    }
                    all.extend(part);
                }
                all.push(close);
                all
            });
        let plain = any()
            .filter(|t: &Tok| !matches!(t.kind, Kind::Open | Kind::Close | Kind::Comma))
            .map(|t| vec![t]);
        bracketed
            .or(plain)
            .repeated()
            .collect::<Vec<Vec<Tok>>>()
            .map(|v| v.concat())
    });
    let item = of_kind(Kind::Name)
        .then(of_kind(Kind::Equal).ignore_then(value).or_not())
        .map(|(name, value)| Parameter { name, value });
    item.separated_by(of_kind(Kind::Comma)).collect()
}

/// Deepest parentheses in a list; the grammar recurses on them.
const MAX_DEPTH: i32 = 64;

fn too_deep(toks: &[Tok]) -> Option<usize> {
    let mut depth = 0;
    toks.iter().position(|t| {
        depth += i32::from(t.kind == Kind::Open) - i32::from(t.kind == Kind::Close);
        depth > MAX_DEPTH
    })
}

fn parse<'t>(
    p: impl Parser<'t, &'t [Tok], Vec<Parameter>, Failure<'t>>,
    toks: &'t [Tok],
) -> Result<Vec<Parameter>, BadAt> {
    if let Some(at) = too_deep(toks) {
        return Err(at);
    }
    p.parse(toks)
        .into_result()
        .map_err(|e| e.first().map_or(toks.len(), |e| e.span().start))
}

/// `a, b = 1`, with or without parentheses around.
///
/// # Errors
/// The index of the token that does not belong.
pub fn parameters(toks: &[Tok]) -> Result<Vec<Parameter>, BadAt> {
    let around = of_kind(Kind::Open)
        .ignore_then(list())
        .then_ignore(of_kind(Kind::Close));
    parse(around.or(list()).then_ignore(end()), toks)
}

/// `, start = 5, mode = slow`: options behind a name, with or without the first
/// comma.
///
/// # Errors
/// The index of the token that does not belong.
pub fn options(toks: &[Tok]) -> Result<Vec<Parameter>, BadAt> {
    parse(
        of_kind(Kind::Comma)
            .or_not()
            .ignore_then(list())
            .then_ignore(end()),
        toks,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::lex;
    use crate::text::source::SourceId;

    fn toks(text: &str) -> Vec<Tok> {
        let mut out = Vec::new();
        lex::line(
            text,
            0,
            SourceId(0),
            crate::dialect::by_name("native").unwrap().lexing,
            &mut out,
        );
        out
    }

    #[test]
    fn lists() {
        assert_eq!(parameters(&[]).unwrap(), vec![]);
        let p = parameters(&toks("(a, b = (1 + 2) * 3, c)")).unwrap();
        assert_eq!(p.len(), 3);
        assert_eq!(p[1].value.as_ref().unwrap().len(), 7);
        assert_eq!(parameters(&toks("a, b=5")).unwrap().len(), 2);
        assert_eq!(
            options(&toks(", start=$4000, size=max(1,2)")).unwrap()[1]
                .value
                .as_ref()
                .unwrap()
                .len(),
            6
        );
        assert_eq!(parameters(&toks("a, 5")), Err(2));
        assert!(parameters(&toks(&format!("a={}", "(".repeat(100_000)))).is_err());
    }
}
