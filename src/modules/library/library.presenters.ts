import { definePresenter } from '#platform/module'
import { listCollectionsByIds } from './collections/collections.queries.ts'
import { canSeeCollection } from './collections/collections.rules.ts'
import { CollectionSummary } from './collections/collections.schemas.ts'
import { presentCollectionSummaries } from './collections/present-collection.service.ts'
import { listItemsByIds } from './content/content.queries.ts'
import { canSee } from './content/content.rules.ts'
import { ContentItem } from './content/content.schemas.ts'
import { presentItems } from './content/present-content.service.ts'

/** Drafts, and content and collections of some teams only, are not sent to other systems. */
const viewer = { userId: null, isManager: false, teamIds: [] }

const contextAt = (now: Date) => ({ files: null, clock: { now: () => now } })

export const libraryPresenters = [
  definePresenter({
    subjectType: 'content',
    schema: ContentItem,
    async list(tx, ids, now) {
      const visible = (await listItemsByIds(tx, ids)).filter((item) => canSee(item, viewer))
      return (await presentItems(tx, contextAt(now), visible)).map((item) => [item.id, item])
    },
  }),
  definePresenter({
    subjectType: 'collection',
    schema: CollectionSummary,
    async list(tx, ids, now) {
      const visible = (await listCollectionsByIds(tx, ids)).filter((row) => canSeeCollection(row, viewer))
      const collections = await presentCollectionSummaries(tx, contextAt(now), viewer, visible)
      return collections.map((collection) => [collection.id, collection])
    },
  }),
]
