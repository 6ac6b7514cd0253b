import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { hasGoogleClient } from '../auth/providers.queries.ts'
import { settingsChanges, settingsDocument } from './document.ts'
import { changeSettings, readDocument } from './settings.service.ts'

/** One document over the sections of all modules. */
export const settingsRoutes =
  ({ clock, config, secrets, registry }: Pick<Services, 'clock' | 'config' | 'secrets' | 'registry'>): Routes =>
  async (app) => {
    const sections = registry.settings
    const Settings = settingsDocument(sections)

    app.route({
      method: 'GET',
      url: '/api/admin/settings',
      config: { scope: 'admin.read' },
      schema: {
        operationId: 'readSettings',
        summary: 'Read the settings of the workspace',
        response: { 200: Settings },
      },
      handler: (request) => request.inTenant((tx) => readDocument(tx, sections)),
    })

    app.route({
      method: 'PATCH',
      url: '/api/admin/settings',
      config: { scope: 'admin.write', humanOnly: true },
      schema: {
        operationId: 'changeSettings',
        summary: 'Change settings of the workspace',
        description:
          'Only what is sent changes; lists are replaced as a whole. Secrets can be set, and cleared with null, but never read. ' +
          'Changes of `security`, `sso` and `ai` need a sign-in of the last 15 minutes.',
        body: settingsChanges(sections),
        response: { 200: Settings },
      },
      handler: (request) => {
        const change = {
          sections,
          changes: request.body,
          expectedVersion: expectedVersion(request),
          now: clock.now(),
          box: secrets,
          hasGoogleClient: hasGoogleClient(config),
        }
        return request.inTenant((tx) => changeSettings(tx, request.actor, change))
      },
    })
  }
