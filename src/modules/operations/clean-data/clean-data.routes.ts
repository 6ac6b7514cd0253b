import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { CleanDataInput, StartedCleaning } from './clean-data.schemas.ts'
import { cleanAllData } from './clean-data.service.ts'

export const cleanDataRoutes =
  ({ clock }: Pick<Services, 'clock'>): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/admin/clean-all-data',
      config: { scope: 'admin.write', humanOnly: true, freshLogin: true },
      schema: {
        operationId: 'cleanAllData',
        summary: 'Delete all data of the workspace',
        description:
          'Starts a background task that backs up the workspace and then deletes its business data and files. Users, teams, settings, ' +
          'keys, suppressions and the audit log are kept. Until it ends, the workspace is in maintenance: writes are rejected with 409 ' +
          '`tenant_in_maintenance`. If the backup fails, nothing is deleted. The result contains the number of deleted rows per table.',
        body: CleanDataInput,
        response: { 202: StartedCleaning },
      },
      handler: (request) => request.inTenant((tx) => cleanAllData(tx, request.body, clock.now())),
    })
  }
