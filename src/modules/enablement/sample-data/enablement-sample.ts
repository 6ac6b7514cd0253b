import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { IntegrityRun, Random, RecordReference, SampleData, SampleStep } from '#platform/module'
import { createCollection } from '../collections/collections.service.ts'
import { createContentItem } from '../content/create-content.service.ts'
import { updateContentItem } from '../content/update-content.service.ts'
import { insertViews, type NewViewRow } from '../content-views/views.queries.ts'
import { deleteSampleRows } from './remove-sample.queries.ts'
import { type SampleContent, sampleCollections, sampleLibrary } from './sample-library.ts'

/** The other sellers do not read, so that their readiness is low. */
const readers = ['user:5', 'user:6', 'user:8', 'user:9'] as const
const viewDays = 60

export const enablementSample: SampleData = {
  name: 'enablement',
  plan: ({ random, now, scale }) => [
    ...sampleLibrary.map((content) => contentStep(content, now)),
    ...sampleLibrary
      .filter(({ isDraft }) => !isDraft)
      .map((content) => viewsStep(content, planViews(content, random, now, scale))),
    ...sampleCollections.map((collection) => collectionStep(collection, now)),
  ],
  async remove({ inTenant }: IntegrityRun, records: readonly RecordReference[]) {
    const idsOf = (type: string) => records.filter(({ resource_type }) => resource_type === type).map(({ id }) => id)
    await inTenant((tx) => deleteSampleRows(tx, { collections: idsOf('collection'), items: idsOf('content') }))
    return []
  },
}

function contentStep({ key, author, createdDaysAgo, isDraft, ...fields }: SampleContent, now: Date): SampleStep {
  const context = { files: null, clock: { now: () => daysLater(now, -createdDaysAgo) } }
  return {
    author,
    async run(tx, actor) {
      const { id } = await createContentItem(tx, context, actor, fields)
      if (!isDraft) await updateContentItem(tx, context, id, { changes: { status: 'published' } })
      return [{ key, resource_type: 'content', id }]
    },
  }
}

type PlannedView = { reader: string; at: Date; seconds: number }

function planViews({ createdDaysAgo, type }: SampleContent, random: Random, now: Date, scale: number): PlannedView[] {
  const popularity = ['battlecard', 'case_study', 'one_pager'].includes(type) ? 24 : 10
  const count = Math.max(1, Math.round(popularity * scale))
  return Array.from({ length: count }, () => ({
    reader: random.pick(readers),
    at: daysLater(now, -random.integer(0, Math.min(viewDays, createdDaysAgo) * 10) / 10),
    seconds: random.chance(0.8) ? random.integer(8, 240) : 0,
  }))
}

function viewsStep({ key, author }: SampleContent, views: readonly PlannedView[]): SampleStep {
  return {
    author,
    async run(tx: TenantTx, _actor, idOf) {
      const rows = views.map(
        ({ reader, at, seconds }): NewViewRow => ({
          id: newId(),
          item_id: idOf(key),
          user_id: idOf(reader),
          source: 'library',
          is_internal: true,
          started_at: at,
          last_event_at: new Date(at.getTime() + seconds * 1_000),
          reported_seconds: seconds,
          active_seconds: seconds,
          heartbeats: Math.ceil(seconds / 15),
          completed: seconds >= 60,
        }),
      )
      await insertViews(tx, rows)
      return []
    },
  }
}

function collectionStep({ key, name, description, items }: (typeof sampleCollections)[number], now: Date): SampleStep {
  const context = { files: null, clock: { now: () => now } }
  return {
    author: 'user:2',
    async run(tx, actor, idOf) {
      const item_ids = items.map((number) => idOf(`content:${number}`))
      const { id } = await createCollection(tx, context, actor, { name, description, item_ids })
      return [{ key, resource_type: 'collection', id }]
    },
  }
}
