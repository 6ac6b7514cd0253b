import { expectedVersion, type Routes } from '#platform/http'
import { Preferences, ReplacedPreferences } from './preferences.schemas.ts'
import { getPreferences, replacePreferences } from './preferences.service.ts'

export const preferencesRoutes: Routes = async (app) => {
  app.route({
    method: 'GET',
    url: '/api/auth/preferences',
    config: { signedIn: true, tag: 'auth' },
    schema: {
      operationId: 'getPreferences',
      summary: 'Get your preferences',
      description:
        'How the web application looks to you: focus, pins and groups of the navigation, columns and own views of lists.',
      response: { 200: Preferences },
    },
    handler: (request) => request.inTenant((tx) => getPreferences(tx, request.actor)),
  })

  app.route({
    method: 'PUT',
    url: '/api/auth/preferences',
    config: { signedIn: true, tag: 'auth' },
    schema: {
      operationId: 'replacePreferences',
      summary: 'Replace your preferences',
      description:
        'Replaces all fields. The body can have 16 KiB. Send `If-Match`, so that a change of another tab is not lost. `GET /api/auth/me` shows all fields but `lists`.',
      body: ReplacedPreferences,
      response: { 200: Preferences },
    },
    handler: (request) => {
      const input = { preferences: request.body, expectedVersion: expectedVersion(request) }
      return request.inTenant((tx) => replacePreferences(tx, request.actor, input))
    },
  })
}
