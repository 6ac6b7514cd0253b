import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'

const { app, tenant, client } = await startTestApp()
const paths = ['/', '/login', '/auth/complete', '/reset-password', '/verify-email', '/accept-invite']

test('every page is uncached HTML with a strict Content-Security-Policy', async () => {
  const { anonymous } = await tenant()

  for (const path of paths) {
    const { status, headers, text } = await anonymous.get(path)
    assert.equal(status, 200, path)
    assert.match(headers['content-type'], /^text\/html/)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    const policy = headers['content-security-policy']
    assert.match(policy, /^default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';/)
    assert.match(policy, /script-src 'self'; connect-src 'self'; img-src data:; style-src 'sha256-[\w+/=]+'$/)
    assert.doesNotMatch(text, /<script(?! type="module" src="\/pages\/[a-z-]+\.js"><\/script>)|\son\w+=|style=/)
    assert.match(text, /<p id="problem" role="alert">/)
  }
})

test('HTML in a workspace name is escaped', async () => {
  const name = `<script>alert(1)</script>"><img src=x onerror='alert(2)'> & Co`
  const { anonymous } = await tenant({ name })

  for (const path of paths) {
    const { text } = await anonymous.get(path)
    assert.ok(!text.includes('<script>alert') && !text.includes('<img'), path)
    assert.ok(
      text.includes(
        '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&gt;&lt;img src=x onerror=&#39;alert(2)&#39;&gt; &amp; Co',
      ),
    )
  }
})

test('a page uses the color and the minimum password length of its workspace', async () => {
  const acme = await tenant()
  await acme.admin.patch('/api/admin/settings', {
    branding: { primary_color: '#ffee00' },
    security: { password_min_length: 20 },
  })

  const { text } = await acme.anonymous.get('/reset-password')

  assert.match(text, /--accent: #ffee00; --ink: #000000/)
  assert.match(text, /At least 20 characters/)
})

test('only known scripts are served, with an ETag', async () => {
  const { anonymous } = await tenant()

  const { status, headers, text } = await anonymous.get('/pages/login.js')
  const again = await anonymous.get('/pages/login.js', { 'if-none-match': headers.etag })
  const unknownPaths = ['/pages/nothing.js', '/pages/..%2fpages.test.ts', '/pages/constructor', '/pages/']

  assert.deepEqual([status, again.status], [200, 304])
  assert.match(headers['content-type'], /^text\/javascript/)
  assert.match(text, /^import /)
  for (const path of unknownPaths) assert.equal((await anonymous.get(path)).status, 404, path)
})

test('pages require a workspace host and are not in the OpenAPI document', async () => {
  for (const path of [...paths, '/pages/login.js']) {
    assert.equal((await client({ host: 'tributary.test' }).get(path)).body.code, 'tenant_not_found')
    assert.equal((await client({ host: 'unknown.tributary.test' }).get(path)).body.code, 'tenant_not_found')
  }
  const documented = Object.keys(app.swagger().paths ?? {})

  assert.deepEqual(
    documented.filter((path) => !path.startsWith('/api/') && !/^\/(health|reference)/.test(path)),
    [],
  )
})
