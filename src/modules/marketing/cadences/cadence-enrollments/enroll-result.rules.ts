import { type SkipCode, skipMessages } from './eligibility.rules.ts'
import type { EnrolledPersons } from './enrollments.schemas.ts'

/** `code` says why a person was not enrolled. */
export type EnrollOutcome = { id: string; code: SkipCode | null }

export type EnrollCounts = { enrolled: number; skipped_by_code: Partial<Record<SkipCode, number>> }

/** The result of a task is limited to 64 KiB. */
const maxListed = 500

export function countOutcomes(outcomes: readonly EnrollOutcome[], before?: EnrollCounts): EnrollCounts {
  const skipped_by_code = { ...before?.skipped_by_code }
  let enrolled = before?.enrolled ?? 0
  for (const { code } of outcomes)
    if (code) skipped_by_code[code] = (skipped_by_code[code] ?? 0) + 1
    else enrolled += 1
  return { enrolled, skipped_by_code }
}

export const addSkipped = (listed: readonly EnrollOutcome[], outcomes: readonly EnrollOutcome[]): EnrollOutcome[] =>
  [...listed, ...outcomes.filter(({ code }) => code !== null)].slice(0, maxListed)

export const toEnrolledPersons = (
  { enrolled, skipped_by_code }: EnrollCounts,
  listed: readonly EnrollOutcome[],
): EnrolledPersons => ({
  enrolled,
  skipped: Object.values(skipped_by_code).reduce((sum, count) => sum + count, 0),
  skipped_by_code: skipped_by_code as Record<SkipCode, number>,
  results: listed.map(({ id, code }) => ({ id, outcome: code ? 'skipped' : 'enrolled', code })),
})

export const skipMessageOf = (code: SkipCode): string => skipMessages[code]
