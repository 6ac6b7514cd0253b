export const toPlainName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}]/gu, '')

/** ISO 3166-1 alpha-3 codes; `Intl` knows only those of two letters. */
const alpha3Codes =
  'AD:AND AE:ARE AF:AFG AG:ATG AI:AIA AL:ALB AM:ARM AO:AGO AQ:ATA AR:ARG AS:ASM AT:AUT AU:AUS AW:ABW AX:ALA AZ:AZE BA:BIH BB:BRB BD:BGD BE:BEL ' +
  'BF:BFA BG:BGR BH:BHR BI:BDI BJ:BEN BL:BLM BM:BMU BN:BRN BO:BOL BQ:BES BR:BRA BS:BHS BT:BTN BV:BVT BW:BWA BY:BLR BZ:BLZ CA:CAN CC:CCK CD:COD ' +
  'CF:CAF CG:COG CH:CHE CI:CIV CK:COK CL:CHL CM:CMR CN:CHN CO:COL CR:CRI CU:CUB CV:CPV CW:CUW CX:CXR CY:CYP CZ:CZE DE:DEU DJ:DJI DK:DNK DM:DMA ' +
  'DO:DOM DZ:DZA EC:ECU EE:EST EG:EGY EH:ESH ER:ERI ES:ESP ET:ETH FI:FIN FJ:FJI FK:FLK FM:FSM FO:FRO FR:FRA GA:GAB GB:GBR GD:GRD GE:GEO GF:GUF ' +
  'GG:GGY GH:GHA GI:GIB GL:GRL GM:GMB GN:GIN GP:GLP GQ:GNQ GR:GRC GS:SGS GT:GTM GU:GUM GW:GNB GY:GUY HK:HKG HM:HMD HN:HND HR:HRV HT:HTI HU:HUN ' +
  'ID:IDN IE:IRL IL:ISR IM:IMN IN:IND IO:IOT IQ:IRQ IR:IRN IS:ISL IT:ITA JE:JEY JM:JAM JO:JOR JP:JPN KE:KEN KG:KGZ KH:KHM KI:KIR KM:COM KN:KNA ' +
  'KP:PRK KR:KOR KW:KWT KY:CYM KZ:KAZ LA:LAO LB:LBN LC:LCA LI:LIE LK:LKA LR:LBR LS:LSO LT:LTU LU:LUX LV:LVA LY:LBY MA:MAR MC:MCO MD:MDA ME:MNE ' +
  'MF:MAF MG:MDG MH:MHL MK:MKD ML:MLI MM:MMR MN:MNG MO:MAC MP:MNP MQ:MTQ MR:MRT MS:MSR MT:MLT MU:MUS MV:MDV MW:MWI MX:MEX MY:MYS MZ:MOZ NA:NAM ' +
  'NC:NCL NE:NER NF:NFK NG:NGA NI:NIC NL:NLD NO:NOR NP:NPL NR:NRU NU:NIU NZ:NZL OM:OMN PA:PAN PE:PER PF:PYF PG:PNG PH:PHL PK:PAK PL:POL PM:SPM ' +
  'PN:PCN PR:PRI PS:PSE PT:PRT PW:PLW PY:PRY QA:QAT RE:REU RO:ROU RS:SRB RU:RUS RW:RWA SA:SAU SB:SLB SC:SYC SD:SDN SE:SWE SG:SGP SH:SHN SI:SVN ' +
  'SJ:SJM SK:SVK SL:SLE SM:SMR SN:SEN SO:SOM SR:SUR SS:SSD ST:STP SV:SLV SX:SXM SY:SYR SZ:SWZ TC:TCA TD:TCD TF:ATF TG:TGO TH:THA TJ:TJK TK:TKL ' +
  'TL:TLS TM:TKM TN:TUN TO:TON TR:TUR TT:TTO TV:TUV TW:TWN TZ:TZA UA:UKR UG:UGA UM:UMI US:USA UY:URY UZ:UZB VA:VAT VC:VCT VE:VEN VG:VGB VI:VIR ' +
  'VN:VNM VU:VUT WF:WLF WS:WSM YE:YEM YT:MYT ZA:ZAF ZM:ZMB ZW:ZWE'

const otherNames: Record<string, readonly string[]> = {
  US: ['United States of America', 'U.S.', 'Vereinigte Staaten von Amerika'],
  GB: ['UK', 'Great Britain', 'England', 'Scotland', 'Wales', 'Northern Ireland', 'Großbritannien', 'Grande-Bretagne'],
  NL: ['Holland', 'The Netherlands'],
  CZ: ['Czech Republic', 'Tschechische Republik', 'République tchèque'],
  KR: ['Korea', 'Republic of Korea', 'Korea, Republic of'],
  RU: ['Russian Federation', 'Russische Föderation'],
  CN: ["People's Republic of China"],
  HK: ['Hong Kong'],
  MO: ['Macau', 'Macao'],
  CI: ['Ivory Coast'],
  CV: ['Cape Verde'],
  MK: ['Macedonia'],
  MM: ['Burma'],
  SZ: ['Swaziland'],
  TL: ['East Timor'],
  TR: ['Turkey', 'Turkiye'],
  AE: ['UAE'],
  VN: ['Viet Nam'],
  VA: ['Vatican', 'Holy See'],
  BA: ['Bosnia'],
}

const languages = ['en', 'de', 'fr', 'es']

type CountryNames = { byCode: Map<string, string>; byName: Map<string, string> }

let names: CountryNames | undefined

/** Finds the code of a country by its code of two or three letters or its name in English, its own or a frequent language. */
export function findCountry(text: string): string | undefined {
  names ??= listCountryNames()
  return names.byCode.get(text.toUpperCase()) ?? names.byName.get(toPlainName(text))
}

/** Codes are compared with their punctuation: `N/A` is not Namibia. */
function listCountryNames(): CountryNames {
  const [byCode, byName] = [new Map<string, string>(), new Map<string, string>()]
  const add = (name: string | undefined, code: string) => {
    const plain = name && toPlainName(name)
    if (plain && !byName.has(plain)) byName.set(plain, code)
  }
  const pairs = alpha3Codes.split(' ').map((pair) => pair.split(':') as [string, string])
  for (const pair of pairs) for (const code of pair) byCode.set(code, pair[0])
  for (const language of languages) {
    const regions = new Intl.DisplayNames(language, { type: 'region' })
    for (const [code] of pairs) add(regions.of(code), code)
  }
  for (const [code] of pairs) add(findLocalName(code), code)
  for (const [code, others] of Object.entries(otherNames)) for (const name of others) add(name, code)
  return { byCode, byName }
}

const findLocalName = (code: string): string | undefined =>
  new Intl.DisplayNames(new Intl.Locale(`und-${code}`).maximize().language, { type: 'region' }).of(code)
