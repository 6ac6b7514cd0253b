// LARGE_FILE_MIB sets the size; `npm run large-file` uses 2,047 MiB.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { test } from 'node:test'
import { partEnd, partHead, startFilesApp } from './files.fixture.ts'
import { startFilesProcess } from './files-process.fixture.ts'
import { mp4 } from './formats/sample-files.fixture.ts'

const MiB = 1_048_576
const mebibytes = Number(process.env.LARGE_FILE_MIB ?? 160)
const { acme, authorization, uploadPath, fileUrl, config } = await startFilesApp()
const { port, measureMemory } = await startFilesProcess(config)
const headers = { host: acme.host, authorization }
const chunk = Buffer.alloc(MiB, 'abcdefgh')
const boxHeader = Buffer.alloc(16)
boxHeader.writeUInt32BE(1, 0)
boxHeader.write('mdat', 4)
boxHeader.writeBigUInt64BE(BigInt(mebibytes * MiB + 16), 8)
const head = Buffer.concat([mp4, boxHeader])

async function respond(sent: ReturnType<typeof request>): Promise<IncomingMessage> {
  const [response] = await once(sent, 'response')
  return response as IncomingMessage
}

async function uploadLarge() {
  const sent = request({
    port,
    method: 'POST',
    path: uploadPath(),
    headers: { ...headers, 'content-type': 'multipart/form-data; boundary=x' },
  })
  const hash = createHash('sha256').update(head)
  sent.write(Buffer.concat([partHead('a.mp4', 'video/mp4'), head]))
  for (let sentMiB = 0; sentMiB < mebibytes; sentMiB += 1) {
    hash.update(chunk)
    if (!sent.write(chunk)) await once(sent, 'drain')
  }
  sent.end(partEnd)
  const response = await respond(sent)
  let text = ''
  for await (const part of response) text += part
  return { status: response.statusCode, body: JSON.parse(text), sha256: hash.digest('hex') }
}

test(`a file of ${mebibytes} MiB is uploaded and downloaded in ranges without being held in memory`, async (t) => {
  const [before, startedAt] = [await measureMemory(), performance.now()]

  const { status, body, sha256 } = await uploadLarge()
  const uploadedAt = performance.now()
  const hash = createHash('sha256')
  const size = head.length + mebibytes * MiB
  for (let start = 0; start < size; start += 100 * MiB) {
    const range = `bytes=${start}-${Math.min(start + 100 * MiB, size) - 1}`
    const sent = request({ port, path: fileUrl(body.id), headers: { ...headers, range } })
    sent.end()
    const response = await respond(sent)
    assert.equal(response.statusCode, 206)
    for await (const part of response) hash.update(part)
  }
  const after = await measureMemory()

  const seconds = [uploadedAt - startedAt, performance.now() - uploadedAt].map((ms) => (ms / 1_000).toFixed(1))
  t.diagnostic(
    `upload ${seconds[0]} s, download ${seconds[1]} s; memory ${before.current} MiB before, peak ${after.peak} MiB`,
  )
  assert.deepEqual([status, body.size_bytes, body.sha256], [201, size, sha256])
  assert.equal(hash.digest('hex'), sha256)
  assert.ok(after.peak - before.current < 100)
})
