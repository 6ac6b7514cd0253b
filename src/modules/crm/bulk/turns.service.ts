import { activeUsersAmong } from '#modules/identity'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { lockTurns } from '../leads/assignment.queries.ts'
import { countedDays } from '../leads/assignment.service.ts'
import { turnsSince } from './many-leads.queries.ts'
import { nextInTurn } from './turns.rules.ts'

/** Whose turn it is, lead after lead, while nobody else gives out any. Nobody's if none of them can take leads by now. */
export async function openTurns(tx: TenantTx, userIds: readonly string[], now: Date) {
  const eligible = [...(await activeUsersAmong(tx, userIds))].sort()
  if (eligible.length) await lockTurns(tx, eligible)
  const turns = eligible.length ? await turnsSince(tx, eligible, daysLater(now, -countedDays)) : []
  return {
    next: (): string | null => nextInTurn(turns)?.user_id ?? null,
    note(userId: string): void {
      const turn = turns.find(({ user_id }) => user_id === userId)!
      turn.leads++
      turn.last_assigned_at = now
    },
  }
}
