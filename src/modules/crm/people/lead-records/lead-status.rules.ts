import { conflict, invalid, invalidTransition } from '#platform/errors'

export const leadStatuses = [
  'new',
  'contacted',
  'working',
  'nurturing',
  'qualified',
  'unqualified',
  'converted',
] as const
export type LeadStatus = (typeof leadStatuses)[number]
export const settableLeadStatuses = ['new', 'contacted', 'working', 'nurturing', 'qualified', 'unqualified'] as const

export const disqualifyReasons = [
  'bad_fit',
  'no_budget',
  'no_authority',
  'no_need',
  'bad_timing',
  'competitor',
  'duplicate',
  'invalid_contact',
  'other',
] as const

/** Allowed manual transitions. `converted` is set by a conversion only. */
const transitions: Record<LeadStatus, readonly LeadStatus[]> = {
  new: ['contacted', 'working', 'nurturing', 'qualified', 'unqualified'],
  contacted: ['working', 'nurturing', 'qualified', 'unqualified'],
  working: ['contacted', 'nurturing', 'qualified', 'unqualified'],
  nurturing: ['contacted', 'working', 'qualified', 'unqualified'],
  qualified: ['working', 'nurturing', 'unqualified'],
  unqualified: ['working', 'nurturing'],
  converted: [],
}

export const allowedNextStatuses = (from: string): readonly LeadStatus[] => transitions[from as LeadStatus]

export function assertLeadStatusTransition(from: string, to: string): void {
  const allowed = allowedNextStatuses(from)
  if (allowed.includes(to as LeadStatus)) return
  throw invalidTransition(`The status cannot change from ${from} to ${to}.`, { from, to, allowed })
}

export function assertDisqualifyReason(status: string, reason: string | null | undefined): void {
  if (status === 'unqualified' && !reason)
    throw invalid(
      'body',
      '/disqualify_reason',
      'required',
      '`disqualify_reason` is required with status `unqualified`.',
    )
  if (status !== 'unqualified' && reason)
    throw invalid(
      'body',
      '/disqualify_reason',
      'unexpected',
      '`disqualify_reason` is only allowed with status `unqualified`.',
    )
}

export function assertNotConverted({ status }: { status: string }, fields: readonly string[]): void {
  const lockedFields = fields.filter((field) => field !== 'notes' && field !== 'tags')
  if (status === 'converted' && lockedFields.length)
    throw conflict('lead_converted', 'This lead was converted. Update its contact and account instead.')
}
