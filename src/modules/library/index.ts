export { type Influence, listInfluences } from './analytics/analytics.queries.ts'
export { toInfluenceWindow } from './analytics/analytics.rules.ts'
export { roomNamePoint } from './analytics/room-names.ts'
export { listEntries } from './collections/collection-items.queries.ts'
export { findCollection } from './collections/collections.queries.ts'
export { canSeeCollection } from './collections/collections.rules.ts'
export { type ContentRow, listItemsByIds, listReplacements, type PresentedRow } from './content/content.queries.ts'
export { type ContentViewer, canSee, isInAudience, isInternalType } from './content/content.rules.ts'
export { readContentSettings } from './content/content-settings.ts'
export { contentUsePoint } from './content/content-use.ts'
export { isStale } from './content/freshness.rules.ts'
export { type ResolvedContent, resolveContent } from './content/resolve-content.service.ts'
export { countSearchMiss, searchContent } from './content/search-content.queries.ts'
export {
  findVersionByNumber,
  listStoredBodies,
  listVersionsByNumber,
  updateStoredBodies,
  type VersionRow,
} from './content/versions.queries.ts'
export { listVisibleItems, lockVisibleItem, readViewer } from './content/viewer.service.ts'
export {
  type ContentTime,
  countLibraryViews,
  countViewedItems,
  filterPublishedItemIds,
  findContentTitle,
  hasPublishedItems,
  listContentTimes,
  listDealIdsWithViewsSince,
  listLastViews,
  listPublishedItems,
  listReaderIds,
  listReadItems,
  listRequiredItems,
  listSearchMisses,
} from './facts/facts.queries.ts'
export { contentReaderPoint, type MayVisitorRead } from './files/content-reader.ts'
export { library } from './library.module.ts'
export { toLibraryView } from './sample-data/library-sample.ts'
export { type PlannedView, planView } from './sample-data/plan-view.rules.ts'
export { deleteSampleMisses } from './sample-data/remove-sample.queries.ts'
export { fileOfContent } from './sample-data/sample-library.ts'
export { sampleFiles } from './sample-files/sample-files.ts'
export { listReadPages, type PageSeconds } from './views/page-seconds.rules.ts'
export { recountViews } from './views/recount-views.jobs.ts'
export { listTenantsToRecount } from './views/recount-views.queries.ts'
export { insertView, insertViews, listMediaDurations } from './views/views.queries.ts'
export { addSeconds, applyHeartbeat, hasProgress, isViewOpen, viewClosesBefore } from './views/views.rules.ts'
export { ReadPages } from './views/views.schemas.ts'
export {
  countVisitViews,
  deleteViews,
  findOpenRoomView,
  insertVisitViews,
  lockVisitViews,
  markRoomViewDownloaded,
  updateViewRows,
  updateVisitsOfViews,
} from './views/visit-views.queries.ts'
