import type { Routes } from '#platform/http'
import { pageOf } from '#platform/schema'
import { AuditLogEntry, AuditLogQuery } from './audit-log.schemas.ts'
import { listAuditLog } from './audit-log.service.ts'

export const auditLogRoutes: Routes = async (app) => {
  app.route({
    method: 'GET',
    url: '/api/admin/audit-log',
    config: { scope: 'admin.read' },
    schema: {
      operationId: 'listAuditLog',
      summary: 'List audit log entries',
      description: 'Newest first. User names are current, record labels are from the time of the entry.',
      querystring: AuditLogQuery,
      response: { 200: pageOf(AuditLogEntry) },
    },
    handler: (request) => request.inTenant((tx) => listAuditLog(tx, request.query)),
  })
}
