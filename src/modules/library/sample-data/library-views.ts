import { secondsLater } from '#platform/clock'
import { newId } from '#platform/ids'
import type { NewViewRow } from '../views/views.queries.ts'
import type { PlannedView } from './plan-view.rules.ts'

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
