import { TaskRequester } from '#modules/identity'
import type { Scope, UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { defineExtensionPoint, type Services } from '#platform/module'
import { Id, strict } from '#platform/schema'
import { defineTask } from '#platform/tasks'
import type { ImportedType } from '../import-mapping/import-fields.rules.ts'

/** A resource that imported persons are added to, such as a campaign. */
export type ImportTarget = {
  type: 'campaign'
  /** Required in addition to writing the records. */
  scope: Scope
  /** Rejects the mapping if the target does not exist or takes no persons. `path` is the JSON pointer of its id. */
  assertUsable(tx: TenantTx, targetId: string, path: string): Promise<void>
  /** Adds one batch of records in few statements. */
  add(
    tx: TenantTx,
    actor: UserActor,
    targetId: string,
    records: { objectType: ImportedType; ids: readonly string[]; now: Date },
    services: Pick<Services, 'secrets'>,
  ): Promise<void>
}

export const importTargetPoint = defineExtensionPoint<ImportTarget>('targets of imported persons')

export const ImportInput = strict({ import_id: Id, by: TaskRequester })

export const importTask = defineTask('records.import', 'bulk', ImportInput)
export const undoImportTask = defineTask('records.undo_import', 'bulk', ImportInput)
