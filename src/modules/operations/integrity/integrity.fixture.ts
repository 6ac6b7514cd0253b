import assert from 'node:assert/strict'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import type { IntegrityRun, Services } from '#platform/module'
import { repairFindings, runIntegrityChecks } from './integrity.flow.ts'

export function createIntegrityRunner(services: Services) {
  const checks = services.registry.integrityChecksOf(services)
  const runOf = (tenantId: string): IntegrityRun => ({
    tenantId,
    inTenant: (work) => inTenant(services.db, systemActor(tenantId), work),
    signal: new AbortController().signal,
  })

  const findAll = (tenantId: string) => runIntegrityChecks(checks, runOf(tenantId), services.log)
  const repair = (tenantId: string, code: string, isDryRun = false) =>
    repairFindings(checks, runOf(tenantId), { code, isDryRun })

  async function find(tenantId: string, code: string): Promise<string[]> {
    const contributors = checks.filter((check) => check.code === code)
    assert.ok(contributors.length, `no check ${code}`)
    const results = await runIntegrityChecks(contributors, runOf(tenantId), services.log)
    for (const { status } of results) assert.ok(status === 'ok' || status === 'found', `${code}: ${status}`)
    return results.flatMap(({ samples }) => samples.map(({ id }) => id)).sort()
  }

  /** Expects these findings, that a dry run changes nothing, and that after a repair nothing is found. */
  async function assertRepairs(tenantId: string, code: string, expected: string[]): Promise<void> {
    assert.deepEqual(await find(tenantId, code), expected.toSorted(), code)
    const dryRun = await repair(tenantId, code, true)
    assert.deepEqual([dryRun.found.map(({ id }) => id).sort(), dryRun.repaired], [expected.toSorted(), 0], code)
    assert.deepEqual(await find(tenantId, code), expected.toSorted(), `${code} after a dry run`)
    assert.ok((await repair(tenantId, code)).repaired >= 1, code)
    assert.deepEqual(await find(tenantId, code), [], `${code} after the repair`)
  }
  return { checks, findAll, find, repair, assertRepairs }
}
