import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { createIntegrityRunner } from '../../operations/integrity/integrity.fixture.ts'
import { cadenceActions } from './cadence-runs.fixture.ts'
import { runHistory } from './histories.fixture.ts'

const app = await startTestApp()
/** Two in the build, one of them with a reply between a merge and its undo. */
const count = Number(process.env.CADENCE_HISTORIES ?? 0)
const seeds = count ? Array.from({ length: count }, (_, index) => index + 1) : [1, 25]
const codes = [
  'counter_drift',
  'cadence_enrollment_without_run',
  'cadence_run_without_email',
  'cadence_person_enrolled_twice',
]

test('random changes of persons and enrollments never send to who may not be reached, and no step twice', async () => {
  let total = 0
  for (const seed of seeds) {
    const acme = await app.tenant()
    await cadenceActions(app, acme).setSending({})
    const { violations, log, sent } = await runHistory(app, acme, seed, 40)
    const results = await createIntegrityRunner(app.services).findAll(acme.id)
    const found = results.filter(({ status, code }) => status !== 'ok' && codes.includes(code))

    total += sent
    assert.deepEqual([violations, found], [[], []], `seed ${seed}:\n${log.join('\n')}`)
  }
  assert.ok(total > seeds.length, `${total} emails`)
})
