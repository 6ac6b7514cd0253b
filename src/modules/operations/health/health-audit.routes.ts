import type { Routes } from '#platform/http'
import { getHealthAudit, type HealthAuditServices } from './health-audit.flow.ts'
import { HealthAudit } from './health-audit.schemas.ts'

export const healthAuditRoutes =
  (services: HealthAuditServices): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/health/audit',
      config: { scope: 'admin.read', roles: ['admin'], tag: 'health' },
      schema: {
        operationId: 'getHealthAudit',
        summary: 'Get the health audit',
        description:
          'Metrics of queues, outbox, cache, database and schedules, and findings with hints, most severe first. Queues and outbox belong to this workspace; the other metrics cover the whole platform.',
        response: { 200: HealthAudit },
      },
      handler: (request) => getHealthAudit(services, request.actor),
    })
  }
