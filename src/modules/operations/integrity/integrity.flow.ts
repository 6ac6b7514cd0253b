import { isDatabaseTimeout, raiseStatementTimeout } from '#platform/db'
import { notFound } from '#platform/errors'
import type { IntegrityCheck, IntegrityRun, RecordReference } from '#platform/module'
import type { Log } from '#platform/telemetry'
import {
  type CheckResult,
  mergeResults,
  type RepairResult,
  toCheckResult,
  unfinishedResult,
} from './integrity.rules.ts'
import { recordRepair } from './repair-audit.service.ts'

const maxCounted = 1_000
const repairBatch = 200
const timeoutSeconds = 30

const withTimeout = (run: IntegrityRun): IntegrityRun => ({
  ...run,
  inTenant: (work) =>
    run.inTenant(async (tx) => {
      await raiseStatementTimeout(tx, timeoutSeconds)
      return await work(tx)
    }),
})

/** Runs the checks one after the other. A check that takes too long is skipped, and one that fails does not end the run. */
export async function runIntegrityChecks(
  checks: readonly IntegrityCheck[],
  run: IntegrityRun,
  log: Pick<Log, 'error'>,
): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  for (const check of checks) {
    run.signal.throwIfAborted()
    results.push(await runCheck(check, run, log))
  }
  return mergeResults(results)
}

async function runCheck(check: IntegrityCheck, run: IntegrityRun, log: Pick<Log, 'error'>): Promise<CheckResult> {
  try {
    return toCheckResult(check, await check.find(withTimeout(run), maxCounted + 1), maxCounted)
  } catch (err) {
    if (run.signal.aborted) throw err
    if (isDatabaseTimeout(err)) return unfinishedResult(check, 'skipped')
    log.error({ err, check: check.code }, 'integrity check failed')
    return unfinishedResult(check, 'error')
  }
}

type RepairOptions = { code: string; isDryRun: boolean }

/** Repairs the findings of all checks with this code in batches. A dry run only lists them. */
export async function repairFindings(
  checks: readonly IntegrityCheck[],
  run: IntegrityRun,
  { code, isDryRun }: RepairOptions,
): Promise<RepairResult> {
  const contributors = checks.filter((check) => check.code === code)
  if (!contributors.some(({ repair }) => repair)) throw notFound('repair')
  const result: RepairResult = { found: [], repaired: 0 }
  for (const check of contributors) {
    result.found.push(...(await check.find(withTimeout(run), maxCounted)))
    if (!isDryRun && check.repair) result.repaired += await repairAll(check, run)
  }
  if (result.repaired) await run.inTenant((tx) => recordRepair(tx, code, result))
  return result
}

/** Repairs each record once. It ends when a pass corrects nothing or finds only records that a repair did not correct. */
async function repairAll(check: IntegrityCheck, run: IntegrityRun): Promise<number> {
  const attempted = new Set<string>()
  for (let total = 0; ; ) {
    const found = (await check.find(withTimeout(run), maxCounted)).filter((record) => !attempted.has(keyOf(record)))
    let repaired = 0
    for (let done = 0; done < found.length; done += repairBatch) {
      run.signal.throwIfAborted()
      repaired += await check.repair!(withTimeout(run), found.slice(done, done + repairBatch))
    }
    for (const record of found) attempted.add(keyOf(record))
    total += repaired
    if (!repaired) return total
  }
}

const keyOf = ({ resource_type, id }: RecordReference): string => `${resource_type} ${id}`
