import { daysLater, secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { deleteFilesNow } from '#platform/files'
import { newId } from '#platform/ids'
import type { IntegrityRun, Random, RecordReference, SampleData, SampleStep, Services } from '#platform/module'
import { createCollection } from '../collections/collections.service.ts'
import { createContentItem } from '../content/create-content.service.ts'
import { updateContentItem } from '../content/update-content.service.ts'
import { addContentVersion } from '../files/content-versions.service.ts'
import { type SampleFileName, sampleFiles } from '../sample-files/sample-files.ts'
import { insertViews, type NewViewRow } from '../views/views.queries.ts'
import { type PlannedView, planView } from './plan-view.rules.ts'
import { deleteSampleRows } from './remove-sample.queries.ts'
import { fileOfContent, type SampleContent, sampleCollections, sampleLibrary } from './sample-library.ts'

type Reader = Pick<NewViewRow, 'item_id' | 'user_id'>
type Reading = Pick<PlannedView, 'startedAt' | 'seconds' | 'isCompleted'> &
  Partial<Pick<PlannedView, 'progress' | 'maxPage' | 'pageSeconds'>>

export const toLibraryView = (
  reader: Reader,
  { startedAt, seconds, isCompleted, progress = null, maxPage = null, pageSeconds = null }: Reading,
): NewViewRow => ({
  id: newId(),
  ...reader,
  source: 'library',
  is_internal: true,
  started_at: startedAt,
  last_event_at: secondsLater(startedAt, seconds),
  reported_seconds: seconds,
  active_seconds: seconds,
  heartbeats: Math.ceil(seconds / 15),
  progress: progress ?? 0,
  has_progress: progress !== null,
  max_page: maxPage,
  page_seconds: pageSeconds,
  completed: isCompleted,
})

/** The other sellers do not read, so that their readiness is low. */
const readers = ['user:5', 'user:6', 'user:8', 'user:9'] as const
const viewDays = 60

export const enablementSample = ({ clock }: Pick<Services, 'clock'>): SampleData => ({
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
    await inTenant(async (tx) => {
      const ids = { collections: idsOf('collection'), items: idsOf('content') }
      await deleteFilesNow(tx, { clock }, await deleteSampleRows(tx, ids))
    })
    return []
  },
})

function contentStep({ key, author, createdDaysAgo, isDraft, file, ...fields }: SampleContent, now: Date): SampleStep {
  const context = { files: null, clock: { now: () => daysLater(now, -createdDaysAgo) } }
  return {
    author,
    ...(file && { file: toStepFile(file, now) }),
    async run(tx, actor, _idOf, stored) {
      const { id } = await createContentItem(tx, context, actor, fields)
      if (!isDraft) await updateContentItem(tx, context, id, { changes: { status: 'published' } })
      // After the publication, so that a virus scan does not prevent it.
      if (stored) await addContentVersion(tx, context, { itemId: id, file: stored, note: null })
      return [{ key, resource_type: 'content', id }]
    },
  }
}

function toStepFile(name: SampleFileName, now: Date): NonNullable<SampleStep['file']> {
  const { filename, type, write } = sampleFiles[name]
  return { purpose: 'content', filename, type, content: write(now) }
}

type LibraryView = Parameters<typeof toLibraryView>[1] & { reader: string }

function planViews(
  { key, createdDaysAgo, type }: SampleContent,
  random: Random,
  now: Date,
  scale: number,
): LibraryView[] {
  const popularity = ['battlecard', 'case_study', 'one_pager'].includes(type) ? 24 : 10
  const count = Math.max(1, Math.round(popularity * scale))
  const number = Number(key.replace('content:', ''))
  return Array.from({ length: count }, () => {
    const reader = random.pick(readers)
    const startedAt = daysLater(now, -random.integer(0, Math.min(viewDays, createdDaysAgo) * 10) / 10)
    if (fileOfContent(number)) return { reader, ...planView(number, random, startedAt) }
    const seconds = random.chance(0.8) ? random.integer(8, 240) : 0
    return { reader, startedAt, seconds, isCompleted: seconds >= 60 }
  })
}

function viewsStep({ key, author }: SampleContent, views: readonly LibraryView[]): SampleStep {
  return {
    author,
    async run(tx: TenantTx, _actor, idOf) {
      await insertViews(
        tx,
        views.map(({ reader, ...view }) => toLibraryView({ item_id: idOf(key), user_id: idOf(reader) }, view)),
      )
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
