// PITCH_VIDEO_MIB sets the size; `npm run large-video` uses 1,023 MiB, just below the limit.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { test } from 'node:test'
import { startTestApp, waitForValue, waitUntil } from '#testing'
import { startFilesProcess } from '../../../platform/files/files-process.fixture.ts'
import { mp4 } from '../../../platform/files/formats/sample-files.fixture.ts'
import { createPractice, submissionUrl } from '../pitches.fixture.ts'

const MiB = 1_048_576
const mebibytes = Number(process.env.PITCH_VIDEO_MIB ?? 64)
const { tenant, services, startTestWorker } = await startTestApp({}, { isOwn: true })
await startTestWorker()
const { port, measureMemory } = await startFilesProcess(services.config)
const acme = await tenant()
const headers = { host: acme.host, authorization: `Bearer ${acme.member.accessToken}` }
const chunk = Buffer.alloc(MiB, 'abcdefgh')
const boxHeader = Buffer.alloc(16)
boxHeader.writeUInt32BE(1, 0)
boxHeader.write('mdat', 4)
boxHeader.writeBigUInt64BE(BigInt(mebibytes * MiB + 16), 8)
const head = Buffer.concat([mp4, boxHeader])
const formHead = Buffer.from('--x\r\nContent-Disposition: form-data; name="video"; filename="a.mp4"\r\n\r\n')

async function respond(sent: ReturnType<typeof request>): Promise<IncomingMessage> {
  const [response] = await once(sent, 'response')
  return response as IncomingMessage
}

const startUpload = (id: string) =>
  request({
    port,
    method: 'POST',
    path: `${submissionUrl(id)}/upload`,
    headers: { ...headers, 'content-type': 'multipart/form-data; boundary=x' },
  })

async function writeChunks(sent: ReturnType<typeof request>, count: number): Promise<void> {
  for (let written = 0; written < count; written++) if (!sent.write(chunk)) await once(sent, 'drain')
}

/** Files of the storage, also those that are still being received. Reads again if a folder is removed while it is read. */
async function countStored(): Promise<number> {
  const read = () => readdir(new URL(services.config.STORAGE_URL!), { recursive: true, withFileTypes: true })
  const entries = await waitForValue(
    () => read().catch(() => undefined),
    (found) => found !== undefined,
  )
  return entries!.filter((entry) => entry.isFile()).length
}

test(`a video of ${mebibytes} MiB is uploaded and played in ranges without being held in memory`, async (t) => {
  const practice = await createPractice(acme.member)
  const [before, startedAt] = [await measureMemory(), performance.now()]

  const sent = startUpload(practice.id)
  sent.write(Buffer.concat([formHead, head]))
  await writeChunks(sent, mebibytes)
  sent.end('\r\n--x--\r\n')
  const uploaded = await respond(sent)
  const body = JSON.parse((await uploaded.toArray()).join(''))
  assert.equal(uploaded.statusCode, 201, JSON.stringify(body))
  const uploadedAt = performance.now()
  const size = head.length + mebibytes * MiB
  const hash = createHash('sha256')
  for (let start = 0; start < size; start += 100 * MiB) {
    const range = `bytes=${start}-${Math.min(start + 100 * MiB, size) - 1}`
    const part = request({ port, path: body.video.stream_url, headers: { host: acme.host, range } })
    part.end()
    const response = await respond(part)
    assert.equal(response.statusCode, 206)
    for await (const bytes of response) hash.update(bytes)
  }
  const [after, playedAt] = [await measureMemory(), performance.now()]
  const removed = await acme.member.delete(practice.url)
  const removedAt = performance.now()
  await waitUntil(async () => (await countStored()) === 0)

  const seconds = [uploadedAt - startedAt, playedAt - uploadedAt, performance.now() - removedAt].map((ms) =>
    (ms / 1_000).toFixed(1),
  )
  t.diagnostic(
    `upload ${seconds[0]} s, download ${seconds[1]} s, deleted after ${seconds[2]} s; memory ${before.current} MiB before, peak ${after.peak} MiB`,
  )
  const expected = createHash('sha256').update(head)
  for (let written = 0; written < mebibytes; written++) expected.update(chunk)
  assert.deepEqual([body.video.size_bytes, removed.status], [size, 204])
  assert.equal(hash.digest('hex'), expected.digest('hex'))
  assert.ok(after.peak - before.current < 100)
})

test('a client that is gone half-way leaves nothing', async () => {
  const practice = await createPractice(acme.member)
  const sent = startUpload(practice.id)
  sent.on('error', () => {})
  sent.write(Buffer.concat([formHead, head]))
  await writeChunks(sent, Math.floor(mebibytes / 2))
  await waitUntil(async () => (await countStored()) === 1)

  sent.destroy()
  await waitUntil(async () => (await countStored()) === 0)

  const { body } = await acme.member.get(practice.url)
  assert.deepEqual([body.status, body.has_video, body.video], ['draft', false, null])
  const { rowCount } = await acme.sql('select from platform.files where tenant_id = $1', [acme.id])
  assert.equal(rowCount, 0)
})
