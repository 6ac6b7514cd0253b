import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendEach } from './send-each.ts'

test('requests of records are sent a few at a time, and a failure does not keep the others back', async () => {
  const records = Array.from({ length: 10 }, (_, at) => at)
  let [running, most] = [0, 0]
  const reason = new Error('taken')

  const { done, failed } = await sendEach(records, async (record) => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    if (record === 3) throw reason
  })

  assert.equal(most, 4)
  assert.deepEqual(done.toSorted(), [0, 1, 2, 4, 5, 6, 7, 8, 9])
  assert.deepEqual(failed, [{ record: 3, error: reason }])
})
