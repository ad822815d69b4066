//! Fee files.

use pressline_backoffice::import::catalog::{Schedules, fee_sheet, read_fees};

use super::*;

const WHOLE: &str = "\
store,name,fee,amount,currency,per,orders,skus,zones
,Label handling,handling,2.50,USD,order,label,,
,Remote area,surcharge,3.00,USD,item,manual,TEE-*|MUG-11,Zone 1|Remote
TOKYO,Wrapping,other,50,JPY,unit,,,
KUWAIT,,,,,,,,
";

fn parse(text: &str) -> Result<Schedules, Findings> {
    read_fees(rows(text, Content::Fees)?, &references())
}

#[test]
fn a_written_file_is_read_back_unchanged() {
    let schedules = parse(WHOLE).unwrap();
    let stores = references().stores;
    assert_read_back(&schedules, WHOLE, |whole| fee_sheet(whole, &stores), parse);
    let rules: Vec<usize> = schedules
        .iter()
        .map(|(_, schedule)| schedule.rules().len())
        .collect();
    assert_eq!(rules, [2, 1, 0]);
    assert_eq!(schedules[1].1.rules()[0].amount.minor_units(), 50);
}

#[test]
fn every_wrong_rule_is_named() {
    let text = "store,name,fee,amount,currency,per,orders,skus,zones\n\
                NONE,A,other,1,USD,order,,,\n\
                DEMO,B,other,1,EUR,order,,,\n\
                DEMO,,shipping,1,,each,both,,\n\
                DEMO,C,,x,,,,MUG-12|T*E,Zone 2\n\
                DEMO,D,other,1,,order,,,\n\
                DEMO,D,other,2,,order,,,\n\
                DEMO,D,other,2,,item,,,\n";
    assert_problems(
        parse(text),
        &[
            ("line 2, store", "neither the id nor the prefix"),
            ("line 3, currency", "the store's orders are in USD"),
            ("line 4, fee", "`shipping` is not one of surcharge"),
            ("line 4, per", "`each` is not one of order, item, unit"),
            ("line 4, name", "required"),
            ("line 4, orders", "`both`"),
            ("line 5, fee", "required"),
            ("line 5, per", "required"),
            ("line 5, amount", "`x` is not an amount"),
            ("line 5, skus", "did you mean `MUG-11`?"),
            ("line 5, skus", "at the end only"),
            (
                "line 5, zones",
                "which are Zone 1, Remote; did you mean `Zone 1`?",
            ),
            ("line 7, name", "`D` is already in line 6"),
        ],
    );
}
