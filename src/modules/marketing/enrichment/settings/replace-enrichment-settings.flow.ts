import type { UserActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { EgressError } from '#platform/egress'
import { type InputError, invalidInput } from '#platform/errors'
import type { RequestTransaction } from '#platform/http'
import type { Services } from '#platform/module'
import { findUrlProblem, sampleUrlOf } from '../providers/url-template.rules.ts'
import { isHttpProvider } from './enrichment-settings.rules.ts'
import type {
  EnrichmentSettings,
  EnrichmentSettingsDetails,
  NewEnrichmentSettings,
} from './enrichment-settings.schemas.ts'
import { readEnrichmentSettings, storeEnrichmentSettings } from './enrichment-settings.service.ts'

type Replacement = { settings: NewEnrichmentSettings; expectedVersion?: number }

/** Resolves the hosts of new URLs before the transaction, because a DNS server may be slow. */
export async function replaceEnrichmentSettings(
  services: Pick<Services, 'db' | 'clock' | 'secrets' | 'egress'>,
  actor: UserActor,
  replacement: Replacement,
  inRequestTransaction: RequestTransaction,
): Promise<EnrichmentSettingsDetails> {
  const stored = await inTenant(services.db, actor, readEnrichmentSettings)
  const errors = await findBlockedUrls(services, replacement.settings, stored)
  if (errors.length) throw invalidInput(errors)
  return await inRequestTransaction((tx) => storeEnrichmentSettings(tx, services, replacement))
}

async function findBlockedUrls(
  { egress }: Pick<Services, 'egress'>,
  { providers }: NewEnrichmentSettings,
  stored: EnrichmentSettings,
): Promise<InputError[]> {
  const known = new Set(stored.providers.filter(isHttpProvider).map(({ config }) => config.url))
  const checks = providers.map(async (provider, index): Promise<InputError[]> => {
    const url = isHttpProvider(provider) ? provider.config.url : undefined
    if (!url || known.has(url) || findUrlProblem(url)) return []
    try {
      await egress.assertUrlAllowed(sampleUrlOf(url))
      return []
    } catch (error) {
      if (!(error instanceof EgressError)) throw error
      return [{ in: 'body', path: `/providers/${index}/config/url`, code: error.reason, message: error.message }]
    }
  })
  return (await Promise.all(checks)).flat()
}
