import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCanaries } from './canary-run.ts'
import { createCanaryWorkspace, createReaders } from './canary-workspace.ts'
import { fields } from './fields.ts'
import { readerNames } from './readers.ts'
import { createPracticeRecords } from './records/practice.ts'
import { api } from './ways/api.ts'

const canary = await createCanaryWorkspace()
const ways = [api]

test('no way out of the system shows a field to a reader who may not see it', async (t) => {
  await createPracticeRecords(canary)
  const readers = await createReaders(canary)

  const { leaks, unseen, empty, checks } = await runCanaries(canary, ways, {
    readers,
    isShort: process.env.CANARY !== 'full',
  })

  t.diagnostic(
    `${ways.length} ways, ${Object.keys(fields).length} fields, ${readerNames.length} readers, ${checks} checks`,
  )
  assert.deepEqual(leaks, [])
  assert.deepEqual({ unseen, empty }, { unseen: [], empty: [] })
})
