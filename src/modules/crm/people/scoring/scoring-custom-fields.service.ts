import type { TenantTx } from '#platform/db'
import type { FieldCatalogue, RuleField } from '#platform/rules'
import { readCustomCatalogue } from '../../records/custom-values/custom-catalogue.queries.ts'
import { listRuleFields } from './score.rules.ts'
import type { ScoringConfig } from './scoring.schemas.ts'

/** Reads the custom fields only for a config that uses them. Amounts are left out: the base currency is not in the record. */
export async function readScoringCustomFields(tx: TenantTx, { fit }: ScoringConfig): Promise<FieldCatalogue> {
  if (!fit.rules.flatMap(listRuleFields).some((field) => field.startsWith('custom.'))) return {}
  const fields = Object.entries(await readCustomCatalogue(tx, 'lead')).filter(([, { type }]) => type !== 'money')
  return Object.fromEntries(fields.map(([key, field]) => [key, withoutCaller(field)]))
}

/** Scoring runs without a caller, so `is_me` has no meaning. */
const withoutCaller = (field: RuleField): RuleField => (field.type === 'user' ? { ...field, type: 'reference' } : field)
