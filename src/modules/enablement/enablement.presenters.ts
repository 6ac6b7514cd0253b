import { systemClock } from '#platform/clock'
import type { EventPresenter } from '#platform/module'
import { listCollectionsByIds } from './collections/collections.queries.ts'
import { CollectionSummary } from './collections/collections.schemas.ts'
import { presentCollectionSummaries } from './collections/present-collection.service.ts'
import { listItemsByIds } from './content/content.queries.ts'
import { ContentItem } from './content/content.schemas.ts'
import { presentItems } from './content/present-content.service.ts'

const context = { files: null, clock: systemClock }
const allContent = { userId: null, isManager: true, teamIds: [] }
const byId = <T extends { id: string }>(records: readonly T[]) => new Map(records.map((record) => [record.id, record]))

export const enablementPresenters: EventPresenter[] = [
  {
    subjectType: 'content',
    schema: ContentItem,
    list: async (tx, ids) => byId(await presentItems(tx, context, await listItemsByIds(tx, ids))),
  },
  {
    subjectType: 'collection',
    schema: CollectionSummary,
    list: async (tx, ids) =>
      byId(await presentCollectionSummaries(tx, context, allContent, await listCollectionsByIds(tx, ids))),
  },
]
