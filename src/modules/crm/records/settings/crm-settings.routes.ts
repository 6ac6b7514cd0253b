import { expectedVersion, type Routes } from '#platform/http'
import { getCrmSettings } from './crm-settings.queries.ts'
import { CrmSettings, VersionedCrmSettings } from './crm-settings.schemas.ts'
import { replaceCrmSettings } from './crm-settings.service.ts'

export const crmSettingsRoutes: Routes = async (app) => {
  app.route({
    method: 'GET',
    url: '/api/leads/settings',
    config: { scope: 'leads.read' },
    schema: {
      operationId: 'getCrmSettings',
      summary: 'Get CRM settings',
      response: { 200: VersionedCrmSettings },
    },
    handler: (request) => request.inTenant(getCrmSettings),
  })

  app.route({
    method: 'PUT',
    url: '/api/leads/settings',
    config: { scope: 'leads.write', roles: ['manager', 'admin'] },
    schema: {
      operationId: 'replaceCrmSettings',
      summary: 'Replace CRM settings',
      description: 'Settings that are left out are reset to their defaults.',
      body: CrmSettings,
      response: { 200: VersionedCrmSettings },
    },
    handler: (request) => {
      const replacement = { settings: request.body, expectedVersion: expectedVersion(request) }
      return request.inTenant((tx) => replaceCrmSettings(tx, replacement))
    },
  })
}
