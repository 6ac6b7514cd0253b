import { type Capability, listStoredSecretNames, readSection, readSections, replaceSection } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { inOrder, isHttpProvider, secretPathOf } from './enrichment-settings.rules.ts'
import type {
  EnrichmentSettings,
  EnrichmentSettingsDetails,
  NewEnrichmentSettings,
  ProviderSettings,
} from './enrichment-settings.schemas.ts'
import { enrichmentSettings } from './enrichment-settings.ts'
import { readCreditsUsed } from './enrichment-usage.queries.ts'

export const readEnrichmentSettings = (tx: TenantTx): Promise<EnrichmentSettings> => readSection(tx, enrichmentSettings)

export const enrichmentCapability: Capability = {
  name: 'enrichment',
  isAvailable: async (tx) => (await readEnrichmentSettings(tx)).providers.some(({ enabled }) => enabled),
}

export const secretNameOf = (provider: ProviderSettings): string | undefined =>
  isHttpProvider(provider) ? `${enrichmentSettings.name}.${secretPathOf(provider)}` : undefined

/** Credits are counted per calendar month in UTC. */
export const creditMonthOf = (now: Date): string => `${now.toISOString().slice(0, 7)}-01`

export async function getEnrichmentSettings(tx: TenantTx, now: Date): Promise<EnrichmentSettingsDetails> {
  const { settings, version } = (await readSections(tx, [enrichmentSettings])).get(enrichmentSettings.name)!
  const { providers, ...rest } = settings as EnrichmentSettings
  const month = creditMonthOf(now)
  const [stored, credits_used] = await Promise.all([
    listStoredSecretNames(
      tx,
      providers.flatMap((provider) => secretNameOf(provider) ?? []),
    ),
    readCreditsUsed(tx, month),
  ])
  return {
    version,
    ...rest,
    providers: inOrder(providers).map((provider) => ({
      ...provider,
      has_secret: stored.has(secretNameOf(provider) ?? ''),
    })),
    usage: { month: month.slice(0, 7), credits_used },
  }
}

type Replacement = { settings: NewEnrichmentSettings; expectedVersion?: number }

export async function storeEnrichmentSettings(
  tx: TenantTx,
  { clock, secrets: box }: Pick<Services, 'clock' | 'secrets'>,
  { settings, expectedVersion }: Replacement,
): Promise<EnrichmentSettingsDetails> {
  const values = new Map<string, string | null>()
  for (const { secret, ...provider } of settings.providers)
    if (secret !== undefined && isHttpProvider(provider)) values.set(secretPathOf(provider), secret)
  const providers = settings.providers.map(({ secret: _, ...provider }) => provider)
  await replaceSection(tx, enrichmentSettings, { ...settings, providers }, expectedVersion, { box, values })
  return await getEnrichmentSettings(tx, clock.now())
}
