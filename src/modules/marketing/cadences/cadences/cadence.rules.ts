import type { UserActor } from '#platform/access'
import { canAccess } from '#platform/access'
import { isTimeZone } from '#platform/calendar'
import { conflict, invalid, invalidTransition, roleRequired } from '#platform/errors'
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
    throw invalidTransition(`A cadence cannot change from ${from} to ${to}.`, { from, to, allowed })
  if (to === 'archived' && !mayDelete(actor, cadence))
    throw roleRequired('Only managers and the owner of the cadence can archive it.')
}

export const mayDelete = (actor: UserActor, cadence: CadenceRow): boolean =>
  canAccess(actor, 'cadences.delete', cadence)

export function assertNotArchived({ status }: Pick<CadenceRow, 'status'>): void {
  if (status === 'archived')
    throw conflict('cadence_archived', 'An archived cadence cannot be changed. Create a new one.')
}

type Times = { window?: RunWindow; timezone?: string | null }

export function assertTimes({ window, timezone }: Times): void {
  if (window && window.end <= window.start)
    throw invalid('body', '/window/end', 'order', '`end` must be after `start`.')
  if (timezone && !isTimeZone(timezone))
    throw invalid('body', '/timezone', 'timezone', '`timezone` must be the name of an IANA time zone.')
}

export type Readiness = {
  steps: number
  hasInvalidTemplate: boolean
  from_address: string | null
  postal_address: string | null
}

const settingsRemedy = 'An admin sets it in the workspace settings (`PATCH /api/admin/settings`).'
const remedies = {
  no_steps: 'It has no steps. Add one (`PUT …/steps`).',
  invalid_template: 'A template of its steps is not valid. Send the steps again to see what is wrong (`PUT …/steps`).',
  no_from_address: `The sender address \`crm.sending.from_address\` is not set. ${settingsRemedy}`,
  no_postal_address: `The postal address \`crm.sending.postal_address\` is not set. ${settingsRemedy}`,
}

export const missingForActivation = (readiness: Readiness) =>
  (Object.keys(remedies) as (keyof typeof remedies)[]).filter((reason) => isMissing(reason, readiness))

/** Throws with the codes and the remedies of everything that a cadence lacks to become active. */
export function assertCanActivate(readiness: Readiness): void {
  const reasons = missingForActivation(readiness)
  if (!reasons.length) return
  const message = ['The cadence cannot be activated yet.', ...reasons.map((reason) => remedies[reason])].join(' ')
  throw conflict('not_ready', message, { reasons })
}

function isMissing(reason: keyof typeof remedies, readiness: Readiness): boolean {
  if (reason === 'no_steps') return readiness.steps === 0
  if (reason === 'invalid_template') return readiness.hasInvalidTemplate
  return reason === 'no_from_address' ? !readiness.from_address : !readiness.postal_address
}
