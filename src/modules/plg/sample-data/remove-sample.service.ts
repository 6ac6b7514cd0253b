import { readSections, replaceSection } from '#modules/identity'
import { systemClock } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import type { IntegrityRun, RecordReference } from '#platform/module'
import { enqueueRebuild } from '../rebuild/rebuild.jobs.ts'
import { abandonNextGeneration, lockRebuildState } from '../rebuild/rebuild.queries.ts'
import type { PlgSettings } from '../settings/plg-settings.schemas.ts'
import { plgSettings } from '../settings/plg-settings.ts'
import { lockRollUps } from '../states/states.queries.ts'
import {
  deleteActorRollUps,
  deleteActorRows,
  deleteEventsOf,
  deleteUnusedEventNames,
  insertActiveCounts,
  insertEventCounts,
  listOwnSampleActors,
  takeActiveCounts,
  takeEventCounts,
} from './remove-sample.queries.ts'
import { sampleEventNames, sampleRule } from './sample-usage.rules.ts'

const eventsPerBatch = 2_000

export const usageActorType = 'usage_actor'

/** Deletes the events of the loaded actors in batches, then the actors, and subtracts them from the numbers. */
export async function removeSampleUsage({ inTenant, signal }: IntegrityRun, records: readonly RecordReference[]) {
  const recorded = records.filter(({ resource_type }) => resource_type === usageActorType).map(({ id }) => id)
  const actorIds = await inTenant((tx) => listOwnSampleActors(tx, recorded))
  do signal.throwIfAborted()
  while (await inTenant((tx) => deleteEventsOf(tx, actorIds, eventsPerBatch)))
  await inTenant(async (tx) => {
    await lockRollUps(tx)
    await restartRebuild(tx)
    const [events, active] = [await takeEventCounts(tx, actorIds), await takeActiveCounts(tx, actorIds)]
    await insertEventCounts(tx, events)
    await insertActiveCounts(tx, active)
    await deleteActorRollUps(tx, actorIds)
    await deleteActorRows(tx, actorIds)
    await deleteUnusedEventNames(tx, sampleEventNames)
  })
  await inTenant(removeSampleRule)
  return []
}

/** A running rebuild has counted deleted events. */
async function restartRebuild(tx: TenantTx): Promise<void> {
  const state = await lockRebuildState(tx)
  if (!state || state.next_generation === null) return
  await abandonNextGeneration(tx, systemClock.now())
  await enqueueRebuild(tx)
}

async function removeSampleRule(tx: TenantTx): Promise<void> {
  const stored = (await readSections(tx, [plgSettings])).get(plgSettings.name)!
  const settings = stored.settings as PlgSettings
  const pql_rules = settings.pql_rules.filter(({ key }) => key !== sampleRule.key)
  if (pql_rules.length < settings.pql_rules.length) await replaceSection(tx, plgSettings, { ...settings, pql_rules })
}
