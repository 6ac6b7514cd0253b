// Plays random histories of persons in cadences against a model; `npm run outreach` plays more of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { runHistories } from './run-histories.ts'

const { OUTREACH_HISTORIES: requested = '2000', OUTREACH_SEED: firstSeed = '1' } = process.env
const [groups, ticks] = [400, 8]
const workspaces = Math.ceil(Number(requested) / groups)
const sum = { changes: 0, emails: 0 }
const app = await startTestApp({}, { isOwn: true })

for (let index = 0; index < workspaces; index++) {
  const seed = Number(firstSeed) + index
  // A restore takes as long as a hundred histories.
  const hasRestores = seed % 5 === 2
  test(`${groups} histories with the seed ${seed} break no promise`, { timeout: 600_000 }, async (t) => {
    const { violations, log, emails, changes } = await runHistories(app, { seed, groups, ticks, hasRestores })

    assert.deepEqual(violations.slice(0, 5), [], log.join('\n').slice(0, 20_000))
    t.diagnostic(`seed ${seed}: ${changes} changes, ${emails} emails`)
    sum.changes += changes
    sum.emails += emails
  })
}

test('the histories have a change each and an email for every four', () => {
  const played = workspaces * groups
  // The number of emails depends on the hour and the weekday at which the histories begin.
  const isEnough = sum.changes >= played && sum.emails >= played / 4
  assert.ok(isEnough, `${played} histories: ${JSON.stringify(sum)}`)
})
