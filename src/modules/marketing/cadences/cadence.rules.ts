import type { UserActor } from '#platform/access'
import { canAccess } from '#platform/access'
import { isTimeZone } from '#platform/calendar'
import { conflict, invalid, roleRequired } from '#platform/errors'
import type { CadenceRow, CadenceStatus, ExitOn, RunWindow } from '../cadence-records/cadences.queries.ts'

export const defaultWindow: RunWindow = { days: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' }
export const defaultExitOn: ExitOn = { reply: true, meeting: true, bounce: true }

const transitions: Record<CadenceStatus, readonly CadenceStatus[]> = {
  draft: ['active', 'archived'],
  active: ['paused', 'archived'],
  paused: ['active', 'archived'],
  archived: [],
}

export function assertStatusChange(actor: UserActor, cadence: CadenceRow, to: CadenceStatus): void {
  const { status: from } = cadence
  const allowed = transitions[from]
  if (!allowed.includes(to))
    throw conflict('invalid_transition', `A cadence cannot change from ${from} to ${to}.`, { from, to, allowed })
  if (to === 'archived' && !mayDelete(actor, cadence))
    throw roleRequired('Only managers and the owner of the cadence can archive it.')
}

export const mayDelete = (actor: UserActor, cadence: CadenceRow): boolean =>
  canAccess(actor, 'cadences.delete', cadence)

export function assertNotArchived({ status }: Pick<CadenceRow, 'status'>): void {
  if (status === 'archived') throw conflict('cadence_archived', 'An archived cadence cannot be changed.')
}

type Times = { window?: RunWindow; timezone?: string | null }

export function assertTimes({ window, timezone }: Times): void {
  if (window && window.end <= window.start)
    throw invalid('body', '/window/end', 'order', '`end` must be after `start`.')
  if (timezone && !isTimeZone(timezone))
    throw invalid('body', '/timezone', 'timezone', '`timezone` must be the name of an IANA time zone.')
}

type Readiness = {
  steps: number
  hasInvalidTemplate: boolean
  from_address: string | null
  postal_address: string | null
}

/** Lists what a cadence lacks to become active. */
export const missingForActivation = (readiness: Readiness): string[] => [
  ...(readiness.steps ? [] : ['no_steps']),
  ...(readiness.hasInvalidTemplate ? ['invalid_template'] : []),
  ...(readiness.from_address ? [] : ['no_from_address']),
  ...(readiness.postal_address ? [] : ['no_postal_address']),
]
