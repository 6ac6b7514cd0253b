import type { ImportOptions } from '../import-mapping/import.schemas.ts'
import type { MatchKey } from '../import-mapping/match-rows.rules.ts'
import { applyValues, mergeValues, toNewValues, toRecordInput } from '../import-mapping/merge-values.rules.ts'
import type { ParsedRow } from '../import-mapping/parse-row.rules.ts'

type Values = Record<string, unknown>

export type Candidate = { row_no: number; parsed: ParsedRow; key: MatchKey | null; subjects: readonly string[] }

/** Rows of one record in the order of the file. They are merged in memory and written together. */
export type RowGroup = { key: MatchKey | null; rows: readonly [Candidate, ...Candidate[]] }

export function groupByKey(rows: readonly Candidate[]): RowGroup[] {
  const withKey = Map.groupBy(
    rows.filter(({ key }) => key !== null),
    ({ key }) => key!.key,
  )
  const first = new Set([...withKey.values()].map(([row]) => row!))
  return rows
    .filter((row) => row.key === null || first.has(row))
    .map((row) => {
      const [, ...rest] = row.key ? withKey.get(row.key.key)! : [row]
      return withOneAddress({ key: row.key, rows: [row, ...rest] })
    })
}

/** Leaves rows with another email address to the next batch if a consent is stated, because consent belongs to an address. */
function withOneAddress(group: RowGroup): RowGroup {
  const [first, ...rest] = group.rows
  if (!group.rows.some(({ parsed }) => parsed.values.email_status)) return group
  const emailOf = ({ parsed }: Candidate) => (parsed.values.email as string | undefined)?.toLowerCase()
  const end = rest.findIndex((row) => emailOf(row) !== emailOf(first))
  return { ...group, rows: [first, ...(end < 0 ? rest : rest.slice(0, end))] }
}

export const onlyFirstRow = ({ key, rows: [first] }: RowGroup): RowGroup => ({ key, rows: [first] })

export const withRows = ({ key }: RowGroup, [first, ...rest]: readonly Candidate[]): RowGroup[] =>
  first ? [{ key, rows: [first, ...rest] }] : []

const accountFields = ['account_id', 'account_name', 'account_domain']

/** Leaves the account only in the row that decides it, so that no account is created for the others. */
export function valuesOfRows({ rows }: RowGroup, { on_match }: Pick<ImportOptions, 'on_match'>): Values[] {
  const hasAccount = ({ parsed }: Candidate) => accountFields.some((field) => parsed.values[field] !== undefined)
  const deciding = on_match === 'update' ? rows.findLast(hasAccount) : rows.find(hasAccount)
  return rows.map((row) => {
    if (row === deciding || !hasAccount(row)) return row.parsed.values
    return Object.fromEntries(Object.entries(row.parsed.values).filter(([name]) => !accountFields.includes(name)))
  })
}

/** Values of a new record: those of the first row with the defaults, into which the others are merged as into a matched record. */
export function toCreatedValues(group: RowGroup, defaults: Values, options: ImportOptions): Values {
  const [values, ...others] = valuesOfRows(group, options)
  const created = toNewValues({ ...group.rows[0].parsed, values: values! }, defaults, options)
  if (options.on_match === 'skip') return withReason(created)
  let record = toRecordInput(created)
  for (const [index, other] of others.entries()) {
    const parsed = { ...group.rows[index + 1]!.parsed, values: other }
    const { after } = mergeValues(record, parsed, options)
    for (const field of accountFields) if (other[field] !== undefined) created[field] = other[field]
    Object.assign(created, after)
    record = applyValues(record, after)
  }
  return withReason(created)
}

export const defaultReason = 'other'

/** Files of other systems say that a lead is disqualified, but seldom why. */
const withReason = (created: Values): Values =>
  created.status === 'unqualified' && !created.disqualify_reason
    ? { ...created, disqualify_reason: defaultReason }
    : created

/** Merges the rows of a group into a matched record. `values` are those of each row, with the id of their account. */
export function mergeRows(
  record: Readonly<Values>,
  group: RowGroup,
  values: readonly Values[],
  options: ImportOptions,
) {
  let current = record
  let [before, after]: [Values, Values] = [{}, {}]
  for (const [index, { parsed }] of group.rows.entries()) {
    const merged = mergeValues(current, { ...parsed, values: { ...values[index] } }, options)
    before = { ...merged.before, ...before }
    after = { ...after, ...merged.after }
    current = applyValues(current, merged.after)
  }
  return { before, after }
}
