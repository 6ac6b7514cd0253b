import { isDeepStrictEqual } from 'node:util'
import { readColumn } from '../record-columns/record-columns.rules.ts'
import type { ImportOptions } from './import.schemas.ts'
import type { ParsedRow } from './parse-row.rules.ts'

type Values = Record<string, unknown>

/** Fields that are no field of the record: they find an account, or change the consent of the address. */
const indirectFields = ['email_status', 'account_name', 'account_domain']
const requiredFields = ['source', 'status', 'lifecycle_stage']
const lists = ['tags']

/** Former and new values by the name of their field. */
export type MergedValues = { before: Values; after: Values }

export type MergeOptions = Pick<ImportOptions, 'on_match' | 'blank_clears' | 'multi_select' | 'tags'>

/** Decides which fields of a matched record change. */
export function mergeValues(
  record: Readonly<Values>,
  { values, blank }: Pick<ParsedRow, 'values' | 'blank'>,
  options: MergeOptions,
): MergedValues {
  const before: Values = {}
  const after: Values = {}
  const change = (name: string, value: unknown) => {
    const current = readColumn(record, name)
    if (isDeepStrictEqual(current, value) || (isEmpty(current) && isEmpty(value))) return
    before[name] = current
    after[name] = value
  }
  for (const [name, value] of Object.entries(values)) {
    if (indirectFields.includes(name)) continue
    const current = readColumn(record, name)
    if (options.on_match === 'update_empty' && !isEmpty(current)) continue
    change(name, options.multi_select === 'add' && Array.isArray(value) ? unite(current, value) : value)
  }
  if (options.on_match === 'update' && options.blank_clears)
    for (const name of blank)
      if (!indirectFields.includes(name) && !requiredFields.includes(name) && name !== 'name')
        change(name, lists.includes(name) ? [] : null)
  if (options.tags.length) change('tags', unite(after.tags ?? record.tags, options.tags))
  return { before, after }
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

const unite = (current: unknown, added: readonly unknown[]): unknown[] => [
  ...new Set([...((current as unknown[] | null | undefined) ?? []), ...added]),
]

/** Returns the values of a new record: cells, then defaults, then what applies to all rows. */
export function toNewValues(
  { values }: Pick<ParsedRow, 'values'>,
  defaults: Values,
  { tags, owner_id }: Pick<ImportOptions, 'tags' | 'owner_id'>,
): Values {
  const all: Values = { ...(owner_id && { owner_id }), ...defaults, ...values }
  return tags.length ? { ...all, tags: unite(all.tags, tags) } : all
}

/** Puts `utm.source` and `custom.tier` into objects, as requests have them. `record` has the other keys of `utm`. */
export function toRecordInput(values: Readonly<Values>, record: Readonly<Values> = {}): Values {
  const input: Values = {}
  for (const [name, value] of Object.entries(values)) {
    const dot = name.indexOf('.')
    if (indirectFields.includes(name)) continue
    if (dot < 0) input[name] = value
    else {
      const parent = name.slice(0, dot)
      const current = parent === 'utm' ? record.utm : undefined
      input[parent] = {
        ...(current as Values | undefined),
        ...(input[parent] as Values | undefined),
        [name.slice(dot + 1)]: value,
      }
    }
  }
  return input
}

/** Returns the record with changed values, of which some are keys of `utm` and `custom`. */
export function applyValues(record: Readonly<Values>, changes: Readonly<Values>): Values {
  const changed: Values = { ...record }
  for (const [name, value] of Object.entries(changes)) {
    const dot = name.indexOf('.')
    if (dot < 0) changed[name] = value
    else {
      const parent = name.slice(0, dot)
      changed[parent] = { ...(changed[parent] as Values | null), [name.slice(dot + 1)]: value }
    }
  }
  return changed
}
