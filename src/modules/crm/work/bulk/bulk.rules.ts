import { isDeepStrictEqual } from 'node:util'
import { type AppError, invalid } from '#platform/errors'
import { moneyOf } from '#platform/money'
import type { LeadRow } from '../../people/lead-records/leads.queries.ts'
import type { LeadOutcome } from './bulk.schemas.ts'

type Failure = { code: string; message: string; lead_ids: string[] }

export type BulkProgress = { done: number; succeeded: number; unchanged: number; failed: number; failures: Failure[] }

export const noProgress: BulkProgress = { done: 0, succeeded: 0, unchanged: 0, failed: 0, failures: [] }

const maxListedFailures = 1_000

export function addOutcomes(progress: BulkProgress, outcomes: readonly LeadOutcome[]): BulkProgress {
  const failures = progress.failures.map((failure) => ({ ...failure, lead_ids: [...failure.lead_ids] }))
  const next = { ...progress, failures, done: progress.done + outcomes.length }
  for (const { lead_id, outcome, code, message } of outcomes) {
    if (outcome === 'ok') next.succeeded++
    else if (outcome === 'unchanged') next.unchanged++
    else if (++next.failed <= maxListedFailures) listFailure(failures, lead_id, code ?? '', message ?? '')
  }
  return next
}

function listFailure(failures: Failure[], leadId: string, code: string, message: string): void {
  const group = failures.find((failure) => failure.code === code && failure.message === message)
  if (group) group.lead_ids.push(leadId)
  else failures.push({ code, message, lead_ids: [leadId] })
}

/** Values of fields as in the request of an update; of custom fields only the changed ones. */
export type FormerValues = Readonly<Record<string, unknown>>

export function formerValuesOf(fields: readonly string[], before: LeadRow, after: LeadRow): FormerValues {
  const [former, current] = [toFieldValues(before), toFieldValues(after)]
  const changed = fields.filter((field) => !isDeepStrictEqual(former[field], current[field]))
  return Object.fromEntries(
    changed.map((field) => [
      field,
      field === 'custom' ? formerCustomValues(former.custom, current.custom) : former[field],
    ]),
  )
}

const toFieldValues = (lead: LeadRow): Record<string, unknown> => ({
  ...lead,
  annual_revenue: moneyOf(lead.annual_revenue_minor, lead.annual_revenue_currency),
})

function formerCustomValues(before: unknown, after: unknown): FormerValues {
  const [former, current] = [before, after].map((values) => (values ?? {}) as Record<string, unknown>)
  const keys = [...new Set([...Object.keys(former!), ...Object.keys(current!)])]
  const changed = keys.filter((key) => !isDeepStrictEqual(former![key], current![key]))
  return Object.fromEntries(changed.map((key) => [key, former![key] ?? null]))
}

export const requiredParam = (field: string, message = `\`${field}\` is required.`): AppError =>
  invalid('body', `/${field}`, 'required', message)
