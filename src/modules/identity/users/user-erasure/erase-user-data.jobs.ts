import type { TenantTx } from '#platform/db'
import { defineJob, defineJobHandler, enqueue, type JobHandler } from '#platform/jobs'
import { runErasures, type Services } from '#platform/module'
import { Id, strict } from '#platform/schema'
import { listUserIdsErasedSince } from './erase-user.queries.ts'

const eraseUserData = defineJob('identity.erase_user_data', 'maintenance', strict({ user_id: Id }))

export const eraseUserDataLater = (tx: TenantTx, user_id: string): Promise<void> =>
  enqueue(tx, eraseUserData, { user_id }, { singletonKey: user_id })

export async function repeatUserErasures(tx: TenantTx, since: Date): Promise<number> {
  const userIds = await listUserIdsErasedSince(tx, since)
  for (const userId of userIds) await eraseUserDataLater(tx, userId)
  return userIds.length
}

export const eraseUserDataHandler = ({ registry }: Pick<Services, 'registry'>): JobHandler =>
  defineJobHandler(eraseUserData, async (context, { user_id }) => {
    await runErasures(context, registry.erasures, { user_id })
  })
