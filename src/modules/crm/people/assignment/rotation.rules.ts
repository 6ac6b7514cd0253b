export type AssignmentLoad = { user_id: string; leads: number; last_assigned_at: Date | null }

export type Rotation = ReturnType<typeof createRotation>

/** Picks the user with the fewest leads; ties go to the user who has waited longest. `loads` are updated by assignments. */
export function createRotation(loads: readonly AssignmentLoad[], now: Date) {
  const byId = new Map(loads.map((load) => [load.user_id, { ...load }]))
  return {
    nextUserId: (): string | null => [...byId.values()].sort(compareLoads)[0]?.user_id ?? null,
    countAssignment(userId: string, leads = 1): void {
      const load = byId.get(userId)
      if (!load) return
      load.leads += leads
      load.last_assigned_at = now
    },
  }
}

function compareLoads(one: AssignmentLoad, other: AssignmentLoad): number {
  const lastAssigned = (load: AssignmentLoad) => load.last_assigned_at?.getTime() ?? Number.NEGATIVE_INFINITY
  const [since, otherSince] = [lastAssigned(one), lastAssigned(other)]
  if (one.leads !== other.leads) return one.leads - other.leads
  if (since !== otherSince) return since < otherSince ? -1 : 1
  return one.user_id < other.user_id ? -1 : 1
}
