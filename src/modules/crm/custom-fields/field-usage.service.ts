import type { TenantTx } from '#platform/db'
import { countRecordsWithValue } from '../custom-values/custom-values.queries.ts'
import { type CustomFieldRow, listFieldsOf } from '../custom-values/field-definitions.queries.ts'
import { startRescore } from '../scoring/rescore.jobs.ts'
import { getScoringConfig } from '../scoring/scoring-config.queries.ts'
import { listRuleFields } from '../scoring/scoring-config.rules.ts'

const maxCounted = 10_000

/** `records` is counted up to 10,000, deleted records included. */
export type FieldUsage = { records: number; scoring_rules: string[]; mappings: string[] }

export async function getFieldUsage(tx: TenantTx, field: CustomFieldRow): Promise<FieldUsage> {
  return {
    records: await countRecordsWithValue(tx, field, maxCounted),
    scoring_rules: field.object_type === 'lead' ? await listScoringRules(tx, field.key) : [],
    mappings: await listMappings(tx, field),
  }
}

async function listScoringRules(tx: TenantTx, key: string): Promise<string[]> {
  const { fit } = await getScoringConfig(tx)
  return fit.rules.filter((rule) => listRuleFields(rule).includes(`custom.${key}`)).map((rule) => rule.key)
}

/** Keys of lead fields that are mapped to this field. */
async function listMappings(tx: TenantTx, { object_type, key }: CustomFieldRow): Promise<string[]> {
  if (object_type === 'lead') return []
  const leadFields = await listFieldsOf(tx, 'lead')
  return leadFields.filter(({ maps_to }) => maps_to?.[object_type] === key).map((field) => field.key)
}

export const isUsed = ({ records, scoring_rules, mappings }: FieldUsage): boolean =>
  records + scoring_rules.length + mappings.length > 0

/** Rescores all leads if a rule uses the field, which gives no points without it. */
export async function rescoreIfUsed(tx: TenantTx, { object_type, key }: CustomFieldRow): Promise<void> {
  if (object_type === 'lead' && (await listScoringRules(tx, key)).length) await startRescore(tx)
}
