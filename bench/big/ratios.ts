import { systemIn } from '#platform/access'
import { type Db, inTenant } from '#platform/db'
import { listMarkedDays } from '../../src/modules/crm/analytics/rollups.queries.ts'
import { recountDays } from '../../src/modules/crm/analytics/rollups.service.ts'
import { median } from '../measure.ts'
import { type Question, questions } from './questions.ts'
import type { Workspace } from './workspaces.ts'

const warmUp = 5

/** Prints how much longer each question takes in the larger workspace, and gives back the worst of each kind. */
export async function tellRatios(
  larger: Workspace,
  smaller: Workspace,
  { rounds, db }: { rounds: number; db: Db },
): Promise<Record<Question['kind'], number>> {
  const worst = { list: 0, call: 0, search: 0, frequent: 0, analytics: 0, forecast: 0 }
  for (const { name, kind, prepare } of questions) {
    // What was changed here before would have been counted by now: it is done every minute.
    for (const { tenantId } of [larger, smaller]) await countMarkedDays(db, tenantId)
    const asked = [await prepare(larger), await prepare(smaller)]
    const times: [number[], number[]] = [[], []]
    for (let round = -warmUp; round < rounds; round++)
      for (const [which, ask] of asked.entries()) {
        const took = await ask()
        if (round >= 0) times[which]!.push(took)
      }
    const [one, other] = [median(times[0]), median(times[1])]
    worst[kind] = Math.max(worst[kind], one / other)
    console.log(
      `  ${(one / other).toFixed(2)}  ${one.toFixed(2).padStart(7)} ms  ${other.toFixed(2).padStart(7)} ms  ${name}`,
    )
  }
  return worst
}

async function countMarkedDays(db: Db, tenantId: string): Promise<void> {
  const days = await inTenant(db, systemIn(tenantId), listMarkedDays)
  if (days.length) await inTenant(db, systemIn(tenantId), (tx) => recountDays(tx, days))
}
