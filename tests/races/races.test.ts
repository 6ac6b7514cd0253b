// Every race a few times; `npm run races` runs each of them 5,000 times.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { runRace } from './race.ts'
import { races } from './races.ts'

const runs = Number(process.env.RACE_RUNS ?? 20)
const only = process.env.RACE_NAME ?? ''
const world = await startTestApp()

for (const race of races.filter(({ name }) => name.includes(only)))
  test(`${race.name} leaves everything in order`, { timeout: 3_600_000 }, async (t) => {
    const outcome = await runRace(race, world, runs)

    const ends = Object.entries(outcome.ends).map(([end, times]) => `${end} ${times}`)
    const busy = outcome.busy ? `, told ${outcome.busy} times to try again` : ''
    t.diagnostic(
      `${race.name}: ${outcome.runs} runs, ${outcome.violations.length} violations (${ends.join(', ')})${busy}`,
    )
    assert.deepEqual(outcome.violations, [])
  })
