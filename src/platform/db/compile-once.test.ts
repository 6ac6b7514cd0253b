import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { systemActor } from '#platform/access'
import { newId } from '#platform/ids'
import { startTestDb } from '#testing'
import { compileOnce, inTenant, type TenantTx } from './index.ts'

const { db } = await startTestDb()
const actor = systemActor(newId())

type Input = { text: string | null; numbers: number[]; at: Date }

test('a statement is built once and runs with the values of each call', async () => {
  let builds = 0
  const select = compileOnce((tx: TenantTx, { text, numbers, at }: Input) => {
    builds++
    const values = sql<{ text: string | null; total: number; at: Date; constant: string; again: string | null }>`(
      select ${text}::text as text, (select sum(n)::int from unnest(${numbers}::int[]) as n) as total,
        ${at}::timestamptz as at, ${'constant'}::text as constant, ${text}::text as again)`
    return tx.selectFrom(values.as('row')).selectAll()
  })
  const inputs: Input[] = [
    { text: 'a', numbers: [1, 2], at: new Date('2026-03-01T09:30:00Z') },
    { text: null, numbers: [3], at: new Date('2026-03-02T09:30:00Z') },
    { text: "it's", numbers: [], at: new Date('2026-03-03T09:30:00Z') },
  ]

  const rows = await Promise.all(inputs.map((input) => inTenant(db, actor, (tx) => select(tx, input))))

  assert.equal(builds, 1)
  assert.deepEqual(
    rows.map(([row]) => row),
    inputs.map(({ text, numbers, at }) => ({
      text,
      again: text,
      at,
      constant: 'constant',
      total: numbers.length ? numbers.reduce((sum, n) => sum + n) : null,
    })),
  )
})
