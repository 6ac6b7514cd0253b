/** Marks every text, so that it can be found in statements and pages. */
export const hostileMarker = 'zq7k'
const quotes = ["'", '"', '`', "''", '\\', "\\'", '$$', '$1', ';', '--', '/*', '%', '_', '\u2019', '\uff07']
const statements = [
  'or 1=1',
  'drop table crm.leads',
  'union select 1',
  'select pg_sleep(9)',
  '::uuid',
  'is null)',
  '||',
]
const markup = ['<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '{{constructor}}', `$\{7*7}`, '&lt;b&gt;']
const others = [
  '\u202e',
  '\u0345İ',
  '🧑‍🤝‍🧑🏽',
  '../../etc/passwd',
  '__proto__',
  '\r\nBcc: x@example.com',
  '%00',
  'NaN',
]

/** More than 200 texts that are code in another language. */
export const hostileTexts: readonly string[] = [
  ...quotes.flatMap((quote) => statements.flatMap((statement) => [`${quote} ${statement}`, `${statement}${quote}`])),
  ...[...markup, ...others].map((text) => `"${text}'`),
].map((text, n) => `${hostileMarker}${n} ${text} ${hostileMarker}`)

/** A fifth of the texts with quotes, with every quote and every statement, and all others. */
export const fewHostileTexts: readonly string[] = hostileTexts.filter(
  (_, n) => n % 5 === 0 || n >= 2 * quotes.length * statements.length,
)
