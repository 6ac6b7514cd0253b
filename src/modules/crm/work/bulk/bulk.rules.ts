import { isDeepStrictEqual } from 'node:util'
import { type AppError, invalid } from '#platform/errors'

export type RecordOutcome = {
  id: string
  outcome: 'ok' | 'unchanged' | 'failed'
  code: string | null
  message: string | null
}

/** Field of a request with the ids of its records. */
export type IdsField = 'lead_ids' | 'contact_ids'
type Failure = { code: string; message: string } & Partial<Record<IdsField, string[]>>

export type BulkProgress = { done: number; succeeded: number; unchanged: number; failed: number; failures: Failure[] }

export const noProgress: BulkProgress = { done: 0, succeeded: 0, unchanged: 0, failed: 0, failures: [] }

const maxListedFailures = 1_000

export function addOutcomes(
  progress: BulkProgress,
  outcomes: readonly RecordOutcome[],
  idsField: IdsField,
): BulkProgress {
  const failures = progress.failures.map((failure) => ({ ...failure, [idsField]: [...(failure[idsField] ?? [])] }))
  const next: BulkProgress = { ...progress, failures, done: progress.done + outcomes.length }
  for (const { id, outcome, code, message } of outcomes) {
    if (outcome === 'ok') next.succeeded++
    else if (outcome === 'unchanged') next.unchanged++
    else if (++next.failed <= maxListedFailures) listFailure(next.failures, idsField, id, code ?? '', message ?? '')
  }
  return next
}

function listFailure(failures: Failure[], idsField: IdsField, id: string, code: string, message: string): void {
  const group = failures.find((failure) => failure.code === code && failure.message === message)
  if (group) group[idsField]!.push(id)
  else failures.push({ code, message, [idsField]: [id] })
}

/** Values of fields as in the request of an update; of custom fields only the changed ones. */
export type FormerValues = Readonly<Record<string, unknown>>

export function formerValuesOf(fields: readonly string[], former: FormerValues, current: FormerValues): FormerValues {
  const changed = fields.filter((field) => !isDeepStrictEqual(former[field], current[field]))
  return Object.fromEntries(
    changed.map((field) => [
      field,
      field === 'custom' ? formerCustomValues(former.custom, current.custom) : former[field],
    ]),
  )
}

function formerCustomValues(before: unknown, after: unknown): FormerValues {
  const [former, current] = [before, after].map((values) => (values ?? {}) as Record<string, unknown>)
  const keys = [...new Set([...Object.keys(former!), ...Object.keys(current!)])]
  const changed = keys.filter((key) => !isDeepStrictEqual(former![key], current![key]))
  return Object.fromEntries(changed.map((key) => [key, former![key] ?? null]))
}

export const requiredParam = (field: string, message = `\`${field}\` is required.`): AppError =>
  invalid('body', `/${field}`, 'required', message)
