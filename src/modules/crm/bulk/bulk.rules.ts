import type { LeadOutcome } from './bulk.schemas.ts'

/** Leads that failed for the same reason, so that a thousand of them can be told in few words. */
type Failure = { code: string; message: string; lead_ids: string[] }

/** How far a task has come. */
export type Reached = { done: number; succeeded: number; unchanged: number; failed: number; failures: Failure[] }

export const untouched: Reached = { done: 0, succeeded: 0, unchanged: 0, failed: 0, failures: [] }

/** Of all failures the first ones are named, and all are counted. */
const mostNamed = 1_000

export function addOutcomes(reached: Reached, outcomes: readonly LeadOutcome[]): Reached {
  const failures = reached.failures.map((failure) => ({ ...failure, lead_ids: [...failure.lead_ids] }))
  const next = { ...reached, failures, done: reached.done + outcomes.length }
  for (const { lead_id, outcome, code, message } of outcomes) {
    if (outcome === 'ok') next.succeeded++
    else if (outcome === 'unchanged') next.unchanged++
    else if (++next.failed <= mostNamed) nameFailure(failures, lead_id, code ?? '', message ?? '')
  }
  return next
}

function nameFailure(failures: Failure[], leadId: string, code: string, message: string): void {
  const known = failures.find((failure) => failure.code === code && failure.message === message)
  if (known) known.lead_ids.push(leadId)
  else failures.push({ code, message, lead_ids: [leadId] })
}
