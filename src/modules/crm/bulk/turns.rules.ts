/** How many leads somebody got lately, and when the last one. */
export type Turn = { user_id: string; leads: number; last_assigned_at: Date | null }

/** Whoever got the fewest leads; of several, whoever waited longest. */
export function nextInTurn(turns: readonly Turn[]): Turn | undefined {
  return turns.toSorted(byTurn)[0]
}

function byTurn(one: Turn, other: Turn): number {
  const waited = (turn: Turn) => turn.last_assigned_at?.getTime() ?? Number.NEGATIVE_INFINITY
  const [since, otherSince] = [waited(one), waited(other)]
  if (one.leads !== other.leads) return one.leads - other.leads
  if (since !== otherSince) return since < otherSince ? -1 : 1
  return one.user_id < other.user_id ? -1 : 1
}
