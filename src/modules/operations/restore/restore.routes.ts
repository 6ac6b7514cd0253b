import { ProblemDetails, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { BackupParams } from '../backups/backups.schemas.ts'
import { RestoreInput, StartedRestore } from './restore.schemas.ts'
import { restoreBackup } from './restore.service.ts'

export const restoreRoutes =
  ({ registry }: Pick<Services, 'registry'>): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/admin/backups/:backup_id/restore',
      config: { scope: 'admin.write', humanOnly: true, freshLogin: true },
      schema: {
        operationId: 'restoreBackup',
        summary: 'Restore a backup of the workspace',
        description:
          'Starts a background task that restores the records and files that cleaning has deleted, all of them or none. The workspace ' +
          'must have no records. Configuration is replaced by that of the backup; users, teams, settings, keys, suppressions and the audit ' +
          'log stay as they are. Until it ends, the workspace is in maintenance: writes are rejected with 409 `tenant_in_maintenance`. ' +
          'People who were erased after the backup are erased again. The result contains the number of rows per table, of files, and of ' +
          'files whose content is not in the backup.',
        params: BackupParams,
        body: RestoreInput,
        response: { 202: StartedRestore, 409: ProblemDetails, 410: ProblemDetails },
      },
      handler: (request) =>
        request.inTenant((tx) => restoreBackup(tx, request.params.backup_id, request.body, registry)),
    })
  }
