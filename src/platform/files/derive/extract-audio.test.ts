import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { newId } from '#platform/ids'
import { openBlobStore, storageKey } from '#platform/storage'
import { canExtractAudio, extractAudio } from './extract-audio.ts'

const folder = await mkdtemp(join(tmpdir(), 'audio-'))
// Programs run as another user.
await chmod(folder, 0o755)
const path = process.env.PATH
after(async () => {
  process.env.PATH = path
  await rm(folder, { recursive: true, force: true })
})
const storage = await openBlobStore({ STORAGE_URL: `file://${folder}/blobs`, S3_REGION: '' })
const tenantId = newId()
const maxBytes = 1_000

async function createSource(media_type: string, size = 20) {
  const source = { id: newId(), media_type, size_bytes: size, storage_area: 'files' as const }
  await storage.put(storageKey(tenantId, 'files', source.id), Buffer.alloc(size, 'a'))
  return source
}

async function install(script: string): Promise<void> {
  await writeFile(join(folder, 'ffmpeg'), `#!/bin/sh\n${script}\n`)
  await chmod(join(folder, 'ffmpeg'), 0o755)
  process.env.PATH = `${folder}:${path}`
}

test('ffmpeg converts a recording to mono Opus', async () => {
  await install('echo "$@"')

  const audio = await extractAudio(storage, tenantId, await createSource('video/mp4'), maxBytes)

  assert.ok(typeof audio === 'object')
  assert.equal(audio.mediaType, 'audio/ogg')
  assert.match(audio.bytes.toString(), /-i \S+ -vn -ac 1 -c:a libopus .*-f ogg pipe:1/)
})

test('a damaged recording and one with too much sound fail', async () => {
  const source = await createSource('audio/wav')

  await install('exit 1')
  assert.equal(await extractAudio(storage, tenantId, source, maxBytes), 'failed')
  await install('head -c 1001 /dev/zero')
  assert.equal(await extractAudio(storage, tenantId, source, maxBytes), 'failed')
  await install('exit 0')
  assert.equal(await extractAudio(storage, tenantId, source, maxBytes), 'failed')
})

test('without ffmpeg small audio files are used as they are, and others not at all', async () => {
  process.env.PATH = join(folder, 'blobs')
  const [small, large, video] = [
    await createSource('audio/mpeg'),
    await createSource('audio/mpeg', maxBytes + 1),
    await createSource('video/mp4'),
  ]

  const audio = await extractAudio(storage, tenantId, small, maxBytes)

  assert.deepEqual(audio, { bytes: Buffer.alloc(20, 'a'), mediaType: 'audio/mpeg' })
  for (const source of [large, video]) {
    assert.equal(await extractAudio(storage, tenantId, source, maxBytes), 'missing')
    assert.equal(await canExtractAudio(source, maxBytes), false)
  }
  assert.equal(await canExtractAudio(small, maxBytes), true)
})
