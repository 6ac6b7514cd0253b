import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { password } from '#testing'
import { findProblems } from './check-page.ts'
import { insertSampleData } from './settings-pages.ts'
import { phone, startWeb } from './web-pages.ts'

const { tenant, openSignedIn } = await startWeb()

const showsToast = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor()

test('an admin changes the workspace by keyboard and sees the new name and color at once', async () => {
  const acme = await tenant()
  const { page, errors } = await openSignedIn(acme, acme.admin, { path: '/settings/workspace' })

  const name = page.getByLabel('Name of the workspace')
  await name.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Acme Engines')
  await page.getByLabel('Week starts on').selectOption('Sunday')
  await name.focus()
  await page.keyboard.press('Enter')
  await showsToast(page, 'Saved.')
  await page.getByRole('navigation', { name: 'Main' }).getByText('Acme Engines').waitFor()
  await page.getByLabel('Primary color', { exact: true }).fill('#0A8F5B')
  await page.keyboard.press('Enter')
  await page.locator('html[style*="--accent"]').waitFor()
  assert.equal(await page.getByText('together with a change by another user').count(), 0)
  const readColors = () =>
    page.evaluate(
      `['--selected', '--accent-text'].map((name) => document.documentElement.style.getPropertyValue(name))`,
    )
  const light = await readColors()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html[data-theme=dark]').waitFor()
  const dark = await readColors()
  assert.ok(
    (light as string[]).every((color, at) => color && color !== (dark as string[])[at]),
    `${light} ${dark}`,
  )
  const { body } = await acme.admin.get('/api/admin/settings')

  assert.partialDeepStrictEqual(body, {
    general: { name: 'Acme Engines', week_starts_on: 'sunday' },
    branding: { primary_color: '#0a8f5b' },
  })
  assert.deepEqual(await findProblems(page), [])
  assert.deepEqual(errors, [])
})

test('settings that two admins change at the same time are merged or compared', async () => {
  const acme = await tenant()
  const { page } = await openSignedIn(acme, acme.admin, { path: '/settings/workspace' })
  const name = page.getByLabel('Name of the workspace')
  await name.waitFor()

  await acme.admin.patch('/api/admin/settings', { general: { timezone: 'Europe/Berlin' } })
  await name.fill('Mine')
  await page.keyboard.press('Enter')
  await showsToast(page, 'together with a change by another user')
  const zone = await page.getByLabel('Time zone').inputValue()
  await acme.admin.patch('/api/admin/settings', { general: { name: 'Theirs' } })
  await name.fill('Mine again')
  await page.keyboard.press('Enter')
  const conflict = page.getByRole('alert').filter({ hasText: 'Theirs theirs' })
  await conflict.waitFor()
  const problems = await findProblems(conflict)
  await page.getByRole('button', { name: 'Take theirs' }).click()
  await page.locator('[name=name][value=Theirs]').waitFor()
  const { body } = await acme.admin.get('/api/admin/settings')

  assert.equal(zone, 'Europe/Berlin')
  assert.partialDeepStrictEqual(body.general, { name: 'Theirs', timezone: 'Europe/Berlin' })
  assert.deepEqual(problems, [])
})

test('a viewer reads the workspace settings and has no sample data', async () => {
  const acme = await tenant()
  const { page, errors } = await openSignedIn(acme, acme.viewer, { path: '/settings/workspace' })

  await page.getByText('Only admins can change these settings.').waitFor()
  const controls = await page.locator('main').locator('button, input, select, textarea').count()
  const hasLink = await page.getByRole('link', { name: 'Sample data' }).count()
  await page.goto(new URL('/settings/sample-data', page.url()).href)
  await page.getByText('You cannot see Sample data').waitFor()

  assert.deepEqual([controls, hasLink], [0, 0])
  assert.deepEqual(errors, [])
})

test('an admin signs out all users after a dialog that says how many', async () => {
  const acme = await tenant()
  const { page, errors } = await openSignedIn(acme, acme.admin, { path: '/settings/workspace' })

  await page.getByText('4 people are signed in, including you.').waitFor()
  const open = page.getByRole('button', { name: 'Sign out all users' })
  await open.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Sign out all users' })
  await dialog.getByText('3 people are signed out in all browsers').waitFor()
  const problems = await findProblems(dialog)
  await dialog.getByRole('button', { name: 'Sign out all users' }).click()
  await showsToast(page, '3 people were signed out')
  await page.getByText('Only you are signed in.').waitFor()

  assert.equal((await acme.member.get('/api/auth/me')).status, 401)
  assert.deepEqual(problems, [])
  assert.deepEqual(errors, [])
})

test('a user changes the profile and the password and stays signed in', async () => {
  const acme = await tenant()
  const { page, errors } = await openSignedIn(acme, acme.member, { path: '/settings/profile' })
  const newPassword = 'twelve orange kayaks'

  await page.getByLabel('Name', { exact: true }).fill('Hedy Lamarr')
  await page.getByLabel('Language').selectOption('fr')
  await page.getByLabel('Name', { exact: true }).press('Enter')
  await showsToast(page, 'Saved.')
  await page.getByRole('navigation', { name: 'Main' }).getByText('Hedy Lamarr').waitFor()
  await page.getByLabel('Current password').fill('wrong')
  await page.getByLabel('New password').fill(newPassword)
  await page.keyboard.press('Enter')
  await page.getByText('The current password is incorrect.').waitFor()
  const problems = await findProblems(page.locator('form').filter({ hasText: 'Current password' }))
  await page.getByLabel('Current password').fill(password)
  await page.keyboard.press('Enter')
  await showsToast(page, 'The password was changed.')
  await page.reload()
  await page.getByRole('navigation', { name: 'Main' }).getByText('Hedy Lamarr').waitFor()
  const login = await acme.anonymous.post('/api/auth/login', { email: acme.member.email, password: newPassword })

  assert.equal(login.status, 200)
  assert.deepEqual(problems, [])
  assert.deepEqual(errors, [])
})

test('another session is signed out, and its tab asks for the password and continues', async () => {
  const acme = await tenant()
  const other = await openSignedIn(acme, acme.member, { path: '/settings/profile', withPassword: true })
  await other.page.getByLabel('Title').fill('Inventor')
  const { page, errors } = await openSignedIn(acme, acme.member, { path: '/settings/sign-ins', withPassword: true })

  await page.getByText('This browser').waitFor()
  await page.getByRole('button', { name: 'Sign out Chrome on Linux' }).first().focus()
  await page.keyboard.press('Enter')
  await showsToast(page, 'Chrome on Linux was signed out')
  await other.page.getByLabel('Title').press('Enter')
  const dialog = other.page.getByRole('dialog', { name: 'Sign in to continue' })
  await dialog.waitFor()
  const problems = await findProblems(dialog)
  await dialog.getByLabel('Password of').fill('wrong')
  await other.page.keyboard.press('Enter')
  await dialog.getByText('The password is not correct.').waitFor()
  await dialog.getByLabel('Password of').fill(password)
  await other.page.keyboard.press('Enter')
  await showsToast(other.page, 'Saved.')
  const { body } = await acme.member.get('/api/auth/me')
  await page.getByRole('button', { name: 'Sign out all others' }).click()
  await page.getByText('You are signed in nowhere else.').waitFor()

  assert.equal(body.title, 'Inventor')
  assert.deepEqual(problems, [])
  assert.deepEqual(errors, [])
})

test('the appearance is kept in the browser', async () => {
  const acme = await tenant()
  const { page, errors } = await openSignedIn(acme, acme.viewer, { path: '/settings/appearance' })

  await page.getByRole('radio', { name: 'Dark' }).check()
  await page.getByRole('radio', { name: 'Compact' }).check()
  await page.getByRole('checkbox', { name: 'Single-letter shortcuts' }).uncheck()
  await page.reload()
  await page.getByRole('radio', { name: 'Dark', checked: true }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('p')
  const { theme, density } = (await page.evaluate('({ ...document.documentElement.dataset })')) as Record<
    string,
    string
  >

  assert.deepEqual([theme, density], ['dark', 'compact'])
  assert.equal(new URL(page.url()).pathname, '/settings/appearance')
  assert.deepEqual(errors, [])
})

test('the sections are beside their list, which is a page of its own on a phone', async () => {
  const acme = await tenant()
  const { page, errors } = await openSignedIn(acme, acme.admin, { path: '/settings' })
  const small = await openSignedIn(acme, acme.admin, { ...phone, path: '/settings' })

  for (const section of ['Workspace', 'Sample data', 'Profile', 'Sign-ins', 'API keys', 'Appearance']) {
    await page.getByRole('link', { name: section }).click()
    await page.getByRole('heading', { name: section, level: 2 }).last().waitFor()
    await small.page.getByRole('link', { name: section }).tap()
    await small.page.getByRole('heading', { name: section, level: 2 }).first().waitFor()
    await small.page.getByRole('link', { name: 'Settings' }).tap()
  }
  await small.page.getByRole('link', { name: 'Appearance' }).waitFor()

  assert.deepEqual([...errors, ...small.errors], [])
})

test('loaded sample data is shown and removed', async () => {
  const acme = await tenant()
  const { body: lead } = await acme.admin.post('/api/leads/', { last_name: 'Sample' })
  await insertSampleData(acme, lead)
  const { page, errors } = await openSignedIn(acme, acme.admin, { path: '/settings/sample-data' })

  await page.getByRole('heading', { name: 'Sample data is loaded' }).waitFor()
  await page.getByRole('button', { name: 'Remove sample data' }).press('Enter')
  const problems = await findProblems(page.getByRole('dialog'))
  await page.getByRole('dialog').getByRole('button', { name: 'Remove sample data' }).press('Enter')
  await page.getByText('Deleted: 1. Kept: 0.').waitFor()
  await page.getByText('No sample data is loaded').waitFor()

  assert.deepEqual(problems, [])
  assert.deepEqual(errors, [])
})

// The last test, because the worker loads until the end of the file.
test('the progress of loading sample data is still shown after a reload', async () => {
  const acme = await tenant()
  const { page, errors } = await openSignedIn(acme, acme.admin, { path: '/settings/sample-data' })

  await page.getByRole('button', { name: 'Load sample data' }).press('Enter')
  await page.getByRole('progressbar', { name: 'Loading sample data' }).waitFor()
  await page.reload()
  const progress = page.getByRole('status').filter({ hasText: /[\d,]+ of [\d,]+$/ })
  await progress.waitFor()

  assert.deepEqual(await findProblems(progress), [])
  assert.deepEqual(errors, [])
})
