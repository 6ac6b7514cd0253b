import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restoreAll } from './restore-all.ts'

test('records are restored a few at a time, and a failure does not keep the others back', async () => {
  const records = Array.from({ length: 10 }, (_, at) => at)
  let [running, most] = [0, 0]
  const reason = new Error('taken')

  const { restored, failed } = await restoreAll(records, async (record) => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    if (record === 3) throw reason
  })

  assert.equal(most, 4)
  assert.deepEqual(restored.toSorted(), [0, 1, 2, 4, 5, 6, 7, 8, 9])
  assert.deepEqual(failed, [{ record: 3, error: reason }])
})
