// Runs every race a few times; `npm run races` runs each 5,000 times and `npm run nightly` 100 times.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { countRuns, runRace } from './race.ts'
import { races } from './races.ts'

const runs = Number(process.env.RACE_RUNS ?? 3)
const nameFilter = process.env.RACE_NAME ?? ''
const app = await startTestApp()

for (const race of races.filter(({ name }) => name.includes(nameFilter)))
  test(`${race.name} leaves the data consistent`, { timeout: 3_600_000 }, async (t) => {
    const summary = await runRace(race, app, countRuns(race, runs))

    const outcomes = Object.entries(summary.outcomes).map(([outcome, count]) => `${outcome} ${count}`)
    const retries = summary.retries ? `, ${summary.retries} retries` : ''
    t.diagnostic(
      `${race.name}: ${summary.runs} runs, ${summary.violations.length} violations (${outcomes.join(', ')})${retries}`,
    )
    assert.deepEqual(summary.violations, [])
  })
