import { isDeepStrictEqual } from 'node:util'
import { recordAudit } from '#platform/audit'
import { mapWithPauses } from '#platform/concurrency'
import type { TenantTx } from '#platform/db'
import { changedFields } from '#platform/diff'
import { assertVersion, conflict, invalid, invalidTransition, notFound } from '#platform/errors'
import { nilUuid } from '#platform/ids'
import { emit } from '#platform/outbox'
import { customFieldUpdated } from '../../crm.events.ts'
import { todayOf } from '../../records/custom-values/check-custom-values.service.ts'
import { isSearchable } from '../../records/custom-values/custom-text.ts'
import { countOptionUse, listStoredValues } from '../../records/custom-values/custom-values.queries.ts'
import type { CustomValue } from '../../records/custom-values/custom-values.schemas.ts'
import { type CustomFieldRow, listFieldsOf } from '../../records/custom-values/field-definitions.queries.ts'
import { countPatternSteps } from '../../records/custom-values/field-pattern.rules.ts'
import { parseFieldValue } from '../../records/custom-values/field-value.rules.ts'
import {
  assertFilterable,
  assertMapping,
  assertValidDefinition,
  toCustomField,
  toDefaultValue,
} from './create-custom-field.service.ts'
import {
  enqueueIndexing,
  enqueueIndexRemoval,
  enqueueRewrite,
  enqueueTextIndexing,
  enqueueUniqueness,
  enqueueUniqueRemoval,
} from './custom-fields.jobs.ts'
import { lockCustomField, lockCustomFields, updateCustomFieldRow } from './custom-fields.queries.ts'
import type { CustomFieldChanges, UpdatedCustomField } from './custom-fields.schemas.ts'
import { allowedTypesAfter, withDefaults } from './field-definition.rules.ts'
import { rescoreIfUsed } from './field-usage.service.ts'
import { startUniqueness } from './unique-values.service.ts'

type CustomFieldUpdate = { changes: CustomFieldChanges; expectedVersion?: number; now: Date }

export async function updateCustomField(
  tx: TenantTx,
  id: string,
  { changes: { replace_options = {}, ...requested }, expectedVersion, now }: CustomFieldUpdate,
): Promise<UpdatedCustomField> {
  await lockCustomFields(tx)
  const field = await lockCustomField(tx, id)
  if (!field) throw notFound('custom field')
  assertVersion(field, expectedVersion)
  const options = requested.options && { options: withDefaults(requested.options) }
  const changes = changedFields(field, { ...requested, ...options }) as Partial<CustomFieldRow>
  const after = { ...field, ...changes }
  await assertAllowed(tx, field, after)
  await assertRemovedOptions(tx, field, after, replace_options)
  if (!Object.keys(changes).length) return { ...toCustomField(field), invalid_existing: null }

  const columns = { ...(await toColumns(tx, after, changes, now)), ...(await applyUniqueness(tx, field, after)) }
  const updated = await updateCustomFieldRow(tx, id, columns)
  await startJobs(tx, field, updated, replace_options)
  await recordAudit(tx, 'custom_field.updated', { id, label: updated.label, before: field, after: updated })
  const { object_type, key } = updated
  await emit(tx, customFieldUpdated, updated, { object_type, key, changed: Object.keys(changes) })
  const isNarrower = changes.validation !== undefined
  return { ...toCustomField(updated), invalid_existing: isNarrower ? await countInvalid(tx, updated, now) : null }
}

async function assertAllowed(tx: TenantTx, before: CustomFieldRow, after: CustomFieldRow): Promise<void> {
  const [from, to] = [before.type, after.type]
  const allowed = allowedTypesAfter(from)
  if (from !== to && !allowed.includes(to))
    throw invalidTransition(`A field of type \`${from}\` cannot become \`${to}\`.`, { from, to, allowed })
  const decimals = (field: CustomFieldRow) => field.validation.decimals ?? 6
  if (to === 'number' && decimals(after) < decimals(before))
    throw conflict('conflict', '`decimals` cannot be reduced, because existing values may have more decimals.')
  assertValidDefinition(after)
  const others = (await listFieldsOf(tx, after.object_type)).filter(
    ({ id, deleted_at }) => id !== after.id && deleted_at === null,
  )
  if (after.is_filterable && !before.is_filterable) assertFilterable(others)
  if (!isDeepStrictEqual(before.maps_to, after.maps_to)) await assertMapping(tx, after)
}

type Replacements = Readonly<Record<string, string | null>>

async function assertRemovedOptions(
  tx: TenantTx,
  before: CustomFieldRow,
  after: CustomFieldRow,
  replacements: Replacements,
): Promise<void> {
  const kept = new Set(after.options.map(({ key }) => key))
  const removed = before.options.map(({ key }) => key).filter((key) => !kept.has(key))
  for (const [key, replacement] of Object.entries(replacements)) {
    const path = `/replace_options/${key}`
    if (!removed.includes(key))
      throw invalid('body', path, 'not_removed', `\`${key}\` must be an option that is removed.`)
    if (replacement !== null && !kept.has(replacement))
      throw invalid('body', path, 'unknown_option', `\`${replacement}\` must be one of the remaining options.`)
  }
  const unreplaced = removed.filter((key) => !Object.hasOwn(replacements, key))
  const counts = unreplaced.length ? await countOptionUse(tx, before, unreplaced) : new Map<string, number>()
  if (counts.size)
    throw conflict('option_in_use', 'A removed option is still used. Set `replace_options` for it.', {
      counts: Object.fromEntries(counts),
    })
}

async function toColumns(tx: TenantTx, after: CustomFieldRow, changes: Partial<CustomFieldRow>, now: Date) {
  const { options, validation, maps_to, default_value: _, ...columns } = changes
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value))
  const is_filterable = changes.is_filterable ?? after.is_filterable
  return {
    ...columns,
    ...(options && { options: json(options) }),
    ...(validation && { validation: json(validation) }),
    ...(maps_to !== undefined && { maps_to: json(maps_to) }),
    ...(affectsDefault(changes) && {
      default_value: await toDefaultValue(tx, after, after.default_value as CustomValue, now),
    }),
    ...(changes.is_filterable !== undefined && { index_state: is_filterable ? 'building' : 'none' }),
  }
}

const affectsDefault = (changes: Partial<CustomFieldRow>) =>
  (['type', 'options', 'validation', 'default_value', 'is_unique'] as const).some((name) => name in changes)

async function applyUniqueness(tx: TenantTx, before: CustomFieldRow, after: CustomFieldRow) {
  if (before.is_unique === after.is_unique) return {}
  if (after.is_unique) return await startUniqueness(tx, after)
  return { unique_state: 'none' as const, duplicate_record_ids: [] }
}

async function startJobs(
  tx: TenantTx,
  before: CustomFieldRow,
  after: CustomFieldRow,
  replacements: Replacements,
): Promise<void> {
  if (after.is_filterable && !before.is_filterable) await enqueueIndexing(tx, after.id)
  if (!after.is_filterable && before.is_filterable) await enqueueIndexRemoval(tx, after.id)
  if (after.unique_state === 'building' && !before.is_unique) await enqueueUniqueness(tx, after.id)
  if (!after.is_unique && before.is_unique) await enqueueUniqueRemoval(tx, after.id)
  if (isSearchable(before) !== isSearchable(after)) await enqueueTextIndexing(tx, after.object_type)
  if (isScored(before) !== isScored(after)) await rescoreIfUsed(tx, after)
  const becomesList = before.type === 'select' && after.type === 'multi_select'
  if (becomesList || Object.keys(replacements).length) await enqueueRewrite(tx, after.id, replacements)
}

const isScored = ({ is_active, is_filterable }: CustomFieldRow) => is_active && is_filterable

const maxCounted = 10_000
const maxPatternStepsCounted = 10_000_000
const batchSize = 500

async function countInvalid(tx: TenantTx, field: CustomFieldRow, now: Date): Promise<number> {
  const today = await todayOf(tx, [field], now)
  let [invalidValues, read, patternSteps] = [0, 0, 0]
  for (
    let after: string | null = nilUuid;
    after !== null && read < maxCounted && patternSteps < maxPatternStepsCounted;
  ) {
    const values: Awaited<ReturnType<typeof listStoredValues>> = await listStoredValues(tx, field, {
      after,
      limit: batchSize,
    })
    const isInvalid = await mapWithPauses(values, ({ value }) => {
      patternSteps += countPatternSteps(field.validation.pattern, value)
      return patternSteps < maxPatternStepsCounted && 'problem' in parseFieldValue(field, value, today)
    })
    invalidValues += isInvalid.filter(Boolean).length
    read += values.length
    after = values.length < batchSize ? null : values.at(-1)!.id
  }
  return invalidValues
}
