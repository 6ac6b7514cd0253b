import type { IntegrityCheck, RecordReference } from '#platform/module'

const maxSamples = 20
const statuses = ['ok', 'found', 'skipped', 'error'] as const
type CheckStatus = (typeof statuses)[number]

export type CheckResult = {
  code: string
  title: string
  severity: 'warning' | 'error'
  status: CheckStatus
  count: number
  count_relation: 'eq' | 'gte'
  samples: RecordReference[]
  hint: string
  repairable: boolean
}

export type RepairResult = { found: RecordReference[]; repaired: number }

const describe = ({ code, title, severity, hint, repair }: IntegrityCheck) => ({
  code,
  title,
  severity,
  hint,
  repairable: repair !== undefined,
})

export const toCheckResult = (check: IntegrityCheck, found: RecordReference[], maxCounted: number): CheckResult => ({
  ...describe(check),
  status: found.length ? 'found' : 'ok',
  count: Math.min(found.length, maxCounted),
  count_relation: found.length > maxCounted ? 'gte' : 'eq',
  samples: found.slice(0, maxSamples),
})

export const unfinishedResult = (check: IntegrityCheck, status: 'skipped' | 'error'): CheckResult => ({
  ...describe(check),
  status,
  count: 0,
  count_relation: 'gte',
  samples: [],
})

/** Several modules can contribute to a code; the result has the most severe status. */
export function mergeResults(results: readonly CheckResult[]): CheckResult[] {
  const byCode = new Map<string, CheckResult>()
  for (const result of results) {
    const merged = byCode.get(result.code)
    byCode.set(result.code, merged ? mergePair(merged, result) : result)
  }
  return [...byCode.values()]
}

const rankOf = ({ status }: CheckResult) => statuses.indexOf(status)

const mergePair = (one: CheckResult, other: CheckResult): CheckResult => ({
  ...one,
  severity: [one, other].some(({ severity }) => severity === 'error') ? 'error' : 'warning',
  status: rankOf(other) > rankOf(one) ? other.status : one.status,
  count: one.count + other.count,
  count_relation: [one, other].some(({ count_relation }) => count_relation === 'gte') ? 'gte' : 'eq',
  samples: [...one.samples, ...other.samples].slice(0, maxSamples),
  repairable: one.repairable || other.repairable,
})

/** Skipped and failed checks are warnings, because nothing is known about the records. */
export function overallStatus(results: readonly CheckResult[]): 'ok' | 'warning' | 'error' {
  const open = results.filter(({ status }) => status !== 'ok')
  if (open.some(({ severity, status }) => status === 'found' && severity === 'error')) return 'error'
  return open.length ? 'warning' : 'ok'
}
