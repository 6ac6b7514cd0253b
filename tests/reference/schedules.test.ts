import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { modules } from '../../src/modules.ts'
import { platformSchedules } from '../../src/schedules.ts'

const { services, systemDb } = await startTestApp()
const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
const section = page.split('\n## ').find((text) => text.startsWith('Schedules\n'))!

test('docs/operations.md lists every schedule', () => {
  const schedules = [
    ...platformSchedules({ systemDb, clock: services.clock, signer: undefined as never }),
    ...modules.flatMap((module) => module.schedules?.(services) ?? []),
  ]
  const listed = [...section.matchAll(/^\| [^|]* \| `([a-z_.]+)`( \*)? +\|/gm)].map(([, name, mark]) =>
    mark ? `${name} per workspace` : name,
  )

  assert.deepEqual(
    listed.sort(),
    schedules.map((schedule) => ('runForTenant' in schedule ? `${schedule.name} per workspace` : schedule.name)).sort(),
  )
})
