import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { getTenantBySlug } from '#modules/identity'
import { operatorActor } from '#platform/access'
import { enterTenant, type SystemTx } from '#platform/db'
import { conflict, invalid } from '#platform/errors'
import { Id, nullable, strict } from '#platform/schema'
import { type BlobStore, storageKey } from '#platform/storage'
import { defineTask } from '#platform/tasks'
import { getBackup } from './backups.queries.ts'

type BackupSource = { inSystem<T>(work: (tx: SystemTx) => Promise<T>): Promise<T>; storage: BlobStore }

export async function openBackup(
  { inSystem, storage }: BackupSource,
  { slug, backupId }: { slug: string; backupId: string },
): Promise<{ tenantId: string; open(): Promise<Readable> }> {
  if (!Value.Check(Id, backupId)) throw invalid('body', '/backup', 'format', '--backup must be the id of a backup.')
  const { tenantId, state } = await inSystem(async (system) => {
    const { id } = await getTenantBySlug(system, slug)
    const tx = await enterTenant(system, operatorActor(id))
    return { tenantId: id, state: (await getBackup(tx, backupId)).state }
  })
  if (state !== 'succeeded') throw conflict('conflict', `The backup ${backupId} is ${state}.`)
  return { tenantId, open: async () => (await storage.get(storageKey(tenantId, 'backups', backupId))).stream }
}

export const createBackupTask = defineTask('operations.create_backup', 'backups', strict({ backup_id: Id }))

const CleanDataPayload = strict({ backup_id: nullable(Id), keep_configuration: Type.Boolean() })

/** Begins with a backup. The queue `maintenance` also runs for workspaces in maintenance. */
export const cleanDataTask = defineTask('operations.clean_data', 'maintenance', CleanDataPayload)

export const restoreBackupTask = defineTask('operations.restore_backup', 'maintenance', strict({ backup_id: Id }))
