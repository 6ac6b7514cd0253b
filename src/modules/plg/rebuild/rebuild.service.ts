import { readSettings } from '#modules/identity'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { readPlgSettings } from '../settings/plg-settings.queries.ts'
import { planCountedFrom } from '../states/recalculation.rules.ts'
import { lockRollUps } from '../states/states.queries.ts'
import { hasOptions, type RollUpOptions } from '../states/states.rules.ts'
import { toRollUpInput } from '../usage-store/postgres-usage-store.ts'
import { copiedTables, copyActiveDays, copyRollUpPage } from './copy-roll-ups.queries.ts'
import {
  abandonNextGeneration,
  deleteUnusedRollUps,
  findLastSeq,
  findNextEvents,
  lockRebuildState,
  type RebuildState,
  rollUpEvents,
  rollUpTables,
  saveCopyPosition,
  saveRebuildPosition,
  startNextGeneration,
  switchGeneration,
} from './rebuild.queries.ts'

const eventsPerBatch = 5_000
const rowsPerBatch = 10_000
const copiedRowsPerBatch = 5_000
export const formerGenerationDays = 7

/**
 * Starts to build the roll-ups for the current settings. The lock waits for all batches of events, so that each event belongs either
 * to the rebuild, or to a batch that already writes both generations. Returns false if nothing is to do.
 */
export async function startRebuild(tx: TenantTx, now: Date): Promise<boolean> {
  const [general, { inactive_events }] = await Promise.all([readSettings(tx, 'general'), readPlgSettings(tx)])
  const wanted: RollUpOptions = { timezone: general.timezone, inactive_events }
  await lockRollUps(tx)
  const state = await lockRebuildState(tx)
  if (!state) return false
  if (isNextOf(state, wanted)) return true
  if (hasOptions(state, wanted)) {
    if (state.next_generation !== null) await abandonNextGeneration(tx, now)
    return false
  }
  const generation = Math.max(state.generation, state.next_generation ?? 0, state.last_generation) + 1
  const counted = planCountedFrom(state)
  await startNextGeneration(tx, { generation, ...wanted, untilSeq: await findLastSeq(tx), counted })
  return true
}

const isNextOf = ({ next_timezone, next_inactive_events }: RebuildState, wanted: RollUpOptions): boolean =>
  next_timezone !== null && hasOptions({ timezone: next_timezone, inactive_events: next_inactive_events! }, wanted)

/**
 * Copies the next numbers of days whose events may be deleted; false when all are copied. The lock waits for all batches of events,
 * which change the same rows of both generations.
 */
export async function copyBatch(tx: TenantTx): Promise<boolean> {
  await lockRollUps(tx)
  const state = await lockRebuildState(tx)
  if (!state || state.next_generation === null || state.next_counted_on === null || state.copy_step === null)
    return false
  const copied = { current: state.generation, next: state.next_generation, before: state.next_counted_on }
  const table = copiedTables[state.copy_step]
  if (!table) {
    await copyActiveDays(tx, copied)
    await saveCopyPosition(tx, { step: null, until: null })
    return false
  }
  const last = await copyRollUpPage(tx, table, { ...copied, after: state.copied_until, limit: copiedRowsPerBatch })
  const step = last ? state.copy_step : state.copy_step + 1
  await saveCopyPosition(tx, { step, until: last ?? null })
  return true
}

/** Adds the next events to the next generation; false when all are added. */
export async function rebuildBatch(tx: TenantTx): Promise<boolean> {
  const state = await lockRebuildState(tx)
  if (!state || state.next_generation === null) return false
  const position = { after_at: state.rebuilt_at, after_id: state.rebuilt_id, until_seq: state.rebuild_until_seq! }
  const page = await findNextEvents(tx, { ...position, limit: eventsPerBatch })
  if (page.events === 0) return false
  const generation = {
    generation: state.next_generation,
    timezone: state.next_timezone!,
    inactive_events: state.next_inactive_events!,
    counted:
      state.next_counted_on === null
        ? null
        : { counted_on: state.next_counted_on, counted_from: state.next_counted_from! },
  }
  const range = [page.first_at!, page.last_at!].map((occurred_at) => ({ occurred_at }))
  const end = { at: page.last_at_text!, id: page.last_id! }
  await rollUpEvents(tx, { ...toRollUpInput(generation, range), ...position, last_at: end.at, last_id: end.id })
  await saveRebuildPosition(tx, end)
  return true
}

/** Switches to the next generation once no event is missing; false if the settings changed again. */
export async function finishRebuild(tx: TenantTx, now: Date): Promise<boolean> {
  if (!(await startRebuild(tx, now))) return true
  if ((await copyBatch(tx)) || (await rebuildBatch(tx))) return false
  await switchGeneration(tx, now)
  return true
}

/** Former numbers are kept for some days after a switch, in case that the new ones are wrong. */
export async function deleteUnusedBatch(tx: TenantTx, now: Date): Promise<boolean> {
  const state = await lockRebuildState(tx)
  if (!state || (state.switched_at && state.switched_at > daysLater(now, -formerGenerationDays))) return false
  const generations = { current: state.generation, next: state.next_generation }
  for (const table of rollUpTables) if (await deleteUnusedRollUps(tx, table, generations, rowsPerBatch)) return true
  return false
}
