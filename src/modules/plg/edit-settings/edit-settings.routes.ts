import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { PlgSettings, VersionedPlgSettings } from '../settings/plg-settings.schemas.ts'
import { getPlgSettings, replacePlgSettings } from './edit-settings.service.ts'

export const plgSettingsRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/tenant/plg/settings',
      config: { scope: 'plg.read' },
      schema: {
        operationId: 'getPlgSettings',
        summary: 'Get usage settings',
        response: { 200: VersionedPlgSettings },
      },
      handler: (request) => request.inTenant(getPlgSettings),
    })

    app.route({
      method: 'PUT',
      url: '/api/tenant/plg/settings',
      config: { scope: 'plg.write', roles: ['manager', 'admin'] },
      schema: {
        operationId: 'replacePlgSettings',
        summary: 'Replace usage settings',
        description:
          'Settings that are left out are reset to their defaults. A change of `inactive_events` calculates the numbers since `recalculated_from_on` again. Removing a rule for product-qualified leads ends its qualifications.',
        body: PlgSettings,
        response: { 200: VersionedPlgSettings },
      },
      handler: (request) => {
        const replacement = { settings: request.body, expectedVersion: expectedVersion(request) }
        return request.inTenant((tx) => replacePlgSettings(tx, replacement, services))
      },
    })
  }
