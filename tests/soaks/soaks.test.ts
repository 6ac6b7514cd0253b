// Runs soaks with few records; `npm run nightly` uses more and `npm run soak` production-like numbers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import type { Soak } from './soak.ts'
import { soaks } from './soaks.ts'

const { SOAK_NAME: nameFilter = '', SOAK_SIZE: requestedSize = 'test' } = process.env
const isShort = requestedSize === 'test'
const app = await startTestApp()

for (const soak of soaks.filter(({ name }) => name.includes(nameFilter))) {
  const size = Number(requestedSize) || soak.sizes[requestedSize as keyof Soak['sizes']]
  if (size === undefined) continue
  test(`${soak.name} leaves the data consistent`, { timeout: 3_600_000 }, async (t) => {
    const report = (line: string) => t.diagnostic(`${soak.name}: ${line}`)
    const violations = await soak.run(app, { size, isShort, report })

    assert.deepEqual(violations.slice(0, 10), [])
  })
}
