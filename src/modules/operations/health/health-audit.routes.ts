import type { Routes } from '#platform/http'
import { type AuditServices, auditHealth } from './audit-health.ts'
import { HealthAudit } from './health-audit.schemas.ts'

export const healthAuditRoutes =
  (services: AuditServices): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/health/audit',
      config: { scope: 'admin.read', roles: ['admin'], tag: 'health' },
      schema: {
        operationId: 'auditHealth',
        summary: 'Is the work flowing? Queues, outbox, cache, database, schedules, and what is wrong with them',
        description:
          "The queues and the outbox are this workspace's own; the rest is the platform's, in coarse figures.",
        response: { 200: HealthAudit },
      },
      handler: (request) => auditHealth(services, request.actor),
    })
  }
