import { Type } from 'typebox'
import { findUserNames, listActiveAdminIds } from '#modules/identity'
import { actorOf, type TenantTx } from '#platform/db'
import { defineNotification, notify } from '#platform/notify'
import { strict } from '#platform/schema'

const backupDownloaded = defineNotification('backup.downloaded', {
  description: 'a backup of the workspace was downloaded',
  payload: strict({ by: Type.String() }),
  text: ({ by }) => ({
    title: 'A backup of your workspace was downloaded',
    body: `${by} downloaded a backup, which contains all data of the workspace. If you did not expect this, end their sessions and change their password.`,
  }),
  channels: { in_app: true, email: true },
  canBeDisabled: false,
})

/** Includes the admin who downloaded it: the session may have been stolen. */
export async function announceDownload(tx: TenantTx, backupId: string): Promise<void> {
  const userId = actorOf(tx).userId!
  const by = (await findUserNames(tx, [userId])).get(userId) ?? 'A former user'
  for (const adminId of await listActiveAdminIds(tx))
    await notify(tx, adminId, backupDownloaded, { by }, { resource: { type: 'backup', id: backupId } })
}
