import { daysLater, secondsLater } from '#platform/clock'
import type { Random } from '#platform/module'
import { sampleFiles } from '../sample-files/sample-files.ts'
import { fileOfContent } from './sample-library.ts'
import type { SampleRoom } from './sample-room.ts'

export type PlannedView = {
  content: number
  startedAt: Date
  seconds: number
  /** Null for content without pages or a duration. */
  progress: number | null
  maxPage: number | null
  pageSeconds: Record<string, number> | null
  isCompleted: boolean
  isDownloaded: boolean
}

export type PlannedVisit = {
  /** Named visitors first, then anonymous ones. */
  visitor: number
  startedAt: Date
  seconds: number
  device: 'desktop' | 'mobile' | 'tablet'
  views: PlannedView[]
}

const completedProgress = 0.9
const completedSeconds = 10
const downloadChance = 0.12
/** Buyers read the pages with prices longer than others. */
const slowPages: Partial<Record<number, number>> = { 1: 0.5, 6: 2.5 }

/** Visits during working hours, with what was read in them. Visitors come again, the first ones more often. */
export function planVisits(room: SampleRoom, random: Random, now: Date): PlannedVisit[] {
  const times = room.periods.flatMap(({ visits, fromDay, toDay }) =>
    Array.from({ length: visits }, () =>
      toWorkingHours(daysLater(now, -random.integer(toDay * 10, fromDay * 10) / 10), now, random),
    ),
  )
  const last = secondsLater(now, -room.lastVisitHours * 3_600)
  const isBeforeLast = (at: Date) => at < secondsLater(last, -3_600)
  return [
    ...times.filter(isBeforeLast),
    ...times.filter((at) => !isBeforeLast(at)).map((at) => daysLater(at, -1)),
    last,
  ]
    .toSorted((one, other) => one.getTime() - other.getTime())
    .map((at) => planVisit(room, random, at))
}

const firstHour = 7
const lastHour = 17

/** Moves a time to a working day between 7 and 18 o'clock, not after now. */
function toWorkingHours(at: Date, now: Date, random: Random): Date {
  const time = new Date(at)
  time.setUTCHours(random.integer(firstHour, lastHour), random.integer(0, 59), random.integer(0, 59), 0)
  const weekday = time.getUTCDay()
  const moved = daysLater(time, weekday === 0 ? -2 : weekday === 6 ? -1 : 0)
  return moved < secondsLater(now, -3_600) ? moved : daysLater(moved, -1)
}

function planVisit(room: SampleRoom, random: Random, startedAt: Date): PlannedVisit {
  const visitors = room.visitors + (room.anonymousVisitors ?? 0)
  const contents = room.items.flatMap((item) => ('content' in item ? item.content : []))
  const shown = contents.slice(0, Math.max(1, Math.round(contents.length * room.interest)))
  const device = random.chance(0.7) ? 'desktop' : random.chance(0.75) ? 'mobile' : 'tablet'
  const opened = new Set(Array.from({ length: random.integer(1, 3) }, () => random.pick(shown)))
  const views: PlannedView[] = []
  let seconds = random.integer(8, 40)
  for (const content of opened) {
    const view = planView(content, random, secondsLater(startedAt, seconds))
    views.push(view)
    seconds += view.seconds + random.integer(2, 20)
  }
  const visitor = Math.min(random.integer(0, visitors - 1), random.integer(0, visitors - 1))
  return { visitor, startedAt, seconds, device, views }
}

export function planView(content: number, random: Random, startedAt: Date): PlannedView {
  const name = fileOfContent(content)
  const { pages, seconds: duration } = name ? sampleFiles[name] : {}
  const view = { content, startedAt, isDownloaded: pages !== undefined && random.chance(downloadChance) }
  if (duration !== undefined) {
    const progress = random.chance(0.6) ? 1 : random.integer(20, 85) / 100
    const seconds = Math.max(1, Math.round(duration * progress))
    return { ...view, seconds, progress, maxPage: null, pageSeconds: null, isCompleted: progress >= completedProgress }
  }
  if (pages === undefined) {
    const seconds = random.integer(6, 70)
    return {
      ...view,
      seconds,
      progress: null,
      maxPage: null,
      pageSeconds: null,
      isCompleted: seconds >= completedSeconds,
    }
  }
  const maxPage = random.chance(0.45) ? pages : random.integer(1, pages)
  const read = Array.from({ length: maxPage }, (_, index): [string, number] => {
    const page = index + 1
    return [String(page), Math.max(1, Math.round(random.integer(4, 22) * (slowPages[page] ?? 1)))]
  })
  const progress = Math.round((maxPage / pages) * 10_000) / 10_000
  return {
    ...view,
    seconds: read.reduce((sum, [, seconds]) => sum + seconds, 0),
    progress,
    maxPage,
    pageSeconds: Object.fromEntries(read),
    isCompleted: progress >= completedProgress,
  }
}
