import { enrichableFields, type RecordFacts } from '#modules/crm'
import { readSecret } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import type { EnrichmentProvider } from '../providers/enrichment-provider.ts'
import { createHttpProvider } from '../providers/http-provider.client.ts'
import { deriveOffline, offlineKey } from '../providers/offline-provider.rules.ts'
import { inOrder, isHttpProvider } from '../settings/enrichment-settings.rules.ts'
import type { EnrichmentSettings } from '../settings/enrichment-settings.schemas.ts'
import { secretNameOf } from '../settings/enrichment-settings.service.ts'
import type { LogEntry, SkipReason } from './job-status.rules.ts'
import { checkFoundValues } from './store-values.service.ts'
import { type Candidate, isWorthLookup, type WritePolicy } from './write-decision.rules.ts'

export function findSkipReason(facts: RecordFacts, { enabled }: EnrichmentSettings): SkipReason | undefined {
  const { email, domain, company, phone } = facts.lookup
  if (!enabled) return 'disabled'
  if (facts.isRestricted) return 'processing_restricted'
  if (facts.isConverted) return 'converted'
  return email || domain || company || phone ? undefined : 'nothing_to_look_up'
}

export const allowedFieldsOf = ({ ref }: RecordFacts, { fields }: EnrichmentSettings): string[] =>
  enrichableFields[ref.type].filter((field) => fields.includes(field))

export const missingFieldsOf = (facts: RecordFacts, settings: EnrichmentSettings, policy: WritePolicy): string[] =>
  allowedFieldsOf(facts, settings).filter((field) => isWorthLookup(facts.fields.get(field)!, policy))

export type OfflineResult = { candidates: Candidate[]; log: LogEntry[] }

/** Asks the built-in provider for all allowed fields, because it costs nothing. */
export function lookUpOffline(facts: RecordFacts, settings: EnrichmentSettings): OfflineResult {
  if (!settings.providers.some(({ key, enabled }) => key === offlineKey && enabled)) return { candidates: [], log: [] }
  const allowed = allowedFieldsOf(facts, settings)
  const found = Object.entries(deriveOffline(facts.lookup)).filter(([field]) => allowed.includes(field))
  const { candidates, invalidFields } = checkFoundValues(facts, offlineKey, Object.fromEntries(found))
  const accepted = candidates.filter(({ confidence }) => confidence >= settings.min_confidence)
  const outcome = accepted.length ? 'matched' : 'no_match'
  const fields = accepted.map(({ field }) => field)
  return {
    candidates: accepted,
    log: [{ provider: offlineKey, outcome, error: null, ms: 0, fields, invalid_fields: invalidFields, credits: 0 }],
  }
}

/** Names of the external providers that know one of the fields. */
export function hasExternalProvider(
  facts: RecordFacts,
  settings: EnrichmentSettings,
  fields: readonly string[],
): boolean {
  return settings.providers.some(
    (provider) =>
      provider.enabled &&
      isHttpProvider(provider) &&
      provider.config.entity_types.includes(facts.ref.type) &&
      fields.some((field) => Object.hasOwn(provider.config.mapping, field)),
  )
}

export async function openProviders(
  tx: TenantTx,
  { secrets, egress }: Pick<Services, 'secrets' | 'egress'>,
  { ref }: RecordFacts,
  settings: EnrichmentSettings,
): Promise<EnrichmentProvider[]> {
  const enabled = inOrder(settings.providers)
    .filter(isHttpProvider)
    .filter((provider) => provider.enabled)
  const providers = enabled.map(async (provider) => {
    const secret = await readSecret(tx, secrets, secretNameOf(provider)!)
    return createHttpProvider({ key: provider.key, config: provider.config, secret, egress })
  })
  return (await Promise.all(providers)).filter(({ entityTypes }) => entityTypes.includes(ref.type))
}
