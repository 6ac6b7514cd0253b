import { type PlannedView, planView } from '#modules/library'
import { daysLater, secondsLater } from '#platform/clock'
import type { Random } from '#platform/module'
import type { SampleRoom } from './sample-room.ts'

export type PlannedVisit = {
  /** Named visitors first, then anonymous ones. */
  visitor: number
  startedAt: Date
  seconds: number
  device: 'desktop' | 'mobile' | 'tablet'
  views: PlannedView[]
}

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
