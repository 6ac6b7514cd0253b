import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFilesApp } from '../../src/platform/files/files.fixture.ts'
import { hostileFiles } from '../../src/platform/files/formats/hostile-files.fixture.ts'
import { sampleFiles } from '../../src/platform/files/formats/sample-files.fixture.ts'
import { startBrowser } from '../reference/browser.ts'

const { acme, port, upload, fileUrl, services } = await startFilesApp({ APP_DOMAIN: 'localhost', APP_SCHEME: 'http' })
const browser = await startBrowser()
const viewer = await browser.newPage()
let downloads = 0
viewer.on('download', () => {
  downloads += 1
})
const stored = [
  ...sampleFiles.map(([filename, content]) => ({
    description: filename,
    filename,
    content,
    declaredType: 'text/html',
  })),
  ...hostileFiles.filter(({ storedAs }) => storedAs),
]

async function urlOf(file: (typeof stored)[number]): Promise<string> {
  const { status, body } = await upload(file)
  assert.equal(status, 201, file.description)
  const ticket = services.files.tickets.issue({ tenantId: acme.id, fileId: body.id, userId: null })
  return `http://${acme.host}:${port}${fileUrl(body.id, `?ticket=${ticket}`)}`
}

test('the browser of this test runs scripts', async () => {
  const page = await browser.newPage()
  await page.setContent('<script>document.title = "executed"</script>')

  assert.equal(await page.title(), 'executed')
  await page.close()
})

for (const file of stored)
  test(`a browser downloads or shows without running it: ${file.description}`, async () => {
    downloads = 0

    const response = await viewer.goto(await urlOf(file)).catch((error: Error) => {
      assert.match(error.message, /Download is starting|ERR_ABORTED/)
    })

    if (response) {
      assert.match(response.headers()['content-disposition']!, /^inline/)
      assert.notEqual(await viewer.title(), 'executed')
      assert.equal(await viewer.evaluate('document.scripts.length'), 0)
    } else {
      for (let tries = 0; downloads === 0 && tries < 100; tries++) await viewer.waitForTimeout(50)
      assert.equal(downloads, 1)
    }
  })

test('a browser does not run stored files as scripts or styles of a page', async () => {
  const page = await browser.newPage()
  for (const file of stored.filter(({ description }) => /JPEG|PDF|text|a\.(txt|csv|md|gif)/.test(description))) {
    const url = await urlOf(file)
    const outcome = await page.evaluate(`new Promise((resolve) => {
      const script = document.createElement('script')
      Object.assign(script, { src: '${url}', onload: () => resolve('loaded'), onerror: () => resolve('blocked') })
      document.head.append(script)
    })`)
    assert.deepEqual([file.description, outcome], [file.description, 'blocked'])
  }
  assert.notEqual(await page.title(), 'executed')
  await page.close()
})
