import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { findActiveSuspension } from './suspensions.queries.ts'
import { suspendedError } from './suspensions.rules.ts'

/** Every change of threads, replies, reports and settings of rooms calls this first. */
export async function assertNotSuspended(tx: TenantTx, { userId }: Pick<UserActor, 'userId'>): Promise<void> {
  const suspension = await findActiveSuspension(tx, userId)
  if (suspension) throw suspendedError(suspension)
}

/** Null is a viewer that is not a user. */
export const isSuspended = async (tx: TenantTx, viewer: Pick<UserActor, 'userId'> | null): Promise<boolean> =>
  viewer !== null && (await findActiveSuspension(tx, viewer.userId)) !== undefined
