import { addDays, dayInTimezone, startOfDay } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { findState, lockRollUps, type StateRow } from '../states/states.queries.ts'
import { listDays } from '../usage-store/periods.rules.ts'
import { deleteDayCounts, insertDayCounts, listDaysWithDrift } from './day-counts.queries.ts'

const checkedDays = 7

const toInput = ({ generation, timezone }: StateRow, days: readonly string[]) => ({
  generation,
  days: [...days],
  starts: days.map((day) => startOfDay(day, timezone)),
  until: startOfDay(addDays(days.at(-1)!, 1), timezone),
})

/** Compares the last days only: older ones were compared before, and their events may be deleted. */
export async function findDaysWithDrift(tx: TenantTx, now: Date, limit: number): Promise<string[]> {
  const state = await findState(tx)
  if (!state) return []
  const today = dayInTimezone(now, state.timezone)
  const days = listDays({ from: addDays(today, 1 - checkedDays), to: today })
  return (await listDaysWithDrift(tx, toInput(state, days))).slice(0, limit)
}

/** Counts the days again, while no batch of events can be stored. */
export async function recountDays(tx: TenantTx, days: readonly string[]): Promise<number> {
  await lockRollUps(tx)
  const state = await findState(tx)
  if (!state) return 0
  let corrected = 0
  for (const day of days) {
    const input = toInput(state, [day])
    if (!(await listDaysWithDrift(tx, input)).length) continue
    await deleteDayCounts(tx, input)
    await insertDayCounts(tx, input)
    corrected++
  }
  return corrected
}
