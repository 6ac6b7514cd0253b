import assert from 'node:assert/strict'
import { test } from 'node:test'
import { password, waitUntil } from '#testing'
import { findAccessibilityProblems } from '../pages/accessibility.ts'
import { signIn } from '../pages/browser-pages.ts'
import { phone, sessionParts, startWeb, waitForFiles, waitForShell } from './web-pages.ts'

const { tenant, openSignedIn, openBrowser, originOf } = await startWeb()

type Workspace = Awaited<ReturnType<typeof tenant>>

const revokeSessions = (acme: Workspace, user: { userId: string }) =>
  acme.sql(
    `update identity.sessions set revoked_at = now(), revoke_reason = 'admin' where tenant_id = $1 and user_id = $2`,
    [acme.id, user.userId],
  )

test('a session that is revoked in the middle of a form loses nothing', async () => {
  const acme = await tenant()
  const { page, context, errors } = await openSignedIn(acme, acme.admin, { path: '/people' })
  await page.getByRole('button', { name: 'Invite' }).first().click()
  const dialog = page.getByRole('dialog', { name: /Invite/ })
  await dialog.getByLabel('Email address').fill('new.colleague@revoked.example')
  await dialog.getByLabel('Name').fill('New Colleague')
  await revokeSessions(acme, acme.admin)
  await waitForFiles(page, sessionParts)
  // As after an upgrade that kept no files of the version before.
  await context.route('**/assets/*', (route) => route.fulfill({ status: 404 }))

  await page.keyboard.press('Enter')
  const signInAgain = page.getByRole('dialog', { name: 'Sign in to continue' })
  await signInAgain.waitFor()
  assert.deepEqual(await findAccessibilityProblems(signInAgain), [])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.keyboard.type('not the password')
  await page.keyboard.press('Enter')
  await signInAgain.getByText('The password is not correct.').waitFor()
  await signInAgain.getByLabel(/Password of/).fill(password)
  await page.keyboard.press('Enter')

  await signInAgain.waitFor({ state: 'detached' })
  await dialog.waitFor({ state: 'detached' })
  const { rows } = await acme.sql('select name from identity.users where tenant_id = $1 and email = $2', [
    acme.id,
    'new.colleague@revoked.example',
  ])
  assert.deepEqual(rows, [{ name: 'New Colleague' }])
  assert.deepEqual(errors, [])
})

test('a user of single sign-on continues after the sign-in in another tab', async () => {
  const acme = await tenant()
  const { page, context, origin } = await openSignedIn(acme, acme.member, { path: '/leads' })
  const { body: me } = await acme.member.get('/api/auth/me')
  await page.route('**/api/auth/me', (route) => route.fulfill({ json: { ...me, auth_methods: ['okta'] } }))
  await page.reload()
  await waitForShell(page)
  await revokeSessions(acme, acme.member)
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  const dialog = page.getByRole('dialog', { name: 'Sign in to continue' })
  await dialog.waitFor()
  assert.equal(await dialog.getByLabel(/Password/).count(), 0)

  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    dialog.getByRole('button', { name: `Sign in as ${acme.member.name}` }).click(),
  ])
  await tab.waitForURL(`${origin}/login`)
  await signIn(tab, acme.member.email, password)
  await waitForShell(tab)

  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Next up' }).waitFor()
})

test('another user who signs in gets a new page', async () => {
  const acme = await tenant()
  const { page, context, origin } = await openSignedIn(acme, acme.member, { path: '/leads' })
  await page.evaluate("sessionStorage.setItem('draft:lead', 'private')")
  const tab = await context.newPage()
  await tab.goto(`${origin}/login`)

  await signIn(tab, acme.viewer.email, password)
  await waitForShell(tab)

  await page.getByText(acme.viewer.name).first().waitFor()
  assert.equal(await page.evaluate("sessionStorage.getItem('draft:lead')"), null)

  await revokeSessions(acme, acme.viewer)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Inbox' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign in to continue' })
  await dialog.getByRole('button', { name: 'Sign in as another user' }).click()
  for (const open of [page, tab]) await open.getByRole('heading', { name: /^Sign in to/ }).waitFor({ timeout: 2_000 })
})

test('a new tab needs no sign-in, tabs refresh once, and tokens are stored nowhere', async () => {
  const acme = await tenant()
  const { page, context, postedPaths, origin, errors } = await openSignedIn(acme, acme.member)
  const texts: string[] = []
  context.on('console', (message) => texts.push(message.text()))
  const refreshes = () => postedPaths.filter((path) => path === '/api/auth/refresh').length
  const before = refreshes()

  const tab = await context.newPage()
  await tab.goto(`${origin}/leads`)
  await waitForShell(tab)
  assert.equal(refreshes(), before)

  await page.close()
  await Promise.all([tab.reload(), context.newPage().then((other) => other.goto(`${origin}/inbox`))])
  for (const open of context.pages()) await waitForShell(open)
  assert.ok(refreshes() - before <= 2, `${refreshes() - before} refreshes`)

  const stored = await tab.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state])',
  )
  for (const text of [String(stored), ...texts]) assert.doesNotMatch(text, /eyJ|refresh/)
  assert.deepEqual(errors, [])
})

test('sign-out in one tab ends the session of all tabs and keeps preferences only', async () => {
  const acme = await tenant()
  const { page, context, origin } = await openSignedIn(acme, acme.member)
  const tab = await context.newPage()
  await tab.goto(`${origin}/leads`)
  await waitForShell(tab)
  await page.evaluate(
    "localStorage.setItem('theme', 'dark'); sessionStorage.setItem('draft:lead', 'private'); sessionStorage.setItem('tasks', '[]')",
  )

  await page.getByRole('button', { name: 'Your account' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Sign out' }).focus()
  await page.keyboard.press('Enter')

  for (const open of [page, tab]) await open.getByRole('heading', { name: /^Sign in to/ }).waitFor()
  assert.deepEqual(await context.cookies(), [])
  const kept = await page.evaluate("JSON.stringify([localStorage.getItem('theme'), { ...sessionStorage }])")
  assert.equal(kept, '["dark",{}]')
})

test('an admin acts as another user until the admin stops', async () => {
  const acme = await tenant()
  const { page, errors } = await openSignedIn(acme, acme.admin, { path: `/people?open=${acme.viewer.userId}` })

  await page.getByRole('button', { name: 'Act as this person' }).click()
  await page.getByLabel('Reason, which the person sees').fill('A list does not open.')
  await page.keyboard.press('Enter')
  const banner = page.getByRole('status').filter({ hasText: `You act as ${acme.viewer.name} until` })
  await banner.waitFor()
  await page.getByRole('navigation', { name: 'Main' }).getByText(acme.viewer.name).waitFor()
  assert.deepEqual(await findAccessibilityProblems(banner), [])
  await page.getByRole('button', { name: 'Stop' }).focus()
  await page.keyboard.press('Enter')

  await page.getByRole('navigation', { name: 'Main' }).getByText(acme.admin.name).waitFor()
  assert.equal(await page.getByText(/You act as/).count(), 0)
  const { rows } = await acme.sql(
    `select revoke_reason from identity.sessions where tenant_id = $1 and user_id = $2 and kind = 'impersonation'`,
    [acme.id, acme.viewer.userId],
  )
  assert.deepEqual(rows, [{ revoke_reason: 'logout' }])
  assert.deepEqual(errors, [])
})

test('a user signs out while acting as another user, and without a connection', async () => {
  const acme = await tenant()
  const { page, context, origin } = await openSignedIn(acme, acme.admin, { path: `/people?open=${acme.viewer.userId}` })
  const signOut = async () => {
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
  }
  const isSignedOut = () => page.getByRole('heading', { name: /^Sign in to/ }).waitFor()
  const countSignOuts = async (kind: string) =>
    (
      await acme.sql(
        `select count(*)::int as ended from identity.sessions where tenant_id = $1 and kind = $2 and revoke_reason = 'logout'`,
        [acme.id, kind],
      )
    ).rows[0].ended
  await page.getByRole('button', { name: 'Act as this person' }).click()
  await page.getByLabel('Reason, which the person sees').fill('A list does not open.')
  await page.keyboard.press('Enter')
  await page.getByRole('status').filter({ hasText: 'You act as' }).waitFor()

  await signOut()
  await isSignedOut()
  assert.deepEqual([await countSignOuts('impersonation'), await countSignOuts('user')], [1, 1])
  await signIn(page, acme.admin.email, password)
  await waitForShell(page)
  await waitForFiles(page, sessionParts)
  await context.setOffline(true)
  await signOut()
  await waitUntil(() => page.url().startsWith('chrome-error:'))
  await context.setOffline(false)
  await page.goto(`${origin}/leads`)

  await isSignedOut()
  assert.equal(await countSignOuts('user'), 2)
  assert.deepEqual(await context.cookies(), [])
})

test('a new version is announced, and a file that is gone offers to reload', async () => {
  const acme = await tenant()
  const { page, context } = await openSignedIn(acme, acme.member, { path: '/leads' })
  const { body: me } = await acme.member.get('/api/auth/me')
  await context.route('**/api/auth/me', (route) =>
    route.fulfill({ json: me, headers: { 'x-app-revision': '0123456789ab' } }),
  )
  for (const file of ['inbox-page', 'create-dialog'])
    await context.route(`**/assets/${file}-*.js`, (route) => route.fulfill({ status: 404 }))

  await page.keyboard.press('c')
  await page.getByText('This could not be loaded.').waitFor()
  await page.getByRole('heading', { name: 'Your queue is empty' }).waitFor()
  await context.unroute('**/assets/create-dialog-*.js')
  await page.keyboard.press('c')
  await page.getByRole('dialog', { name: 'New lead' }).waitFor()
  await page.keyboard.press('Escape')
  await page.evaluate("dispatchEvent(new Event('visibilitychange'))")
  const banner = page.getByRole('status').filter({ hasText: 'A new version is available.' })
  await banner.waitFor()
  assert.deepEqual(await findAccessibilityProblems(banner), [])
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Inbox' }).click()
  await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
  assert.deepEqual(await findAccessibilityProblems(page.getByRole('main')), [])
  await context.unroute('**/assets/inbox-page-*.js')
  await page.getByRole('button', { name: 'Reload' }).last().click()
  await page.getByRole('heading', { name: 'No notifications yet' }).waitFor()
})

test('the page is dark from the start, and an unknown workspace and an unreachable server are explained', async () => {
  const acme = await tenant()
  const { page, context, origin } = await openSignedIn(acme, acme.member, { ...phone, colorScheme: 'dark' })
  await context.route('**/api/auth/refresh', (route) => route.abort())
  const script = Promise.withResolvers<void>()
  await context.route('**/assets/index-*.js', (route) => script.promise.then(() => route.continue()))

  await page.reload({ waitUntil: 'commit' })
  const readBackground = 'document.body && getComputedStyle(document.body).backgroundColor'
  await waitUntil(async () => (await page.evaluate(readBackground)) === 'rgb(11, 12, 15)')
  script.resolve()
  await page.getByText('The server could not be reached. Check your connection.').waitFor()
  assert.deepEqual(await findAccessibilityProblems(page), [])
  await context.unroute('**/api/auth/refresh')
  await page.getByRole('button', { name: 'Try again' }).click()
  await waitForShell(page)

  const { open } = await openBrowser()
  const unknown = await open(origin.replace(acme.slug, 'no-such-workspace'))
  await unknown.getByRole('heading', { name: 'This workspace does not exist' }).waitFor()
  assert.equal(originOf(acme), origin)
})
