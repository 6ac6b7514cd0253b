import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { password } from '#testing'
import { findProblems } from './check-page.ts'
import { phone, startWeb } from './web-pages.ts'

const { tenant, openSignedIn } = await startWeb()

const showsToast = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor()

test('a key is created by keyboard after the password, works, and stops working when it is revoked', async () => {
  const acme = await tenant()
  const { page, errors, origin } = await openSignedIn(acme, acme.member, { path: '/settings/api-keys' })
  const read = (key: string) =>
    page.evaluate(async (value) => {
      const response = await fetch('/api/leads/', { headers: { authorization: `Bearer ${value}` } })
      return response.status
    }, key)
  await acme.sql(
    `update identity.sessions set authenticated_at = authenticated_at - interval '1 hour' where tenant_id = $1 and user_id = $2`,
    [acme.id, acme.member.userId],
  )
  await page.getByText('You have no API keys').waitFor()

  await page.keyboard.press('c')
  await page.getByRole('dialog', { name: 'Create API key' }).waitFor()
  await page.keyboard.type('Website form')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await page.getByRole('checkbox', { name: 'Read Leads' }).press('Space')
  await page.getByRole('checkbox', { name: 'Write Leads' }).press('Space')
  const problems = await findProblems(page.getByRole('dialog'))
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor()
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  const created = page.getByRole('dialog', { name: 'Copy your new key now' })
  const key = (await created.locator('pre').first().textContent())!
  const call = (await created.locator('pre').last().textContent())!
  problems.push(...(await findProblems(created)))
  await page.keyboard.press('Escape')
  await created.getByRole('button', { name: 'I have stored the key' }).press('Enter')
  const row = page.getByRole('listitem').filter({ hasText: 'Website form' })
  const shown = await row.textContent()
  const usable = await read(key)
  await row.getByRole('button', { name: 'Revoke Website form' }).press('Enter')
  const question = page.getByRole('dialog')
  problems.push(...(await findProblems(question)))
  await question.getByRole('button', { name: 'Revoke', exact: true }).press('Enter')
  await showsToast(page, 'Website form was revoked')
  await row.getByText('Revoked').waitFor()
  problems.push(...(await findProblems(page.getByRole('status').filter({ hasText: 'was revoked' }))))

  assert.equal(usable, 200)
  assert.equal(await read(key), 401)
  assert.match(call, new RegExp(`^curl ${origin}/api/auth/me`))
  assert.match(shown!, /Active.*2 permissions.*Expires/)
  assert.doesNotMatch(shown!, new RegExp(key))
  assert.deepEqual(problems, [])
  assert.deepEqual(errors, [])
})

test('a viewer creates a read-only key on a phone', async () => {
  const acme = await tenant()
  const { page, errors } = await openSignedIn(acme, acme.viewer, { ...phone, path: '/settings/api-keys' })

  await page.getByRole('button', { name: 'Create API key' }).tap()
  await page.getByLabel('Name', { exact: true }).fill('Dashboard')
  await page.getByLabel('Expires').selectOption('Never')
  const problems = await findProblems(page.getByRole('dialog'))
  await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).tap()
  const created = page.getByRole('dialog', { name: 'Copy your new key now' })
  await created.waitFor()
  problems.push(...(await findProblems(created)))
  await page.getByRole('button', { name: 'I have stored the key' }).tap()
  await page.getByText('Read only · Never expires').waitFor()
  const { body } = await acme.viewer.get('/api/api-keys')

  assert.partialDeepStrictEqual(body.items, [{ name: 'Dashboard', preset: 'read_only', expires_at: null }])
  assert.deepEqual(problems, [])
  assert.deepEqual(errors, [])
})

test('a key needs a permission and an expiry that the workspace allows', async () => {
  const acme = await tenant()
  await acme.admin.patch('/api/admin/settings', { security: { api_key_max_days: 40 } })
  const { page } = await openSignedIn(acme, acme.member, { path: '/settings/api-keys' })

  await page.getByRole('button', { name: 'Create API key' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Nightly job')
  await page.getByRole('radio', { name: /^Chosen permissions/ }).check()
  await page.getByLabel('Name', { exact: true }).press('Enter')
  await page.getByText('Select at least one permission.').waitFor()
  await page.getByRole('radio', { name: /^Read only/ }).check()
  await page.getByLabel('Name', { exact: true }).press('Enter')
  await page.getByText('must be within 40 days').waitFor()
  await page.getByLabel('Expires').selectOption('In 30 days')
  await page.getByLabel('Name', { exact: true }).press('Enter')

  await page.getByRole('dialog', { name: 'Copy your new key now' }).waitFor()
})
