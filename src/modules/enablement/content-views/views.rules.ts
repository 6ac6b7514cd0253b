import { secondsLater } from '#platform/clock'
import { mergePageSeconds, type PageSeconds, type ReadPage } from './page-seconds.rules.ts'

const viewIdleSeconds = 30 * 60
const maxDeltaSeconds = 90
const clockToleranceSeconds = 5
const completedProgress = 0.9
const completedSeconds = 10
const maxSeconds = 86_400

/** A view without an event since then is closed. */
export const viewClosesBefore = (now: Date): Date => secondsLater(now, -viewIdleSeconds)

export type ViewState = {
  started_at: Date
  last_heartbeat_at: Date | null
  reported_seconds: number
  active_seconds: number
  progress: number
  max_page: number | null
  page_seconds: PageSeconds | null
}
export type Heartbeat = { active_seconds: number; progress?: number; page?: number; pages?: ReadPage[] }

/** Files with pages or a duration are completed by progress; a few seconds complete only what has neither. */
export const hasProgress = (file: { media_type: string } | undefined): boolean =>
  file !== undefined && /^(application\/pdf$|video\/|audio\/)/.test(file.media_type)

export const isViewOpen = ({ last_event_at }: { last_event_at: Date }, now: Date): boolean =>
  last_event_at > viewClosesBefore(now)

/**
 * Applies a heartbeat. Its seconds are cumulative, so repeated and reordered ones change nothing. They cannot grow faster than
 * time passes, neither since the last heartbeat nor since the start.
 */
export function applyHeartbeat(
  view: ViewState,
  heartbeat: Heartbeat,
  { now, hasProgress }: { now: Date; hasProgress: boolean },
) {
  const limit = Math.min(passedSeconds(view.last_heartbeat_at ?? view.started_at, now), maxDeltaSeconds)
  const delta = Math.min(Math.max(heartbeat.active_seconds - view.reported_seconds, 0), limit)
  const maxTotal = Math.min(passedSeconds(view.started_at, now), maxSeconds)
  const active_seconds = Math.max(view.active_seconds, Math.min(view.active_seconds + delta, maxTotal))
  const progress = Math.max(view.progress, heartbeat.progress ?? 0)
  const max_page = heartbeat.page ? Math.max(view.max_page ?? 0, heartbeat.page) : view.max_page
  return {
    reported_seconds: Math.max(view.reported_seconds, heartbeat.active_seconds),
    active_seconds,
    progress,
    max_page,
    page_seconds: mergePageSeconds(view.page_seconds, heartbeat.pages ?? [], active_seconds),
    completed: hasProgress ? progress >= completedProgress : active_seconds >= completedSeconds,
  }
}

const passedSeconds = (since: Date, now: Date): number =>
  Math.max(0, Math.floor((now.getTime() - since.getTime()) / 1_000) + clockToleranceSeconds)
