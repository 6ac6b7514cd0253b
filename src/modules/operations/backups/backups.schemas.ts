import { type Static, Type } from 'typebox'
import { AcceptedTask, Id, named, nullable, strict, Timestamp } from '#platform/schema'

export const NewBackup = strict({
  include_files: Type.Boolean({ default: false, description: 'Adds the content of uploaded files.' }),
})

export const StartedBackup = named('StartedBackup', strict({ ...AcceptedTask.properties, backup_id: Id }))

export const BackupParams = strict({ backup_id: Id })

export const Backup = named(
  'Backup',
  strict({
    id: Id,
    kind: Type.Enum(['scheduled', 'manual', 'pre_clean', 'pre_delete']),
    state: Type.Enum(['queued', 'running', 'succeeded', 'failed', 'expired']),
    include_files: Type.Boolean(),
    created_at: Timestamp,
    finished_at: nullable(Timestamp),
    verified_at: nullable(Timestamp),
    expires_at: nullable({ ...Timestamp, description: 'When the archive was deleted or the backup failed.' }),
    size_bytes: nullable(Type.Integer()),
    sha256: nullable(Type.String({ description: 'SHA-256 of the archive in hexadecimal.' })),
    row_counts: nullable(Type.Record(Type.String(), Type.Integer())),
    download_url: nullable(Type.String()),
    error: nullable(Type.String()),
  }),
)
export type Backup = Static<typeof Backup>

export const BackupStatus = named(
  'BackupStatus',
  strict({
    schedule: strict({ enabled: Type.Boolean(), next_run_at: Timestamp }),
    last_success: nullable(Timestamp),
    last_failure: nullable(Timestamp),
    retention: strict({ keep: Type.Integer({ description: 'Number of archives that are kept.' }) }),
    items: Type.Array(Backup, { description: 'Up to 60, newest first.' }),
  }),
)
export type BackupStatus = Static<typeof BackupStatus>

export const BackupArchive = {
  description: 'A `tar.gz` with one file of JSON lines or more per table and a manifest.',
  content: { 'application/gzip': { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) } },
}
