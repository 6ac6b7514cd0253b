import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { hasGoogleClient } from './settings.rules.ts'
import { getSettings, updateSettings } from './settings.service.ts'
import { createSettingsChangesSchema, createSettingsSchema } from './settings-document.ts'

type SettingsServices = Pick<Services, 'clock' | 'config' | 'secrets' | 'egress' | 'registry'>

export const settingsRoutes =
  ({ clock, config, secrets, egress, registry }: SettingsServices): Routes =>
  async (app) => {
    const sections = registry.settings
    const Settings = createSettingsSchema(sections)

    app.route({
      method: 'GET',
      url: '/api/admin/settings',
      config: { scope: 'admin.read' },
      schema: {
        operationId: 'getSettings',
        summary: 'Get the workspace settings',
        description:
          'Returns all sections with defaults applied. Secrets are never returned; `has_…` tells whether one is set.',
        response: { 200: Settings },
      },
      handler: (request) => request.inTenant((tx) => getSettings(tx, sections)),
    })

    app.route({
      method: 'PATCH',
      url: '/api/admin/settings',
      config: { scope: 'admin.write', humanOnly: true },
      schema: {
        operationId: 'updateSettings',
        summary: 'Update the workspace settings',
        description:
          'Fields that are not sent keep their value; arrays are replaced. Set a secret to null to delete it. Changes to `security`, ' +
          '`signup`, `sso`, `ai` and `enrichment` require a sign-in within the last 15 minutes. A new URL must have a host name, no user name or ' +
          'password, and port 443 or 8443.',
        body: createSettingsChangesSchema(sections),
        response: { 200: Settings },
      },
      handler: (request) => {
        const update = {
          sections,
          changes: request.body,
          expectedVersion: expectedVersion(request),
          now: clock.now(),
          box: secrets,
          hasGoogleClient: hasGoogleClient(config),
          egress,
        }
        return request.inTenant((tx) => updateSettings(tx, request.actor, update))
      },
    })
  }
