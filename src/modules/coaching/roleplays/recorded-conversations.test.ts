import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { scoreRecordedConversations } from './recorded-conversations.fixture.ts'

const count = 100

test('enablement-4-1 recorded conversations are answered and scored the same, byte for byte, also by another process', async () => {
  const fixture = new URL('./recorded-conversations.fixture.ts', import.meta.url)
  const script = `import { scoreRecordedConversations } from '${fixture}'
    process.stdout.write(JSON.stringify(scoreRecordedConversations(${count})))`

  const [first, second] = [scoreRecordedConversations(count), scoreRecordedConversations(count)]
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    maxBuffer: 64 * 1_048_576,
  })

  assert.deepEqual(second, first)
  assert.equal(stdout, JSON.stringify(first))
  assert.equal(new Set(first).size, count)
  const scores = first.map((text) => JSON.parse(text).scorecard.score)
  assert.ok(new Set(scores).size > 20, 'the conversations are different')
})
