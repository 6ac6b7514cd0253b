/** A column of a file that another system wrote. `read` gives the stored value of a row; without a field, the column is left out. */
export type ExportedColumn = {
  name: string
  cell(n: number): string
  field?: string
  read?(n: number): unknown
  transform?: string
}

export type ExportedFile = {
  system: string
  type: 'leads' | 'contacts'
  columns: ExportedColumn[]
  toBytes(text: string): Buffer
  delimiter: string
  /** Custom fields of the workspace, by key. */
  customFields: Record<string, { label: string; type: string }>
  /** Rows with a warning, by its code; the values of these cells are left out. */
  warnings: Record<string, number>
}

export const rowsPerFile = 60

export const first = ['Jürgen', 'Zoë', 'Max', 'Élodie', 'Ann-Kathrin', 'Lars']
export const last = ['Größe', "O'Neil", 'García', 'Lefèvre', 'Smith, Jr.', 'de Vries']
export const pick = <T>(list: readonly T[], n: number): T => list[n % list.length]!
export const pad = (n: number) => String(n).padStart(2, '0')
export const year = 2026
export const dayOf = (n: number) => ({ day: 1 + (n % 28), month: 1 + (n % 12) })
export const isoDay = (n: number) => `${year}-${pad(dayOf(n).month)}-${pad(dayOf(n).day)}`

export const same = (name: string, field: string, cell: (n: number) => string): ExportedColumn => ({
  name,
  field,
  cell,
  read: cell,
})
export const ignored = (name: string, cell: (n: number) => string = (n) => `${n}`): ExportedColumn => ({ name, cell })
export const read = (
  name: string,
  field: string,
  cell: (n: number) => string,
  value: (n: number) => unknown,
  transform?: string,
): ExportedColumn => ({ name, field, cell, read: value, ...(transform && { transform }) })

/** Every seventh value of an optional column is blank. */
export const sometimes = (column: ExportedColumn): ExportedColumn => ({
  ...column,
  cell: (n) => (n % 7 === 3 ? '' : column.cell(n)),
  ...(column.read && { read: (n: number) => (n % 7 === 3 ? null : column.read!(n)) }),
})

export const names = (firstName: string, lastName: string): ExportedColumn[] => [
  same(firstName, 'first_name', (n) => pick(first, n)),
  same(lastName, 'last_name', (n) => pick(last, n)),
]
export const emailOf = (domain: string) => (n: number) => `person.${n}@${domain}.example`
export const phone = (n: number) => `+49 30 1234${pad(n)}`
export const country =
  (list: readonly (readonly [string, string])[], column: 0 | 1) =>
  (n: number): string =>
    pick(list, n)[column]
export const english = [
  ['Germany', 'DE'],
  ['United States', 'US'],
  ['UK', 'GB'],
  ['France', 'FR'],
] as const
export const german = [
  ['Deutschland', 'DE'],
  ['Österreich', 'AT'],
  ['Schweiz', 'CH'],
  ['Frankreich', 'FR'],
] as const
export const french = [
  ['France', 'FR'],
  ['Allemagne', 'DE'],
  ['Suisse', 'CH'],
  ['Belgique', 'BE'],
] as const

export const utf8 = (text: string) => Buffer.from(text)
export const utf8WithMark = (text: string) => Buffer.from(`\uFEFF${text}`)
/** The texts have letters of Latin-1 only, which Windows-1252 shares, and the Euro sign. */
export const windows1252 = (text: string) => Buffer.from(text.replaceAll('€', '\x80'), 'latin1')
export const since = { since: { label: 'Customer since', type: 'date' } }
