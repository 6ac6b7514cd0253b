import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { password, waitUntil } from '#testing'
import { signIn, visibleField } from '../pages/browser-pages.ts'
import { findProblems } from './check-page.ts'
import { phone, startWeb, waitForShell } from './web-pages.ts'

const { tenant, openSignedIn, openBrowser, readEmailedLink } = await startWeb()
type Workspace = Awaited<ReturnType<typeof tenant>>
const newPassword = 'nine quiet lighthouses'

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const panelOf = (page: Page, name: string) => page.getByRole('region', { name })
const showsToast = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor()

async function acceptInvitation(page: Page, email: string): Promise<void> {
  await visibleField(page, 'New password').focus()
  await page.keyboard.type(newPassword)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Sign in' }).focus()
  await page.keyboard.press('Enter')
  await signIn(page, email, newPassword)
  await waitForShell(page)
}

/** Makes all sign-ins of the admin too old for actions that need a recent one. */
const makeSignInOld = ({ id, admin, sql }: Workspace) =>
  sql(
    `update identity.sessions set authenticated_at = authenticated_at - interval '1 hour' where tenant_id = $1 and user_id = $2`,
    [id, admin.userId],
  )

test('an admin invites a person by keyboard, who accepts by the emailed link and signs in', async () => {
  const acme = await tenant()
  await acme.admin.post('/api/teams/', { name: 'Engines' })
  const { page, errors } = await openSignedIn(acme, acme.admin, { path: '/people' })
  await rowOf(page, acme.admin.name).waitFor()

  await page.keyboard.press('c')
  await page.getByRole('dialog', { name: 'Invite a person' }).waitFor()
  await page.keyboard.type('katherine@example.com')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Katherine Johnson')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await showsToast(page, 'Invitation sent to katherine@example.com')
  const row = await rowOf(page, 'Katherine Johnson').textContent()
  const invited = await openBrowser()
  const accepted = await invited.open(await readEmailedLink('katherine@example.com'))
  await acceptInvitation(accepted, 'katherine@example.com')
  await accepted.getByText('Katherine Johnson').first().waitFor()

  assert.match(row!, /Viewer.*Invited.*Engines/)
  assert.deepEqual([...errors, ...invited.errors], [])
})

test('a person is invited on a phone and signs in on a phone', async () => {
  const acme = await tenant()
  const { page, errors } = await openSignedIn(acme, acme.admin, { ...phone })

  await page.getByRole('button', { name: 'Menu' }).tap()
  await page.getByRole('button', { name: 'Workspace' }).tap()
  await page.getByRole('link', { name: 'People' }).tap()
  await page.getByRole('button', { name: 'Invite person' }).tap()
  await page.getByLabel('Email address').fill('mary@example.com')
  await page.getByLabel('Name', { exact: true }).fill('Mary Jackson')
  await page.getByRole('button', { name: 'Send invitation' }).tap()
  await showsToast(page, 'Invitation sent to mary@example.com')
  const problems = await findProblems(page.getByRole('status').filter({ hasText: 'mary@example.com' }))
  const invited = await openBrowser(phone)
  const accepted = await invited.open(await readEmailedLink('mary@example.com'))
  await acceptInvitation(accepted, 'mary@example.com')

  assert.deepEqual(problems, [])
  assert.deepEqual([...errors, ...invited.errors], [])
})

test('an address that is already used leads to the person who has it', async () => {
  const acme = await tenant()
  const { page } = await openSignedIn(acme, acme.admin, { path: '/people' })

  await page.getByRole('button', { name: 'Invite person' }).click()
  await page.getByLabel('Email address').fill(acme.member.email)
  await page.getByLabel('Name', { exact: true }).fill('Again')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').filter({ hasText: 'already exists' }).waitFor()
  const problems = await findProblems(page.getByRole('dialog'))
  await page.getByRole('button', { name: 'Open this person' }).click()

  await panelOf(page, acme.member.name).getByRole('heading', { name: acme.member.name }).waitFor()
  assert.deepEqual(problems, [])
})

test('an admin sets the quota and the manager of a person, who then sees the quota', async () => {
  const acme = await tenant()
  const seller = await openSignedIn(acme, acme.member, { path: '/deals' })
  await seller.page.getByText('You have no quota. Ask an admin to set it.').waitFor()
  const { page, errors } = await openSignedIn(acme, acme.admin, { path: `/deals?owner=${acme.member.userId}` })

  await page.getByRole('link', { name: 'Set it in People' }).focus()
  await page.keyboard.press('Enter')
  const panel = panelOf(page, acme.member.name)
  await panel.getByRole('button', { name: 'Edit Quota per quarter' }).press('Enter')
  await page.keyboard.type('50000')
  await page.keyboard.press('Enter')
  await panel.getByRole('button', { name: /^Edit Quota per quarter: .*50,000$/ }).waitFor()
  await panel.getByRole('button', { name: 'Edit Manager' }).press('Enter')
  await page.keyboard.type(acme.manager.name)
  await page.getByRole('option', { name: acme.manager.name, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await panel.getByRole('button', { name: `Edit Manager: ${acme.manager.name}` }).waitFor()
  await waitUntil(async () => (await acme.admin.get(`/api/users/${acme.member.userId}`)).body.manager !== null)
  const { body } = await acme.admin.get(`/api/users/${acme.member.userId}`)
  assert.deepEqual([body.quarterly_quota.amount, body.manager.id], ['50000.00', acme.manager.userId])

  await seller.page.reload()
  await seller.page.getByText('50,000').first().waitFor()
  assert.deepEqual([...errors, ...seller.errors], [])
})

test('a role change asks for the password of an old sign-in and then continues', async () => {
  const acme = await tenant()
  const { page, errors } = await openSignedIn(acme, acme.admin, { path: `/people?open=${acme.member.userId}` })
  await makeSignInOld(acme)
  await panelOf(page, acme.member.name).getByRole('button', { name: 'Change role' }).waitFor()

  await page.keyboard.press('r')
  await page.getByRole('radio', { name: /^Member/, checked: true }).waitFor()
  await page.keyboard.press('ArrowDown')
  const problems = await findProblems(page.getByRole('dialog'))
  await page.keyboard.press('Enter')
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await question.waitFor()
  problems.push(...(await findProblems(question)))
  await page.keyboard.type('not the password')
  await page.keyboard.press('Enter')
  await question.getByText('The password is incorrect.').waitFor()
  await question.getByLabel('Password of').fill(password)
  await page.keyboard.press('Enter')
  await showsToast(page, `${acme.member.name} is now Manager`)
  const { body } = await acme.admin.get(`/api/users/${acme.member.userId}`)

  assert.equal(body.role, 'manager')
  assert.equal(await page.getByRole('dialog').count(), 0)
  assert.deepEqual(problems, [])
  assert.deepEqual(errors, [])
})

test('a role change that the user does not confirm changes nothing', async () => {
  const acme = await tenant()
  const { page } = await openSignedIn(acme, acme.admin, { path: `/people?open=${acme.viewer.userId}` })
  await makeSignInOld(acme)

  await page.getByRole('button', { name: 'Change role' }).click()
  await page.getByRole('radio', { name: /^Admin/ }).check()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('alert').filter({ hasText: 'Confirm your password first.' }).waitFor()
  const { body } = await acme.admin.get(`/api/users/${acme.viewer.userId}`)

  assert.equal(body.role, 'viewer')
})

test('a user without a password confirms at the provider', async () => {
  const acme = await tenant()
  const { page } = await openSignedIn(acme, acme.admin)
  await acme.sql(
    `with settings as (
       insert into identity.tenant_settings (tenant_id, section, doc) values ($1, 'sso',
         '{"okta": {"enabled": true, "issuer": "https://acme.okta.example", "client_id": "x"}}')
     ), identity as (
       insert into identity.user_identities (tenant_id, id, user_id, provider, issuer, subject, email)
       values ($1, gen_random_uuid(), $2, 'okta', 'https://acme.okta.example', 'admin', 'admin@okta.example')
     )
     update identity.user_credentials set password_hash = null where tenant_id = $1 and user_id = $2`,
    [acme.id, acme.admin.userId],
  )
  await makeSignInOld(acme)
  const path = `/people?open=${acme.viewer.userId}`
  await page.goto(new URL(path, page.url()).href)

  await page.getByRole('button', { name: 'Change role' }).click()
  await page.getByRole('radio', { name: /^Member/ }).check()
  await page.keyboard.press('Enter')
  const provider = page.getByRole('dialog').getByRole('link', { name: 'Continue with Okta' })
  await provider.waitFor()
  const problems = await findProblems(page.getByRole('dialog', { name: 'Confirm that it is you' }))

  assert.equal(
    await provider.getAttribute('href'),
    `/api/auth/sso/okta?prompt=login&return_to=${encodeURIComponent(path)}`,
  )
  assert.deepEqual(problems, [])
})

test('a deactivated person cannot sign in, and a new owner gets the records', async () => {
  const acme = await tenant()
  for (const name of ['Ada', 'Grace', 'Edith'])
    await acme.member.post('/api/leads/', { last_name: name, owner_id: acme.member.userId })
  const { page, errors } = await openSignedIn(acme, acme.admin, { path: `/people?open=${acme.member.userId}` })
  const panel = panelOf(page, acme.member.name)

  await panel.getByText('Leads').waitFor()
  await panel.getByRole('button', { name: 'Deactivate' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await page
    .getByRole('dialog', { name: `Deactivate ${acme.member.name}` })
    .getByText('They own 3 leads.')
    .waitFor()
  const problems = await findProblems(dialog)
  await page.getByRole('option', { name: acme.manager.email }).waitFor({ state: 'attached' })
  await page.keyboard.type(acme.manager.name)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText(`3 records belong to ${acme.manager.name} now.`).waitFor()
  problems.push(...(await findProblems(dialog)))
  await page.getByRole('button', { name: 'Close', exact: true }).last().focus()
  await page.keyboard.press('Enter')
  await panel.getByText('Cannot sign in').waitFor()
  const { body } = await acme.manager.get('/api/leads/?owner_id=me')
  await panel.getByRole('button', { name: 'Reactivate' }).focus()
  await page.keyboard.press('Enter')
  await showsToast(page, `${acme.member.name} can sign in again`)
  await panel.getByRole('button', { name: 'Deactivate' }).waitFor()

  assert.equal(body.items.length, 3)
  assert.deepEqual(problems, [])
  assert.deepEqual(errors, [])
})

test('an invitation is sent again and revoked', async () => {
  const acme = await tenant()
  const { body: person } = await acme.admin.post('/api/users/', {
    email: 'dorothy@example.com',
    name: 'Dorothy Vaughan',
  })
  await readEmailedLink('dorothy@example.com')
  const { page } = await openSignedIn(acme, acme.admin, { path: `/people?status=invited&open=${person.id}` })

  await page.getByRole('button', { name: 'Resend invitation' }).click()
  await showsToast(page, 'Sent again to dorothy@example.com')
  const link = await readEmailedLink('dorothy@example.com', 2)
  await page.getByRole('button', { name: 'Revoke invitation' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke invitation' }).click()
  await showsToast(page, 'The invitation of Dorothy Vaughan was revoked')
  await page.getByText('No person matches').waitFor()
  const { open } = await openBrowser()
  const refused = await open(link)

  await refused.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor()
})
