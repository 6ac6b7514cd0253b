import { filterActiveUserIds, findUserNames } from '#modules/identity'
import { dayInTimezone } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { type InputError, invalidInput } from '#platform/errors'
import { type Money, parseAmount, toMinor } from '#platform/money'
import { baseCurrencyOf, timezoneOf } from '../settings/crm-settings.queries.ts'
import { toBaseMinor } from '../settings/currency.service.ts'
import type { CustomValues, ObjectType } from './custom-values.schemas.ts'
import { type CustomFieldRow, lockCustomFieldsShared } from './field-definitions.queries.ts'
import { type Problem, parseFieldValue, type Today, usesToday } from './field-value.rules.ts'

export type CheckedValues = { values: CustomValues; problems: { key: string; problem: Problem }[] }

type NewValuesOptions = {
  now: Date
  /** A converted lead cannot supply all fields of the records that it becomes. */
  mayOmitRequired?: boolean
}

/** Checks the values of a new record, all problems at once, and adds defaults. */
export async function checkNewCustomValues(
  tx: TenantTx,
  objectType: ObjectType,
  input: CustomValues = {},
  { now, mayOmitRequired = false }: NewValuesOptions,
): Promise<CustomValues> {
  const fields = await lockCustomFieldsShared(tx, objectType)
  if (!fields.length && !Object.keys(input).length) return {}
  const defaults = fields.filter(
    (field) => isWritable(field) && field.default_value !== null && input[field.key] === undefined,
  )
  const given = { ...Object.fromEntries(defaults.map((field) => [field.key, field.default_value])), ...input }
  const { values, problems } = await checkValues(tx, fields, given as CustomValues, now)
  // A default can become invalid, for example when its user is deactivated; it is then left out.
  const outdated = new Set(problems.map(({ key }) => key).filter((key) => !(key in input)))
  const present = Object.entries(values).filter(([key, value]) => value !== null && !outdated.has(key))
  const found = problems.filter(({ key }) => !outdated.has(key))
  const known = new Set([...present.map(([key]) => key), ...found.map(({ key }) => key)])
  const missing = fields.filter((field) => field.is_required && isWritable(field) && !known.has(field.key))
  throwProblems(mayOmitRequired ? found : [...found, ...missing.map(toRequiredProblem)])
  return Object.fromEntries(present)
}

/** Checks changed values and returns them in their stored form; null clears a value. */
export async function checkCustomChanges(
  tx: TenantTx,
  objectType: ObjectType,
  changes: CustomValues,
  now: Date,
): Promise<CustomValues> {
  const fields = await lockCustomFieldsShared(tx, objectType)
  const { values, problems } = await checkValues(tx, fields, changes, now)
  const missing = fields.filter(({ key, is_required }) => is_required && values[key] === null)
  throwProblems([...problems, ...missing.map(toRequiredProblem)])
  return values
}

const toRequiredProblem = ({ key }: CustomFieldRow) => ({
  key,
  problem: { code: 'required', message: `\`${key}\` is required.` },
})

export const isWritable = ({ is_active, deleted_at }: CustomFieldRow): boolean => is_active && deleted_at === null

function throwProblems(problems: CheckedValues['problems']): void {
  if (!problems.length) return
  const errors = problems.map(({ key, problem }): InputError => ({ in: 'body', path: `/custom/${key}`, ...problem }))
  throw invalidInput(errors)
}

export async function checkValues(
  tx: TenantTx,
  fields: readonly CustomFieldRow[],
  input: CustomValues,
  now: Date,
): Promise<CheckedValues> {
  const byKey = new Map(fields.filter(({ deleted_at }) => deleted_at === null).map((field) => [field.key, field]))
  const today = await todayOf(tx, fields, now)
  const values: CustomValues = {}
  const problems: CheckedValues['problems'] = []
  for (const [key, value] of Object.entries(input)) {
    const result = parseInput(byKey.get(key), key, value, today)
    if ('problem' in result) problems.push({ key, problem: result.problem })
    else values[key] = result.value as CustomValues[string]
  }
  const valid = fields.filter((field) => field.key in values)
  problems.push(...(await findUnknownUsers(tx, valid, values)), ...(await findAmountProblems(tx, valid, values)))
  return { values, problems }
}

function parseInput(field: CustomFieldRow | undefined, key: string, value: unknown, today: Today) {
  if (!field) return { problem: { code: 'unknown_field', message: `The custom field \`${key}\` does not exist.` } }
  if (!field.is_active)
    return { problem: { code: 'inactive', message: `The custom field \`${key}\` is inactive and cannot be changed.` } }
  return value === null ? { value } : parseFieldValue(field, value, today)
}

export async function todayOf(
  tx: TenantTx,
  fields: readonly Pick<CustomFieldRow, 'validation'>[],
  now: Date,
): Promise<Today> {
  return { now, day: fields.some(usesToday) ? dayInTimezone(now, await timezoneOf(tx)) : '' }
}

async function findUnknownUsers(tx: TenantTx, fields: readonly CustomFieldRow[], values: CustomValues) {
  const users = fields.filter(({ type, key }) => type === 'user' && values[key] !== null)
  if (!users.length) return []
  const ids = users.map(({ key }) => values[key] as string)
  const [active, existing] = [await filterActiveUserIds(tx, ids), await findUserNames(tx, ids)]
  return users.flatMap(({ key, validation: { active_only = true } }) => {
    const id = values[key] as string
    if (active_only ? active.has(id) : existing.has(id)) return []
    const message = `\`${key}\` must refer to an existing ${active_only ? 'active ' : ''}user.`
    return [{ key, problem: { code: 'unknown_reference', message } }]
  })
}

async function findAmountProblems(tx: TenantTx, fields: readonly CustomFieldRow[], values: CustomValues) {
  const problems: CheckedValues['problems'] = []
  for (const { type, key, validation } of fields) {
    if (type !== 'money' || values[key] === null) continue
    const base = await toBaseAmount(tx, key, values[key] as Money)
    const currency = await baseCurrencyOf(tx)
    const bound = (limit: unknown) =>
      limit === undefined ? undefined : parseAmount(String(limit), currency, { in: 'body', path: '/validation' })
    const [min, max] = [bound(validation.min), bound(validation.max)]
    if (min !== undefined && base < min)
      problems.push({
        key,
        problem: { code: 'minimum', message: `\`${key}\` must not be less than ${validation.min} ${currency}.` },
      })
    if (max !== undefined && base > max)
      problems.push({
        key,
        problem: { code: 'maximum', message: `\`${key}\` must not be greater than ${validation.max} ${currency}.` },
      })
  }
  return problems
}

export function toBaseAmount(tx: TenantTx, key: string, money: Money): Promise<number> {
  const path = `/custom/${key}`
  return toBaseMinor(tx, { amount_minor: toMinor(money, money.currency, path), currency: money.currency }, path)
}
