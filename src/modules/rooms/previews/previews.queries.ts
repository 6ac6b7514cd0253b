import type { Insertable, Selectable } from 'kysely'
import type { TaskRequester } from '#modules/identity'
import type { Database, TenantTx } from '#platform/db'

type Previews = Database['enablement.room_previews']

const columns = ['id', 'link_version', 'requested_by', 'opened_at'] as const
export type PreviewRow = Pick<Selectable<Previews>, 'id' | 'link_version' | 'opened_at'> & {
  requested_by: TaskRequester
}

export async function insertPreview(tx: TenantTx, preview: Insertable<Previews>): Promise<void> {
  await tx.insertInto('enablement.room_previews').values(preview).execute()
}

export async function findPreview(tx: TenantTx, id: string): Promise<PreviewRow | undefined> {
  const row = await tx.selectFrom('enablement.room_previews').select(columns).where('id', '=', id).executeTakeFirst()
  return row as PreviewRow | undefined
}

/** Returns false if the preview was opened before. One of several concurrent calls opens it. */
export async function markPreviewOpened(tx: TenantTx, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('enablement.room_previews')
    .set({ opened_at: now })
    .where('id', '=', id)
    .where('opened_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
