import { Type } from 'typebox'
import { settingsUpdated } from '#events/identity'
import { deleteOtherSecrets, listActiveAdminIds } from '#modules/identity'
import { recordAudit } from '#platform/audit'
import { type TenantTx, tenantIdOf } from '#platform/db'
import { defineNotification, notify } from '#platform/notify'
import { type Subscription, subscribe } from '#platform/outbox'
import { strict } from '#platform/schema'
import { hostOfTemplate } from '../providers/url-template.rules.ts'
import { isHttpProvider } from './enrichment-settings.rules.ts'
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

const providersChanged = defineNotification('enrichment.providers_changed', {
  description: 'the providers of enrichment were changed',
  payload: strict({ hosts: Type.Array(Type.String(), { maxItems: 10 }) }),
  text: ({ hosts }) => ({
    title: 'Enrichment providers were changed',
    body: `Data of records that are enriched is now sent to ${hosts.join(', ')}. If you do not expect this, check the settings of enrichment.`,
  }),
  channels: { in_app: true, email: true },
  canBeDisabled: false,
})

/** Notifies all admins, also the caller, because the session may be stolen. */
async function notifyAboutProviders(tx: TenantTx): Promise<void> {
  const { providers } = await readEnrichmentSettings(tx)
  const hosts = new Set(providers.filter(isHttpProvider).map(({ config }) => hostOfTemplate(config.url)))
  if (!hosts.size) return
  for (const adminId of await listActiveAdminIds(tx)) await notify(tx, adminId, providersChanged, { hosts: [...hosts] })
}

export const onEnrichmentSettingsUpdated: Subscription = subscribe(
  settingsUpdated,
  'marketing.delete_unused_secrets',
  async (tx, { data: { section, changed } }) => {
    if (section !== enrichmentSettings.name) return
    await deleteUnusedSecrets(tx)
    if (changed.includes('providers')) await notifyAboutProviders(tx)
  },
  { inTransaction: true },
)
