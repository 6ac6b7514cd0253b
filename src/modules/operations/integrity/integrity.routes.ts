import type { RouteConfig, Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { AcceptedTask } from '#platform/schema'
import { CheckParams, IntegrityReport, RepairInput } from './integrity.schemas.ts'
import { getIntegrityReport, repairIntegrityFindings, startIntegrityChecks } from './integrity-report.service.ts'

const config: RouteConfig = { scope: 'admin.write', humanOnly: true }

export const integrityRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/admin/data-integrity',
      config: { scope: 'admin.read' },
      schema: {
        operationId: 'getIntegrityReport',
        summary: 'Get the data integrity report',
        description: 'Checks run every night. If none has run yet, the first run is started.',
        response: { 200: IntegrityReport },
      },
      handler: (request) => request.inTenant(getIntegrityReport),
    })

    app.route({
      method: 'POST',
      url: '/api/admin/data-integrity/run',
      config,
      schema: {
        operationId: 'startIntegrityChecks',
        summary: 'Run the data integrity checks',
        description: 'Starts a background task. If a run is in progress, its task is returned.',
        response: { 202: AcceptedTask },
      },
      handler: (request) => request.inTenant(startIntegrityChecks),
    })

    app.route({
      method: 'POST',
      url: '/api/admin/data-integrity/:check/repair',
      config,
      schema: {
        operationId: 'repairIntegrityFindings',
        summary: 'Repair findings of a check',
        description:
          'Starts a background task, whose result lists the records found and the number of corrected ones. Without `dry_run: false` ' +
          'nothing is changed. Checks that cannot be repaired automatically return 404.',
        params: CheckParams,
        body: RepairInput,
        response: { 202: AcceptedTask },
      },
      handler: (request) => {
        const repair = { check: request.params.check, isDryRun: request.body.dry_run }
        const checks = services.registry.integrityChecksOf(services)
        return request.inTenant((tx) => repairIntegrityFindings(tx, checks, repair))
      },
    })
  }
