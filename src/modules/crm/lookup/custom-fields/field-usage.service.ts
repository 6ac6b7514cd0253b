import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { startRescore } from '../../people/scoring/rescore.jobs.ts'
import { listRuleFields } from '../../people/scoring/score.rules.ts'
import { getScoringConfig } from '../../people/scoring/scoring.queries.ts'
import { countRecordsWithValue } from '../../records/custom-values/custom-values.queries.ts'
import { type CustomFieldRow, listFieldsOf } from '../../records/custom-values/field-definitions.queries.ts'
import { fieldUsePoint } from './field-use.ts'

const maxCounted = 10_000

/** `records` is counted up to 10,000, deleted records included; `others` has the ids of records of other modules. */
export type FieldUsage = {
  records: number
  scoring_rules: string[]
  mappings: string[]
  others: Record<string, string[]>
}

export async function getFieldUsage(
  tx: TenantTx,
  field: CustomFieldRow,
  { registry }: Pick<Services, 'registry'>,
): Promise<FieldUsage> {
  const others: FieldUsage['others'] = {}
  for (const { name, listIds } of registry.extensionsOf(fieldUsePoint)) others[name] = await listIds(tx, field)
  return {
    records: await countRecordsWithValue(tx, field, maxCounted),
    scoring_rules: field.object_type === 'lead' ? await listScoringRules(tx, field.key) : [],
    mappings: await listMappings(tx, field),
    others,
  }
}

async function listScoringRules(tx: TenantTx, key: string): Promise<string[]> {
  const { fit } = await getScoringConfig(tx)
  return fit.rules.filter((rule) => listRuleFields(rule).includes(`custom.${key}`)).map((rule) => rule.key)
}

async function listMappings(tx: TenantTx, { object_type, key }: CustomFieldRow): Promise<string[]> {
  if (object_type === 'lead') return []
  const leadFields = await listFieldsOf(tx, 'lead')
  return leadFields.filter(({ maps_to }) => maps_to?.[object_type] === key).map((field) => field.key)
}

export const countUses = ({ records, scoring_rules, mappings, others }: FieldUsage): Record<string, number> => ({
  records,
  scoring_rules: scoring_rules.length,
  mappings: mappings.length,
  ...Object.fromEntries(Object.entries(others).map(([name, ids]) => [name, ids.length])),
})

/** Rescores all leads if a rule uses the field, which gives no points without it. */
export async function rescoreIfUsed(tx: TenantTx, { object_type, key }: CustomFieldRow): Promise<void> {
  if (object_type === 'lead' && (await listScoringRules(tx, key)).length) await startRescore(tx)
}
