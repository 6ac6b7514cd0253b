import { defineRecordCheck, type IntegrityCheck } from '#platform/module'
import { findCollectionsWithWrongCount, recountCollections } from '../collections/collection-items.queries.ts'

export const enablementChecks: IntegrityCheck[] = [
  defineRecordCheck({
    code: 'collection_item_count_wrong',
    title: 'Wrong number of items in a collection',
    severity: 'error',
    hint: 'A repair counts the items again.',
    resourceType: 'collection',
    find: findCollectionsWithWrongCount,
    repair: recountCollections,
  }),
]
