import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { startTestApp } from '#testing'

const { app, tenant, client } = await startTestApp({ SAFE_FETCH_ALLOW_PRIVATE: 'true' })
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const logoFiles: Record<string, Buffer> = {
  '/logo.png': png,
  '/logo.svg': Buffer.from('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
  '/page.png': Buffer.from('<!doctype html><script>alert(1)</script>'),
  '/large.png': Buffer.concat([png, Buffer.alloc(300 * 1024)]),
}
let logoRequests = 0
const logoServer = createServer(({ url }, response) => {
  logoRequests++
  const file = logoFiles[url!]
  response.writeHead(file ? 200 : 404, { 'content-type': 'text/html' }).end(file)
}).listen(0, '127.0.0.1')
await once(logoServer, 'listening')
after(() => logoServer.close())
const { port: logoPort } = logoServer.address() as AddressInfo
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
    assert.match(
      policy,
      /script-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; style-src 'self' 'sha256-[\w+/=]+'$/,
    )
    assert.doesNotMatch(text, /<script(?! type="module" src="\/pages\/[a-z-]+\.js"><\/script>)|\son\w+=|style=/)
    assert.match(text, /<div class="note bad" id="problem" role="alert" hidden>/)
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

  assert.match(text, /:root\{--brand:#[0-9a-f]{6};--brand-hover:#[0-9a-f]{6};--on-brand:#15161c/)
  assert.match(text, /At least 20 characters/)
})

test('the sign-in page lists the enabled providers without a script, in the language of the browser', async () => {
  const [acme, closed] = [await tenant(), await tenant()]
  await acme.sql(
    `insert into identity.tenant_settings (tenant_id, section, doc) values ($1, 'sso',
       '{"okta": {"enabled": true, "issuer": "https://acme.okta.example", "client_id": "x"}}')`,
    [acme.id],
  )
  await acme.admin.patch('/api/admin/settings', { signup: { policy: 'open' } })

  const open = await acme.anonymous.get('/login', { 'accept-language': 'fr-CA' })
  const other = await closed.anonymous.get('/login', { 'accept-language': 'pt' })

  assert.match(open.text, /<html lang="fr"/)
  assert.match(open.text, /href="\/api\/auth\/sso\/okta\?return_to=%2F"><svg.*Continuer avec Okta<\/a>/s)
  assert.match(open.text, /data-show="sign-up" disabled>S’inscrire</)
  assert.match(other.text, /Peça um convite a um administrador/)
  assert.doesNotMatch(other.text, /data-provider|id="sign-up"/)
})

test('the logo is served by our host, as an image that cannot run scripts', async () => {
  const acme = await tenant()
  const setLogo = (path: string | null) =>
    acme.sql(
      `insert into identity.tenant_settings (tenant_id, section, doc) values ($1, 'branding', $2)
       on conflict (tenant_id, section) do update set doc = excluded.doc`,
      [acme.id, JSON.stringify({ logo_url: path && `http://127.0.0.1:${logoPort}${path}` })],
    )
  const statusOf = async (path: string | null) => {
    await setLogo(path)
    return (await acme.anonymous.get('/branding/logo')).status
  }

  await setLogo('/logo.png')
  const page = await acme.anonymous.get('/login')
  const source = /<span class="logo"><img src="([^"]+)" alt="([^"]+)">/.exec(page.text)
  const logo = await acme.anonymous.get(source![1]!)
  await acme.anonymous.get('/branding/logo')
  const requestsOfTwo = logoRequests
  await setLogo('/logo.svg')
  const svg = await acme.anonymous.get('/branding/logo')

  assert.equal(source![2], acme.name)
  assert.deepEqual([logo.status, logo.headers['content-type'], requestsOfTwo], [200, 'image/png', 1])
  assert.equal(svg.headers['content-type'], 'image/svg+xml')
  assert.match(svg.headers['content-security-policy'], /default-src 'none'.*sandbox/)
  for (const path of ['/page.png', '/large.png', '/missing.png', null])
    assert.equal(await statusOf(path), 404, `${path}`)
  assert.doesNotMatch((await acme.anonymous.get('/login')).text, /<img/)
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
