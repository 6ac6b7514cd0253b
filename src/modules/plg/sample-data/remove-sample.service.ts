import { readSections, replaceSection } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { IntegrityRun, RecordReference } from '#platform/module'
import { recountDays } from '../integrity/day-counts.service.ts'
import type { PlgSettings } from '../settings/plg-settings.schemas.ts'
import { plgSettings } from '../settings/plg-settings.ts'
import {
  deleteActorRollUps,
  deleteActorRows,
  deleteEventsOf,
  deleteUnusedEventNames,
  listActiveDaysOf,
  listSampleActorIds,
} from './remove-sample.queries.ts'
import { sampleEventNames, sampleRule } from './sample-usage.rules.ts'

const eventsPerBatch = 2_000

/** Deletes the events in batches, then the actors with their numbers, and counts the days again. */
export async function removeSampleUsage({ inTenant, signal }: IntegrityRun, _records: readonly RecordReference[]) {
  const actorIds = await inTenant(listSampleActorIds)
  const days = await inTenant((tx) => listActiveDaysOf(tx, actorIds))
  do signal.throwIfAborted()
  while (await inTenant((tx) => deleteEventsOf(tx, actorIds, eventsPerBatch)))
  await inTenant(async (tx) => {
    await deleteActorRollUps(tx, { actorIds, days })
    await recountDays(tx, days)
    await deleteActorRows(tx, actorIds)
    await deleteUnusedEventNames(tx, sampleEventNames)
  })
  await inTenant(removeSampleRule)
  return []
}

async function removeSampleRule(tx: TenantTx): Promise<void> {
  const stored = (await readSections(tx, [plgSettings])).get(plgSettings.name)!
  const settings = stored.settings as PlgSettings
  const pql_rules = settings.pql_rules.filter(({ key }) => key !== sampleRule.key)
  if (pql_rules.length < settings.pql_rules.length) await replaceSection(tx, plgSettings, { ...settings, pql_rules })
}
