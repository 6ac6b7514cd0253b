import { expectedVersion, type Routes } from '#platform/http'
import { showCrmSettings } from './crm-settings.queries.ts'
import { CrmSettings, ShownCrmSettings } from './crm-settings.schemas.ts'
import { replaceCrmSettings } from './crm-settings.service.ts'

export const crmSettingsRoutes: Routes = async (app) => {
  app.route({
    method: 'GET',
    url: '/api/leads/settings',
    config: { scope: 'leads.read' },
    schema: {
      operationId: 'showCrmSettings',
      summary: 'Read the settings of the CRM',
      response: { 200: ShownCrmSettings },
    },
    handler: (request) => request.inTenant(showCrmSettings),
  })

  app.route({
    method: 'PUT',
    url: '/api/leads/settings',
    config: { scope: 'leads.write', roles: ['manager', 'admin'] },
    schema: {
      operationId: 'replaceCrmSettings',
      summary: 'Replace the settings of the CRM',
      description: 'What is left out goes back to its default.',
      body: CrmSettings,
      response: { 200: ShownCrmSettings },
    },
    handler: (request) => {
      const replacement = { settings: request.body, expectedVersion: expectedVersion(request) }
      return request.inTenant((tx) => replaceCrmSettings(tx, replacement))
    },
  })
}
