import { filterActiveUserIds, findUserNames, timezoneOf } from '#modules/identity'
import { dayInTimezone } from '#platform/calendar'
import { mapWithPauses } from '#platform/concurrency'
import type { TenantTx } from '#platform/db'
import { attempt, type InputError, invalidInput, type Outcome, requireValue } from '#platform/errors'
import { type Money, parseAmount, toMinor } from '#platform/money'
import { type CurrencyRates, convertToBase, readCurrencyRates } from '../settings/crm-settings.service.ts'
import type { CustomValue, CustomValues, ObjectType } from './custom-values.schemas.ts'
import { type CustomFieldRow, lockCustomFieldsShared } from './field-definitions.queries.ts'
import { countPatternSteps, maxPatternSteps } from './field-pattern.rules.ts'
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
  options: NewValuesOptions,
): Promise<CustomValues> {
  return requireValue((await checkManyNewValues(tx, objectType, [input], options))[0]!)
}

export async function checkManyNewValues(
  tx: TenantTx,
  objectType: ObjectType,
  inputs: readonly CustomValues[],
  { now, mayOmitRequired = false }: NewValuesOptions,
): Promise<Outcome<CustomValues>[]> {
  const fields = await lockCustomFieldsShared(tx, objectType)
  if (!fields.length && inputs.every((input) => !Object.keys(input).length)) return inputs.map(() => ({ value: {} }))
  const defaults = fields.filter((field) => isWritable(field) && field.default_value !== null)
  const given = inputs.map((input) => withDefaultValues(defaults, input))
  const required = mayOmitRequired ? [] : fields.filter((field) => field.is_required && isWritable(field))
  const checked = await checkManyValues(tx, fields, given, now)
  return checked.map((outcome, index) => attempt(() => requireValid(requireValue(outcome), inputs[index]!, required)))
}

const withDefaultValues = (defaults: readonly CustomFieldRow[], input: CustomValues): CustomValues => {
  const missing = defaults.filter(({ key }) => input[key] === undefined)
  return { ...Object.fromEntries(missing.map((field) => [field.key, field.default_value as CustomValue])), ...input }
}

function requireValid({ values, problems }: CheckedValues, input: CustomValues, required: readonly CustomFieldRow[]) {
  // A default can become invalid, for example when its user is deactivated; it is then left out.
  const outdated = new Set(problems.map(({ key }) => key).filter((key) => !(key in input)))
  const present = Object.entries(values).filter(([key, value]) => value !== null && !outdated.has(key))
  const found = problems.filter(({ key }) => !outdated.has(key))
  const known = new Set([...present.map(([key]) => key), ...found.map(({ key }) => key)])
  throwProblems([...found, ...required.filter(({ key }) => !known.has(key)).map(toRequiredProblem)])
  return Object.fromEntries(present)
}

/** Checks changed values and returns them in their stored form; null clears a value. */
export async function checkCustomChanges(
  tx: TenantTx,
  objectType: ObjectType,
  changes: CustomValues,
  now: Date,
): Promise<CustomValues> {
  return requireValue((await checkManyCustomChanges(tx, objectType, [changes], now))[0]!)
}

export async function checkManyCustomChanges(
  tx: TenantTx,
  objectType: ObjectType,
  changes: readonly CustomValues[],
  now: Date,
): Promise<Outcome<CustomValues>[]> {
  const fields = await lockCustomFieldsShared(tx, objectType)
  const checked = await checkManyValues(tx, fields, changes, now)
  return checked.map((outcome) =>
    attempt(() => {
      const { values, problems } = requireValue(outcome)
      const missing = fields.filter(({ key, is_required }) => is_required && values[key] === null)
      throwProblems([...problems, ...missing.map(toRequiredProblem)])
      return values
    }),
  )
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
  return requireValue((await checkManyValues(tx, fields, [input], now))[0]!)
}

async function checkManyValues(
  tx: TenantTx,
  fields: readonly CustomFieldRow[],
  inputs: readonly CustomValues[],
  now: Date,
): Promise<Outcome<CheckedValues>[]> {
  const byKey = new Map(fields.filter(({ deleted_at }) => deleted_at === null).map((field) => [field.key, field]))
  const today = await todayOf(tx, fields, now)
  const parsed = await mapWithPauses(inputs, (input) => parseValues(byKey, input, today))
  const allValues = parsed.map(({ values }) => values)
  const users = await readUsers(tx, givenValues(fields, 'user', allValues) as string[])
  const amounts = givenValues(fields, 'money', allValues) as Money[]
  const rates = amounts.length ? await readCurrencyRates(tx, new Set(amounts.map(({ currency }) => currency))) : null
  return parsed.map(({ values, problems }) =>
    attempt(() => {
      const valid = fields.filter((field) => (values[field.key] ?? null) !== null)
      const more = [
        ...findUnknownUsers(valid, values, users),
        ...(rates ? findAmountProblems(valid, values, rates) : []),
      ]
      return { values, problems: [...problems, ...more] }
    }),
  )
}

function parseValues(byKey: ReadonlyMap<string, CustomFieldRow>, input: CustomValues, today: Today): CheckedValues {
  const values: CustomValues = {}
  const problems: CheckedValues['problems'] = []
  let patternSteps = 0
  for (const [key, value] of Object.entries(input)) {
    const field = byKey.get(key)
    patternSteps += countPatternSteps(field?.validation.pattern, value)
    const result = patternSteps > maxPatternSteps ? tooComplex(key) : parseInput(field, key, value, today)
    if ('problem' in result) problems.push({ key, problem: result.problem })
    else values[key] = result.value as CustomValue
  }
  return { values, problems }
}

const tooComplex = (key: string) => ({
  problem: {
    code: 'too_complex',
    message: `The texts in fields with a pattern are too long together. Shorten \`${key}\`.`,
  },
})

function givenValues(fields: readonly CustomFieldRow[], type: CustomFieldRow['type'], all: readonly CustomValues[]) {
  const keys = fields.filter((field) => field.type === type).map(({ key }) => key)
  return keys.length ? all.flatMap((values) => keys.flatMap((key) => values[key] ?? [])) : []
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

type Users = { active: ReadonlySet<string>; existing: ReadonlyMap<string, string> }

async function readUsers(tx: TenantTx, ids: readonly string[]): Promise<Users> {
  return { active: await filterActiveUserIds(tx, ids), existing: await findUserNames(tx, ids) }
}

function findUnknownUsers(fields: readonly CustomFieldRow[], values: CustomValues, { active, existing }: Users) {
  return fields.flatMap(({ type, key, validation: { active_only = true } }) => {
    const id = values[key] as string
    if (type !== 'user' || (active_only ? active.has(id) : existing.has(id))) return []
    const message = `\`${key}\` must refer to an existing ${active_only ? 'active ' : ''}user.`
    return [{ key, problem: { code: 'unknown_reference', message } }]
  })
}

function findAmountProblems(fields: readonly CustomFieldRow[], values: CustomValues, rates: CurrencyRates) {
  const problems: CheckedValues['problems'] = []
  const currency = rates.base
  for (const { type, key, validation } of fields) {
    if (type !== 'money') continue
    const base = toBaseAmount(rates, key, values[key] as Money)
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

export function toBaseAmount(rates: CurrencyRates, key: string, money: Money): number {
  const path = `/custom/${key}`
  return convertToBase(rates, { amount_minor: toMinor(money, money.currency, path), currency: money.currency }, path)
}
