import { isManagerOrAdmin, type UserActor } from '#platform/access'
import { invalid, invalidTransition, roleRequired } from '#platform/errors'
import { emailStatuses, isStricterStatus } from './consent.rules.ts'
import type { ConsentUpdate } from './consent.schemas.ts'

type Transition = { from: string; to: string }

/** A stricter status is always allowed; a less strict one requires a role or a proof of consent. */
export function assertEmailTransition({ role }: UserActor, { from, to }: Transition, update: ConsentUpdate): void {
  if (from === to || isStricterStatus(to, from)) return
  if (from === 'bounced' && !isManagerOrAdmin(role))
    throw roleRequired('Only managers and admins may reset the status of an email address that bounced.')
  if (from === 'bounced') return
  if (to !== 'subscribed')
    throw invalidTransition(`The email status cannot change from ${from} to ${to}.`, {
      from,
      to,
      allowed: emailStatuses.filter((status) => status === 'subscribed' || isStricterStatus(status, from)),
    })
  if (from === 'complained' && role !== 'admin')
    throw roleRequired('Only admins may subscribe an email address after a complaint.')
  assertProof(update)
}

export function assertCallTransition({ from, to }: Transition, update: ConsentUpdate): void {
  if (from === 'do_not_call' && to === 'allowed') assertProof(update)
}

function assertProof({ basis, evidence }: ConsentUpdate): void {
  if (basis !== 'consent')
    throw invalid('body', '/basis', 'consent_required', '`basis` must be `consent` after an opt-out.')
  if (!evidence) throw invalid('body', '/evidence', 'required', '`evidence` is required after an opt-out.')
}
