import { setWithEviction } from '#platform/cache'
import type { TenantTx } from '#platform/db'
import type { FieldCatalogue, RuleField } from '#platform/rules'
import { readCustomCatalogue } from '../../records/custom-values/custom-catalogue.queries.ts'
import { listRuleFields, type ParsedScoringConfig, parseScoringConfig } from './score.rules.ts'
import type { ScoringConfig } from './scoring.schemas.ts'

type FitRules = ParsedScoringConfig['fitRules']

const maxKept = 500
const maxKeptLength = 10_000
const keptRules = new Map<string, FitRules>()

/**
 * Keeps the parsed rules of configs without custom fields, because every created lead is scored. The key is the text of the rules: a
 * restored workspace can have another config of the same version.
 */
export async function readParsedScoringConfig(
  tx: TenantTx,
  config: ScoringConfig,
  currency: string,
): Promise<ParsedScoringConfig> {
  const customFields = await readScoringCustomFields(tx, config)
  const text = `${currency} ${JSON.stringify(config.fit.rules)}`
  if (Object.keys(customFields).length || text.length > maxKeptLength)
    return parseScoringConfig(config, currency, customFields)
  const fitRules = keptRules.get(text) ?? parseScoringConfig(config, currency).fitRules
  setWithEviction(keptRules, text, fitRules, maxKept)
  return { config, fitRules }
}

/** Reads the custom fields only for a config that uses them. Amounts are left out: the base currency is not in the record. */
export async function readScoringCustomFields(tx: TenantTx, { fit }: ScoringConfig): Promise<FieldCatalogue> {
  if (!fit.rules.flatMap(listRuleFields).some((field) => field.startsWith('custom.'))) return {}
  const fields = Object.entries(await readCustomCatalogue(tx, 'lead')).filter(([, { type }]) => type !== 'money')
  return Object.fromEntries(fields.map(([key, field]) => [key, withoutCaller(field)]))
}

/** Scoring runs without a caller, so `is_me` has no meaning. */
const withoutCaller = (field: RuleField): RuleField => (field.type === 'user' ? { ...field, type: 'reference' } : field)
