import { filterActiveUserIds } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { listAssignmentLoads } from './assignment.queries.ts'
import { lockAssignmentCounters } from './assignment.service.ts'
import { createRotation, type Rotation } from './rotation.rules.ts'

/** Starts a round-robin over the active users; the lock serializes concurrent assignments. */
export async function startRoundRobin(tx: TenantTx, userIds: readonly string[], now: Date): Promise<Rotation> {
  const eligible = [...(await filterActiveUserIds(tx, userIds))].sort()
  if (!eligible.length) return createRotation([], now)
  await lockAssignmentCounters(tx, eligible, now)
  return createRotation(await listAssignmentLoads(tx, eligible), now)
}
