import { Type } from 'typebox'
import type { Routes } from '#platform/http'
import type { RouteLimit } from '#platform/limits'
import type { ClientErrorCounter } from '#platform/telemetry'
import { NewClientError } from './client-errors.schemas.ts'

const limit: RouteLimit = { name: 'client_errors', limit: 30, windowSeconds: 600, per: 'user' }

export const clientErrorRoutes =
  ({ clientErrors }: { clientErrors: ClientErrorCounter }): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/client-errors',
      config: {
        signedIn: true,
        notWhileImpersonating: true,
        limitedSession: true,
        allowedInMaintenance: true,
        bodyLimit: 4_096,
        limits: [limit],
        tag: 'health',
      },
      schema: {
        operationId: 'createClientError',
        summary: 'Log an error of the browser',
        description:
          'Used by the web application. The report is counted and logged for the operator, and is not stored. It must not contain ' +
          'personal data. At most 30 reports in ten minutes per user.',
        body: NewClientError,
        response: { 204: Type.Null() },
      },
      handler: async (request, reply) => {
        clientErrors.count(request.body.kind)
        request.log.warn({ client_error: request.body }, 'a browser reported an error')
        return reply.code(204).send(null)
      },
    })
  }
