import { timezoneOf } from '#modules/identity'
import { dayInTimezone } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { deleteDeltas, isCountedDirectly, setCountedDirectly } from '../../records/fields/rollup-states.queries.ts'
import { listLeadDates, updateCreatedOnRows } from './created-on.queries.ts'
import {
  correctRollups,
  deleteEmptyRollups,
  deleteRollups,
  foldDeltas,
  hasMoreLeads,
  listCountedDays,
  listDriftedDays,
  lockRollups,
} from './rollups.queries.ts'

const maxFolded = 10_000
const daysPerStatement = 50

/** Rollups of fewer leads have about as many rows as there are leads. The limits differ, so that a workspace does not change all the time. */
const [maxDirectLeads, minRolledUpLeads] = [4_000, 2_000]

/** Workspaces without rollups drop the deltas, until they have enough leads for rollups. */
export async function foldLeadDeltas(tx: TenantTx): Promise<boolean> {
  await lockRollups(tx)
  if (await isCountedDirectly(tx, 'leads')) {
    if (!(await hasMoreLeads(tx, maxDirectLeads)))
      return (await deleteDeltas(tx, 'crm.lead_deltas', maxFolded)) === maxFolded
    await startRollups(tx)
  }
  const { folded, days } = await foldDeltas(tx, maxFolded)
  if (days.length) await deleteEmptyRollups(tx, days)
  return folded === maxFolded
}

/** Creates rollups of the leads without the deltas, which are added later. Writers do not wait, because they always write deltas. */
async function startRollups(tx: TenantTx): Promise<void> {
  const days = await listCountedDays(tx)
  for (let done = 0; done < days.length; done += daysPerStatement)
    await correctRollups(tx, days.slice(done, done + daysPerStatement))
  await setCountedDirectly(tx, 'leads', false)
}

/** Deletes the rollups of a small workspace, also those that processes of the previous version still write. */
export async function stopRollupsOfFewLeads(tx: TenantTx): Promise<void> {
  await lockRollups(tx)
  const isDirect = await isCountedDirectly(tx, 'leads')
  if (!isDirect && (await hasMoreLeads(tx, minRolledUpLeads))) return
  await setCountedDirectly(tx, 'leads', true)
  await deleteRollups(tx)
}

export async function recountRollups(tx: TenantTx, days: readonly string[]): Promise<number> {
  await lockRollups(tx)
  if (await isCountedDirectly(tx, 'leads')) return 0
  const corrected = await correctRollups(tx, days)
  if (corrected) await deleteEmptyRollups(tx, days)
  return corrected
}

export async function findDriftedDays(tx: TenantTx, days: readonly string[]): Promise<string[]> {
  return (await isCountedDirectly(tx, 'leads')) ? [] : await listDriftedDays(tx, days)
}

/** Recomputes `created_on` of one batch of leads in the current time zone. Returns the next cursor, or null when done. */
export async function recomputeCreatedOnBatch(
  tx: TenantTx,
  after: string,
): Promise<{ next: string; changed: number } | null> {
  const timezone = await timezoneOf(tx)
  const leads = await listLeadDates(tx, after)
  const changes = leads.flatMap(({ id, created_at, created_on }) => {
    const day = dayInTimezone(created_at.getTime(), timezone)
    return day === created_on ? [] : [{ id, created_on: day }]
  })
  if (changes.length) await updateCreatedOnRows(tx, changes)
  const last = leads.at(-1)
  return last ? { next: last.id, changed: changes.length } : null
}
