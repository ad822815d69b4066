//! Names that people and other systems use for a country, besides its shown name, its ISO names and
//! its codes.

/// A country with many names has several lines. Forms that the look-up handles itself need no
/// entry: it ignores case, accents, punctuation, `the` and `and`, reads `St` as `Saint`, and
/// removes a title in front (`Kingdom of …`) if that is unambiguous. Sources: ISO's former names
/// (`Swaziland`), the short forms of shop systems and carriers, and the countries' own names if
/// written in Latin letters.
const ALIASES: &str = "\
AE: UAE | Emirates | Dubai | Abu Dhabi
AG: Antigua
AL: Shqipëria
AR: Argentine Republic
AT: Österreich
AX: Åland
BA: Bosnia | Bosna i Hercegovina
BE: België | Belgique | Belgien
BL: Saint Barts
BN: Nation of Brunei | Brunei Darussalam, Abode of Peace
BQ: Bonaire | BES Islands | Saba | Sint Eustatius | Netherlands Caribbean
BR: Brasil
BY: Byelorussia | Belorussia
CC: Cocos Islands | Keeling Islands | Cocos Keeling
CD: Congo - Kinshasa | Congo, Dem. Rep. | DR Congo | DRC | Zaire
CD: Congo, The Democratic Republic of the
CF: CAR | Central African Rep.
CG: Congo - Brazzaville | Congo Republic | Congo, Rep. | Congo, Republic of the
CH: Schweiz | Suisse | Svizzera | Swiss Confederation
CI: Ivory Coast
CN: PRC | Mainland China | People's Republic of China | P.R. China | China Mainland
CV: Cape Verde Islands
CZ: Czech Republic | Czech Rep. | Česko | Česká republika
DE: Deutschland | BRD
DK: Danmark
DO: Dominican Rep. | República Dominicana
EE: Eesti
ES: España
FI: Suomi
FK: Falklands | Malvinas | Islas Malvinas
FM: Micronesia, Federated States | FS Micronesia
FO: Faeroe Islands | Faroes
FR: French Republic
GA: Gabonese Republic
GB: Great Britain | Britain | England | Scotland | Wales | Northern Ireland | United Kingdom (UK)
GB: United Kingdom, Great Britain | UK of Great Britain and Northern Ireland
GF: Guyane | Guyane française
GR: Hellas | Hellenic Republic
GS: South Georgia
HK: Hong Kong SAR | Hong Kong Special Administrative Region of China | Hong Kong SAR China
HK: Hong Kong, China | HKSAR
HM: Heard and McDonald Islands | Heard Island
HR: Hrvatska
HU: Magyarország
IE: Éire | Irish Republic | Eire / Ireland | Ireland, Republic of
IO: BIOT | Chagos Islands | Diego Garcia
IR: Persia
IS: Ísland
IT: Italia | Italian Republic
JP: Nippon | Nihon
KG: Kyrgyz Republic | Kirghizia
KH: Kampuchea
KN: Saint Kitts | Nevis
KP: Korea, North | N. Korea | DPRK | Korea DPR
KR: Korea | Korea, South | S. Korea | ROK
LA: Lao | Lao PDR
LB: Lebanese Republic
LI: Fürstentum Liechtenstein
LT: Lietuva
LU: Luxemburg
LV: Latvija
LY: Libyan Arab Jamahiriya
MD: Moldavia
ME: Crna Gora
MF: Saint Martin, French | Saint-Martin (France)
MK: Macedonia | FYROM | Macedonia, the Former Yugoslav Republic of
MK: Former Yugoslav Republic of Macedonia
MM: Burma | Myanmar (Burma) | Burma (Myanmar)
MO: Macau | Macao Special Administrative Region of China | Macao SAR | Macau SAR | Macao SAR China
MO: Macau SAR China | Macao, China | Macau, China
MP: Northern Marianas | Northern Mariana | Saipan | CNMI
MX: United Mexican States | Estados Unidos Mexicanos
NC: Nouvelle-Calédonie
NL: Holland | Nederland
NO: Norge | Noreg
NZ: Aotearoa | Aotearoa New Zealand
PF: Tahiti | Polynésie française
PH: Pilipinas
PL: Polska
PN: Pitcairn Island
PS: Palestinian Territories | Palestinian Territory | Palestinian Territory, Occupied
PS: Occupied Palestinian Territory | West Bank | Gaza | West Bank and Gaza
PT: Portuguese Republic
PW: Belau
RE: Reunion Island | La Réunion
RO: Rumania | Roumania
RS: Srbija
RU: Rossiya | Russian Fed.
RW: Rwandese Republic
SA: KSA | Saudi
SE: Sverige
SH: Ascension | Ascension Island | Tristan da Cunha
SI: Slovenija
SJ: Svalbard | Jan Mayen | Svalbard and Jan Mayen Islands
SK: Slovak Republic | Slovensko
SR: Surinam
ST: São Tomé | São Tomé e Príncipe
SX: Saint Martin (Dutch part) | Saint Maarten | Sint Maarten (Netherlands)
SY: Syrian Republic
SZ: Swaziland
TC: Turks and Caicos
TF: French Southern and Antarctic Lands
TG: Togolese Republic
TL: East Timor
TR: Turkey
TT: Trinidad | Tobago
TW: Republic of China | Taiwan, R.O.C. | Taiwan, China | Chinese Taipei | Taiwan Region | Formosa
TZ: Tanzania, United Republic
UM: U.S. Outlying Islands | U.S. Minor Outlying Islands
US: America | United States (US) | United States (USA) | The States | U.S. of America
US: Estados Unidos | USA - United States | Unites States | United State
VA: Vatican | Holy See (Vatican City State) | Vatican City State
VC: Saint Vincent
VG: BVI | Virgin Islands, UK | British Virgin Is.
VI: USVI | US Virgin Is. | United States Virgin Islands | Virgin Islands of the United States
VI: Virgin Islands, US | Virgin Islands (USA)
WF: Wallis | Wallis and Futuna Islands
WS: Western Samoa
XK: Kosova | Republic of Kosovo
ZA: RSA | Suid-Afrika | S. Africa
";

pub(super) fn aliases() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = ALIASES.lines().filter_map(|line| line.split_once(": "));
    lines.flat_map(|(code, names)| names.split(" | ").map(move |name| (code, name)))
}
