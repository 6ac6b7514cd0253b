import type { Scope } from '#platform/access'
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

export function moveId(ids: readonly string[], id: string, position: number): string[] {
  const others = ids.filter((other) => other !== id)
  return [...others.slice(0, position), id, ...others.slice(position)]
}

type CompletedStep = { completed_by: string | null }

/** A visitor who gave no name is stored by the email address, which only callers who may read contacts see. */
export const toShownStep = <S extends CompletedStep>(step: S, scopes: ReadonlySet<Scope>): S =>
  step.completed_by?.includes('@') && !scopes.has('contacts.read') ? { ...step, completed_by: null } : step

type Completion = { completed_at: Date | null; completed_by: string | null }

export function completionOf(status: string | undefined, by: string | null, now: Date): Partial<Completion> {
  if (status === undefined) return {}
  return status === 'done' ? { completed_at: now, completed_by: by } : { completed_at: null, completed_by: null }
}
