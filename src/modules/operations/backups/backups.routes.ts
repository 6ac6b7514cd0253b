import { sendBlob } from '#platform/files'
import { ProblemDetails, type Routes } from '#platform/http'
import type { RouteLimit } from '#platform/limits'
import type { Services } from '#platform/module'
import { storageKey } from '#platform/storage'
import { nextBackupAt } from './backups.jobs.ts'
import { BackupArchive, BackupParams, BackupStatus, NewBackup, StartedBackup } from './backups.schemas.ts'
import { createBackup, downloadBackup, getBackupStatus } from './backups.service.ts'

const dailyLimit: RouteLimit = { name: 'backups', limit: 10, windowSeconds: 86_400, per: 'user' }

export const backupRoutes =
  ({ clock, files }: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/admin/backup-status',
      config: { scope: 'admin.read' },
      schema: {
        operationId: 'getBackupStatus',
        summary: 'Get the backup status',
        description: 'A workspace that has changed is backed up every night.',
        response: { 200: BackupStatus },
      },
      handler: (request) => request.inTenant((tx) => getBackupStatus(tx, nextBackupAt(clock.now()))),
    })

    app.route({
      method: 'POST',
      url: '/api/admin/backups',
      config: { scope: 'admin.write', humanOnly: true, limits: [dailyLimit] },
      schema: {
        operationId: 'createBackup',
        summary: 'Create a backup of the workspace',
        description:
          'Starts a background task that writes and verifies an archive of all data, without passwords, keys and sessions. Private practice ' +
          'and responses that would tell who has answered an anonymous survey are encrypted; only a restore reads them. One backup at a ' +
          'time, ten per user and day.',
        body: NewBackup,
        response: { 202: StartedBackup },
      },
      handler: (request) =>
        request.inTenant((tx) => createBackup(tx, { kind: 'manual', ...request.body, now: clock.now() })),
    })

    app.route({
      method: 'GET',
      url: '/api/admin/backups/:backup_id/download',
      config: { scope: 'admin.read', humanOnly: true, freshLogin: true },
      schema: {
        operationId: 'downloadBackup',
        summary: 'Download a backup',
        description: 'Supports `Range`. Every download is recorded in the audit log and announced to all admins.',
        params: BackupParams,
        response: {
          200: BackupArchive,
          206: BackupArchive,
          409: ProblemDetails,
          410: ProblemDetails,
          416: ProblemDetails,
        },
      },
      handler: async (request, reply) => {
        const { id, size_bytes, sha256, slug, created_at } = await request.inTenant((tx) =>
          downloadBackup(tx, request.params.backup_id),
        )
        const headers = {
          'content-type': 'application/gzip',
          'content-disposition': `attachment; filename="${slug}-${created_at.toISOString().slice(0, 10)}.tar.gz"`,
          'accept-ranges': 'bytes',
          etag: `"${sha256.toString('hex')}"`,
        }
        const key = storageKey(request.tenant.id, 'backups', id)
        return await sendBlob(files.context, request, reply, { key, size: size_bytes, headers })
      },
    })
  }
