import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { EnrichmentSettingsDetails, NewEnrichmentSettings } from './enrichment-settings.schemas.ts'
import { getEnrichmentSettings } from './enrichment-settings.service.ts'
import { replaceEnrichmentSettings } from './replace-enrichment-settings.flow.ts'

export const enrichmentSettingsRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/enrichment/settings',
      config: { scope: 'enrichment.read', roles: ['manager', 'admin'] },
      schema: {
        operationId: 'getEnrichmentSettings',
        summary: 'Get enrichment settings',
        description: 'Includes the credits used in the current month. Secrets are never returned.',
        response: { 200: EnrichmentSettingsDetails },
      },
      handler: (request) => request.inTenant((tx) => getEnrichmentSettings(tx, services.clock.now())),
    })

    app.route({
      method: 'PUT',
      url: '/api/enrichment/settings',
      config: { scope: 'enrichment.write', roles: ['admin'], humanOnly: true, freshLogin: true },
      schema: {
        operationId: 'replaceEnrichmentSettings',
        summary: 'Replace enrichment settings',
        description:
          'Settings that are left out are reset to their defaults; providers that are left out are removed with their secrets. ' +
          'Hosts of providers must have public addresses. All admins are notified of changed providers, which receive data of records.',
        body: NewEnrichmentSettings,
        response: { 200: EnrichmentSettingsDetails },
      },
      handler: (request) => {
        const replacement = { settings: request.body, expectedVersion: expectedVersion(request) }
        return replaceEnrichmentSettings(services, request.actor, replacement, (work) => request.inTenant(work))
      },
    })
  }
