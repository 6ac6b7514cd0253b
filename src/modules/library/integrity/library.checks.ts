import { defineRecordCheck, type IntegrityCheck } from '#platform/module'
import { findCollectionsWithWrongCount, recountCollections } from '../collections/collection-items.queries.ts'
import { findItemsWithForeignVersion, findItemsWithWrongViews, recountViews } from './integrity.queries.ts'

export const libraryChecks: IntegrityCheck[] = [
  defineRecordCheck({
    code: 'collection_item_count_wrong',
    title: 'Wrong number of items in a collection',
    severity: 'error',
    hint: 'A repair counts the items again.',
    resourceType: 'collection',
    find: findCollectionsWithWrongCount,
    repair: recountCollections,
  }),
  defineRecordCheck({
    code: 'counter_drift',
    title: 'Counter that differs from the records',
    severity: 'warning',
    hint: 'Count the records again.',
    resourceType: 'content',
    find: findItemsWithWrongViews,
    repair: recountViews,
  }),
  defineRecordCheck({
    code: 'content_version_mismatch',
    title: 'Content that shows a removed version or one of other content',
    severity: 'error',
    hint: 'Restore a version of the content, or upload its file again.',
    resourceType: 'content',
    find: findItemsWithForeignVersion,
  }),
]
