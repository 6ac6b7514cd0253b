import { daysLater, secondsLater } from '#platform/clock'
import type { Random } from '#platform/module'

export const sampleRule = {
  key: 'sample_team_active',
  name: 'Active team',
  kind: 'person' as const,
  window_days: 14,
  all: [{ event: 'project_created', min_events: 3 }],
  fit_segment_id: null,
  points: 20,
  hold_days: 14,
}

const [steps, eventsPerStep, people, accounts, days, qualified] = [20, 1_000, 120, 25, 120, 3]

const names: [name: string, weight: number][] = [
  ['signed_in', 40],
  ['page_viewed', 30],
  ['project_created', 8],
  ['task_completed', 14],
  ['report_exported', 5],
  ['invite_sent', 3],
]
export const sampleEventNames = names.map(([name]) => name)
const totalWeight = names.reduce((sum, [, weight]) => sum + weight, 0)

export type PlannedEvent = { name: string; person: number; account: number; at: Date }
export type PlannedBatch = { number: number; endsAt: Date; events: PlannedEvent[] }

function pickName(random: Random): string {
  let rest = random.integer(1, totalWeight)
  for (const [name, weight] of names) {
    rest -= weight
    if (rest <= 0) return name
  }
  return names[0]![0]
}

/** People join over time and use the product with different frequency; some leave. The first ones are leads and meet the rule. */
export function planUsage({ random, now, scale }: { random: Random; now: Date; scale: number }): PlannedBatch[] {
  const size = Math.max(5, Math.round(eventsPerStep * scale))
  const [personCount, accountCount] = [
    Math.max(5, Math.round(people * scale)),
    Math.max(2, Math.round(accounts * scale)),
  ]
  const stepDays = days / steps
  const members = Array.from({ length: personCount }, (_, person) => {
    const joined = person < qualified ? 0 : random.integer(0, steps - 1)
    const leaves = random.chance(0.3) && person >= qualified ? random.integer(joined, steps) : steps
    return { person, joined, leaves }
  })
  return Array.from({ length: steps }, (_, step) => {
    const endsAt = daysLater(now, -stepDays * (steps - 1 - step))
    const active = members.filter(({ joined, leaves }) => joined <= step && step <= leaves)
    const timeIn = () => secondsLater(endsAt, -random.integer(60, Math.floor(stepDays * 86_400)))
    const events = Array.from({ length: size }, (): PlannedEvent => {
      const { person } = random.pick(active)
      return { name: pickName(random), person, account: person % accountCount, at: timeIn() }
    })
    if (step === steps - 1)
      for (let person = 0; person < qualified; person++)
        for (let n = 0; n < 3; n++)
          events[person * 3 + n] = { name: 'project_created', person, account: person % accountCount, at: timeIn() }
    return { number: step + 1, endsAt, events }
  })
}
