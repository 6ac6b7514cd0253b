import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineTextWork, TextTooComplexError } from './index.ts'
import { failWith, hasRepeatedLetters, repeatText, useMemory, waitMilliseconds } from './text-work.fixture.ts'
import { createThreadPool } from './thread-pool.ts'

const file = new URL('./text-work.fixture.ts', import.meta.url)
const isCheap = (text: string) => text.length < 10
const endless = `${'a'.repeat(50)}!`

test('a short text is processed at once, a long one in a thread', async () => {
  const repeat = defineTextWork({ file, run: repeatText, isCheap })

  assert.deepEqual(await repeat('acme', 'a', 2), ['aaaaaaaaaa', 'aaaaaaaaaa'])
  assert.deepEqual(await repeat('acme', 'abcdefghij', 1), ['abcdefghij'.repeat(10)])
})

test('text work ends at its time limit, and the next text is processed', async () => {
  const work = { file, run: hasRepeatedLetters, isCheap }
  const impatient = defineTextWork({ ...work, timeLimitMs: 50 })
  const patient = defineTextWork({ ...work, timeLimitMs: 60_000 })

  await assert.rejects(impatient('acme', endless), TextTooComplexError)
  assert.equal(await patient('acme', `${'a'.repeat(20)} `), true)
})

test('text work ends at its memory limit', async () => {
  const runInThread = createThreadPool({ maxHeapMb: 16 })

  assert.equal(await runInThread({ file: file.href, name: useMemory.name, args: ['x'] }, 600_000), 'stopped')
  assert.deepEqual(await runInThread({ file: file.href, name: repeatText.name, args: ['a', 0] }, 600_000), {
    result: [],
  })
})

test('an expensive text delays only texts of its workspace', async () => {
  const finished: string[] = []
  const wait = defineTextWork({ file, run: waitMilliseconds, isCheap: () => false, timeLimitMs: 600_000 })
  const note = (name: string) => () => finished.push(name)

  await Promise.all([
    wait('hostile', 2_000).then(note('hostile')),
    wait('hostile', 2_000).then(note('hostile')),
    wait('acme', 0).then(note('acme')),
    wait('other', 0).then(note('other')),
  ])

  assert.equal(finished.at(-1), 'hostile', finished.join())
})

test('an error of the work reaches the caller, and the thread is used again', async () => {
  const fail = defineTextWork({ file, run: failWith, isCheap: () => false })

  await assert.rejects(fail('acme', 'first'), { name: 'RangeError', message: 'first' })
  await assert.rejects(fail('acme', 'second'), { message: 'second' })
})
