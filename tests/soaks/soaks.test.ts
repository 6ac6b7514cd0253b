// Soaks with few records; `npm run soak` runs them with as many as people have.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { soaks } from './soaks.ts'

const { SOAK_NAME: only = '', SOAK_SIZE: asked } = process.env
const isShort = asked === undefined
const world = await startTestApp()

for (const soak of soaks.filter(({ name }) => name.includes(only))) {
  const size = isShort ? soak.few : Number(asked) || soak.many
  if (size === undefined) continue
  test(`${soak.name} leaves everything in order`, { timeout: 3_600_000 }, async (t) => {
    const tell = (line: string) => t.diagnostic(`${soak.name}: ${line}`)
    const violations = await soak.run(world, { size, isShort, tell })

    assert.deepEqual(violations.slice(0, 10), [])
  })
}
