import { secondsLater } from '#platform/clock'
import { mergePageSeconds, type PageSeconds, type ReadPage } from './page-seconds.rules.ts'

const viewIdleSeconds = 30 * 60
const maxDeltaSeconds = 90
const clockToleranceSeconds = 5
const completedProgress = 0.9
export const maxPlaybackRate = 2
const completedSeconds = 10
const maxSeconds = 86_400

/** A view without an event since then is closed. */
export const viewClosesBefore = (now: Date): Date => secondsLater(now, -viewIdleSeconds)

type MeasuredTime = {
  started_at: Date
  last_heartbeat_at: Date | null
  reported_seconds: number
  active_seconds: number
}
export type ViewState = MeasuredTime & {
  has_progress: boolean
  duration_seconds: number | null
  progress: number
  max_page: number | null
  page_seconds: PageSeconds | null
  completed: boolean
}
export type Heartbeat = { active_seconds: number; progress?: number; page?: number; pages?: ReadPage[] }

/** Files with pages or a duration are completed by progress; a few seconds complete only what has neither. */
export const hasProgress = (file: { media_type: string } | undefined): boolean =>
  file !== undefined && /^(application\/pdf$|video\/|audio\/)/.test(file.media_type)

export const isViewOpen = ({ last_event_at }: { last_event_at: Date }, now: Date): boolean =>
  last_event_at > viewClosesBefore(now)

/**
 * Adds the seconds of a heartbeat to a visit or a view. They are cumulative, so repeated and reordered ones change nothing, and
 * cannot grow faster than time passes, neither since the last heartbeat nor since the start.
 */
export function addSeconds(measured: MeasuredTime, activeSeconds: number, now: Date) {
  const limit = Math.min(passedSeconds(measured.last_heartbeat_at ?? measured.started_at, now), maxDeltaSeconds)
  const delta = Math.min(Math.max(activeSeconds - measured.reported_seconds, 0), limit)
  const maxTotal = Math.min(passedSeconds(measured.started_at, now), maxSeconds)
  return {
    reported_seconds: Math.max(measured.reported_seconds, activeSeconds),
    active_seconds: Math.max(measured.active_seconds, Math.min(measured.active_seconds + delta, maxTotal)),
  }
}

/**
 * Media of a known duration is never played further than the active seconds allow at double speed, whatever position the client
 * reports. Progress times duration are the played seconds.
 */
export const limitProgress = (progress: number, activeSeconds: number, durationSeconds: number | null): number =>
  durationSeconds === null ? progress : Math.min(progress, (activeSeconds * maxPlaybackRate) / durationSeconds)

export function applyHeartbeat(view: ViewState, heartbeat: Heartbeat, now: Date) {
  const { reported_seconds, active_seconds } = addSeconds(view, heartbeat.active_seconds, now)
  const isByProgress = view.has_progress || heartbeat.progress !== undefined || view.progress > 0
  const reported = limitProgress(heartbeat.progress ?? 0, active_seconds, view.duration_seconds)
  const progress = Math.max(view.progress, reported)
  const max_page = heartbeat.page ? Math.max(view.max_page ?? 0, heartbeat.page) : view.max_page
  return {
    reported_seconds,
    active_seconds,
    progress,
    max_page,
    page_seconds: mergePageSeconds(view.page_seconds, heartbeat.pages ?? [], active_seconds),
    completed: view.completed || (isByProgress ? progress >= completedProgress : active_seconds >= completedSeconds),
  }
}

const passedSeconds = (since: Date, now: Date): number =>
  Math.max(0, Math.floor((now.getTime() - since.getTime()) / 1_000) + clockToleranceSeconds)
