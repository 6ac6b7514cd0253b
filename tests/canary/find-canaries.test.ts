import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { createCanaries } from './canaries.ts'
import { expandContent } from './expand-content.ts'

const canaries = createCanaries()
const word = canaries.word('practice title')
canaries.register('API key', 'k_5Zq-Tx9/w+1')

async function findIn(content: Buffer) {
  const found = new Set<string>()
  for await (const part of expandContent(content)) for (const field of canaries.findIn(part)) found.add(field)
  return [...found]
}

test('a word is found as text, in base64 at any offset, in hexadecimal and percent-encoded', async () => {
  const offsets = ['', 'a', 'ab'].map((before) => Buffer.from(`${before}${word} and more`).toString('base64'))
  const percentEncoded = [...Buffer.from(word)].map((byte) => `%${byte.toString(16)}`).join('')
  const outputs = [`a ${word}.`, word.toUpperCase(), Buffer.from(word).toString('hex'), percentEncoded, ...offsets]

  for (const output of outputs) assert.deepEqual(await findIn(Buffer.from(output)), ['practice title'], output)
  assert.deepEqual(await findIn(Buffer.from('{"key":"k_5Zq-Tx9/w+1"}')), ['API key'])
})

test('a word is found in the entries of a compressed archive', async () => {
  const entries = pack()
  entries.entry({ name: 'rows.ndjson' }, JSON.stringify({ title: word }))
  entries.entry({ name: 'file.gz' }, gzipSync('k_5Zq-Tx9/w+1'))
  entries.finalize()

  assert.deepEqual(await findIn(gzipSync(await buffer(entries))), ['practice title', 'API key'])
})

test('the beginning of a word, which a search repeats, is not found', async () => {
  assert.deepEqual(await findIn(Buffer.from(`No results for ${canaries.beginningOf('practice title')}`)), [])
})
