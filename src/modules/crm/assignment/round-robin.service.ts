import { filterActiveUserIds } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { type AssignmentLoad, listAssignmentLoads } from './assignment.queries.ts'
import { lockAssignmentCounters } from './assignment.service.ts'

/** Starts a round-robin over the active users; the lock serializes concurrent assignments. */
export async function startRoundRobin(tx: TenantTx, userIds: readonly string[], now: Date) {
  const eligible = [...(await filterActiveUserIds(tx, userIds))].sort()
  if (eligible.length) await lockAssignmentCounters(tx, eligible, now)
  const loads = eligible.length ? await listAssignmentLoads(tx, eligible) : []
  return {
    nextUserId: (): string | null => nextAssignee(loads)?.user_id ?? null,
    countAssignment(userId: string): void {
      const load = loads.find(({ user_id }) => user_id === userId)!
      load.leads++
      load.last_assigned_at = now
    },
  }
}

function nextAssignee(loads: readonly AssignmentLoad[]): AssignmentLoad | undefined {
  return loads.toSorted(compareLoads)[0]
}

function compareLoads(one: AssignmentLoad, other: AssignmentLoad): number {
  const lastAssigned = (load: AssignmentLoad) => load.last_assigned_at?.getTime() ?? Number.NEGATIVE_INFINITY
  const [since, otherSince] = [lastAssigned(one), lastAssigned(other)]
  if (one.leads !== other.leads) return one.leads - other.leads
  if (since !== otherSince) return since < otherSince ? -1 : 1
  return one.user_id < other.user_id ? -1 : 1
}
