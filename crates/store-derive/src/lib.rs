//! `#[derive(Row)]`: reads a struct from the columns that a statement returns, and writes it as
//! parameters of a statement.
//!
//! Use it for a struct with a public field for each column, in the order of the columns. The
//! traits `pressline_store_kit::FromRow` and `Row` document the derived code.

use proc_macro::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, parse_macro_input};

/// Derives `FromRow` and `Row` for the struct `input`. With `#[row(read)]`, derives only `FromRow`: a struct with fields
/// that are rows themselves, such as an order with its state, can be read, but not written.
#[proc_macro_derive(Row, attributes(row))]
pub fn derive_row(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    implement(&input).unwrap_or_else(|error| error.to_compile_error().into())
}

fn implement(input: &DeriveInput) -> Result<TokenStream, Error> {
    let name = &input.ident;
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(name, "a row is a struct"));
    };
    let Fields::Named(fields) = &data.fields else {
        return Err(Error::new_spanned(name, "the fields must have names"));
    };
    let columns: Vec<_> = fields
        .named
        .iter()
        .filter_map(|f| f.ident.as_ref())
        .collect();
    let names: Vec<String> = columns.iter().map(ToString::to_string).collect();
    let types: Vec<_> = fields.named.iter().map(|field| &field.ty).collect();
    let mut derived = quote! {
        impl ::pressline_store_kit::FromRow for #name {
            const WIDTH: usize = 0 #(+ <#types as ::pressline_store_kit::FromRow>::WIDTH)*;

            fn read(
                columns: &mut dyn ::pressline_store_kit::Columns,
            ) -> ::diesel::QueryResult<Self> {
                Ok(Self { #(#columns: ::pressline_store_kit::FromRow::read(columns)?,)* })
            }

            fn names(_: &'static str, names: &mut Vec<&'static str>) {
                #(<#types as ::pressline_store_kit::FromRow>::names(#names, names);)*
            }
        }

        impl ::pressline_store_kit::Joined for #name {}
    };
    if !is_only_read(input)? {
        derived.extend(quote! {
            impl ::pressline_store_kit::Row for #name {
                const COLUMNS: &'static [(&'static str, ::pressline_store_kit::Kind)] = &[#((#names, <#types as ::pressline_store_kit::Column>::KIND)),*];

                fn values<A>(&self) -> Vec<::pressline_store_kit::Value<'_, A>> {
                    vec![#(::pressline_store_kit::Value::from(&self.#columns)),*]
                }
            }
        });
    }
    Ok(derived.into())
}

/// Whether the struct has the attribute `#[row(read)]`.
fn is_only_read(input: &DeriveInput) -> Result<bool, Error> {
    let mut is_only_read = false;
    for attribute in input
        .attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident("row"))
    {
        attribute.parse_nested_meta(|meta| {
            is_only_read = meta.path.is_ident("read");
            match is_only_read {
                true => Ok(()),
                false => Err(meta.error("the only option of `row` is `read`")),
            }
        })?;
    }
    Ok(is_only_read)
}
