import { conflict } from '#platform/errors'

export const maxSteps = 100

export function assertStepLimit(steps: number): void {
  if (steps >= maxSteps)
    throw conflict('limit_reached', `A plan can have at most ${maxSteps} steps. Delete a step first.`)
}

/** Null if no step counts. */
export function progressRateOf(steps: readonly { status: string }[]): number | null {
  const counted = steps.filter(({ status }) => status !== 'cancelled')
  if (!counted.length) return null
  const done = counted.filter(({ status }) => status === 'done').length
  return Math.round((done / counted.length) * 10_000) / 10_000
}

/** Returns the ids in their new order. */
export function moveId(ids: readonly string[], id: string, position: number): string[] {
  const others = ids.filter((other) => other !== id)
  return [...others.slice(0, position), id, ...others.slice(position)]
}

type Completion = { completed_at: Date | null; completed_by: string | null }

export function completionOf(status: string | undefined, by: string | null, now: Date): Partial<Completion> {
  if (status === undefined) return {}
  return status === 'done' ? { completed_at: now, completed_by: by } : { completed_at: null, completed_by: null }
}
