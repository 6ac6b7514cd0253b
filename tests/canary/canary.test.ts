// Puts a word into every private or restricted field and reads all ways out of the system with every reader.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCanaries } from './canary-run.ts'
import { createCanaryWorkspace, createReaders } from './canary-workspace.ts'
import { fields } from './fields.ts'
import { readerNames } from './readers.ts'
import { createRecords } from './records/all.ts'
import { api } from './ways/api.ts'
import { archive, exports } from './ways/files.ts'
import { auditLog, home, notifications, search, tasks } from './ways/own.ts'
import { pages, preview } from './ways/pages.ts'
import { deliveries, email, log, webhooks } from './ways/sent.ts'

const ways = [
  api,
  search,
  home,
  notifications,
  email,
  webhooks,
  deliveries,
  exports,
  archive,
  auditLog,
  tasks,
  pages,
  preview,
  log,
]
const canary = await createCanaryWorkspace()

test('no way out of the system shows a field to a reader who may not see it', async (t) => {
  const receivers = await createRecords(canary)
  const readers = await createReaders(canary)
  const isShort = process.env.CANARY !== 'full'

  const { leaks, unseen, empty, checks } = await runCanaries(canary, ways, { readers, receivers, isShort })

  const counts = [ways.length, Object.keys(fields).length, readerNames.length, checks]
  t.diagnostic(['ways', 'fields', 'readers', 'checks'].map((name, index) => `${counts[index]} ${name}`).join(', '))
  assert.deepEqual(leaks, [])
  assert.deepEqual({ unseen, empty }, { unseen: [], empty: [] })
})
