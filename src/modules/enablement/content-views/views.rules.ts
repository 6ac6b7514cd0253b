import { secondsLater } from '#platform/clock'

const viewIdleSeconds = 30 * 60
const maxDeltaSeconds = 90
const clockToleranceSeconds = 5
const completedProgress = 0.9
const completedSeconds = 10
const maxSeconds = 86_400

/** A view without an event since then is closed. */
export const viewClosesBefore = (now: Date): Date => secondsLater(now, -viewIdleSeconds)

export type ViewState = {
  last_event_at: Date
  reported_seconds: number
  active_seconds: number
  progress: number
  max_page: number | null
}
export type Heartbeat = { active_seconds: number; progress?: number; page?: number }

export const isViewOpen = ({ last_event_at }: Pick<ViewState, 'last_event_at'>, now: Date): boolean =>
  last_event_at > viewClosesBefore(now)

/**
 * Applies a heartbeat. Its seconds are cumulative, so repeated and reordered ones change nothing, and they cannot grow faster
 * than time passes.
 */
export function applyHeartbeat(
  view: ViewState,
  heartbeat: Heartbeat,
  { now, hasProgress }: { now: Date; hasProgress: boolean },
) {
  const gapSeconds = (now.getTime() - view.last_event_at.getTime()) / 1_000
  const limit = Math.max(0, Math.min(Math.floor(gapSeconds) + clockToleranceSeconds, maxDeltaSeconds))
  const delta = Math.min(Math.max(heartbeat.active_seconds - view.reported_seconds, 0), limit)
  const active_seconds = Math.min(view.active_seconds + delta, maxSeconds)
  const progress = Math.max(view.progress, heartbeat.progress ?? 0)
  const max_page = heartbeat.page ? Math.max(view.max_page ?? 0, heartbeat.page) : view.max_page
  return {
    reported_seconds: Math.max(view.reported_seconds, heartbeat.active_seconds),
    active_seconds,
    progress,
    max_page,
    completed: hasProgress ? progress >= completedProgress : active_seconds >= completedSeconds,
  }
}
