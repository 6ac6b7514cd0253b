import { conflict, invalid } from '#platform/errors'

export const statuses = ['new', 'contacted', 'working', 'nurturing', 'qualified', 'unqualified', 'converted'] as const
export type Status = (typeof statuses)[number]
export const settableStatuses = ['new', 'contacted', 'working', 'nurturing', 'qualified', 'unqualified'] as const

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

/** Where people may lead a lead from each status. Nothing returns to new, and only converting converts. */
const steps: Record<Status, readonly Status[]> = {
  new: ['contacted', 'working', 'nurturing', 'qualified', 'unqualified'],
  contacted: ['working', 'nurturing', 'qualified', 'unqualified'],
  working: ['contacted', 'nurturing', 'qualified', 'unqualified'],
  nurturing: ['contacted', 'working', 'qualified', 'unqualified'],
  qualified: ['working', 'nurturing', 'unqualified'],
  unqualified: ['working', 'nurturing'],
  converted: [],
}

export const nextStatuses = (from: string): readonly Status[] => steps[from as Status]

export function assertStatusStep(from: string, to: string): void {
  const allowed = nextStatuses(from)
  if (allowed.includes(to as Status)) return
  const hint = allowed.length ? `It can become ${allowed.join(', ')}.` : 'It has reached its end.'
  throw conflict('invalid_transition', `A lead that is ${from} cannot become ${to}. ${hint}`, { from, to, allowed })
}

/** Why a lead is given up must be said, and is said of no other. */
export function assertReason(status: string, reason: string | null | undefined): void {
  if (status === 'unqualified' && !reason)
    throw invalid('body', '/disqualify_reason', 'required', 'Say why the lead is given up.')
  if (status !== 'unqualified' && reason)
    throw invalid('body', '/disqualify_reason', 'unexpected', 'Only a lead that is unqualified has a reason for it.')
}

/** A converted lead is history: only what people note about it still changes. */
export function assertNotConverted({ status }: { status: string }, fields: readonly string[]): void {
  const fixed = fields.filter((field) => field !== 'notes' && field !== 'tags')
  if (status === 'converted' && fixed.length)
    throw conflict('lead_converted', 'This lead was converted. Change its contact and account instead.')
}
