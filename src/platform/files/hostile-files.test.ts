import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFilesApp } from './files.fixture.ts'
import { hostileFiles } from './formats/hostile-files.fixture.ts'

const { call, upload, fileUrl, rows, storedKeys } = await startFilesApp()

/** Types that browsers show without running scripts in them. */
const passiveTypes = /^(application\/pdf|image\/(png|jpeg|gif|webp)|video\/(mp4|webm)|audio\/(mpeg|mp4|wav|ogg))$/

test('the corpus has at least 60 files with different descriptions', (t) => {
  const descriptions = new Set(hostileFiles.map(({ description }) => description))

  t.diagnostic(`${hostileFiles.length} hostile files`)
  assert.ok(descriptions.size >= 60 && descriptions.size === hostileFiles.length)
})

for (const { description, storedAs, code, ...file } of hostileFiles)
  test(`${storedAs ? 'stored safely' : 'rejected'}: ${description}`, async () => {
    const before = [await rows(), await storedKeys()]

    const { status, body } = await upload(file)

    if (!storedAs) {
      assert.deepEqual([status, body.code], [415, code ?? 'unsupported_media_type'], JSON.stringify(body))
      assert.deepEqual([await rows(), await storedKeys()], before)
      return
    }
    assert.deepEqual([status, body.media_type], [201, storedAs], JSON.stringify(body))
    assert.ok(Buffer.byteLength(body.filename) <= 180)
    assert.doesNotMatch(body.filename, /[/\\<>\p{C}]|^\./u)
    const { headers } = await call('GET', fileUrl(body.id), { accept: 'text/html' })
    const isInline = headers['content-disposition']!.startsWith('inline')
    assert.equal(headers['content-type']!.split(';')[0], storedAs)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.match(String(headers['content-security-policy']), /^default-src 'none';/)
    if (isInline) assert.match(storedAs, passiveTypes)
  })
