import { settingsUpdated } from '#events/identity'
import { deleteOtherSecrets } from '#modules/identity'
import { recordAudit } from '#platform/audit'
import { type TenantTx, tenantIdOf } from '#platform/db'
import { type Subscription, subscribe } from '#platform/outbox'
import { readEnrichmentSettings, secretNameOf } from './enrichment-settings.service.ts'
import { enrichmentSettings } from './enrichment-settings.ts'

/** Deletes the secrets of removed providers and of providers whose host has changed. */
async function deleteUnusedSecrets(tx: TenantTx): Promise<void> {
  const { providers } = await readEnrichmentSettings(tx)
  const kept = providers.flatMap((provider) => secretNameOf(provider) ?? [])
  const deleted = await deleteOtherSecrets(tx, `${enrichmentSettings.name}.providers.`, kept)
  if (!deleted.length) return
  await recordAudit(tx, 'settings.updated', {
    id: tenantIdOf(tx),
    label: enrichmentSettings.name,
    reason: 'Stored secrets were deleted because their providers were removed or their hosts changed.',
    before: Object.fromEntries(deleted.map((name) => [name, 'old value'])),
    after: Object.fromEntries(deleted.map((name) => [name, null])),
  })
}

export const onEnrichmentSettingsUpdated: Subscription = subscribe(
  settingsUpdated,
  'marketing.delete_unused_secrets',
  async (tx, { data: { section } }) => {
    if (section === enrichmentSettings.name) await deleteUnusedSecrets(tx)
  },
  { inTransaction: true },
)
