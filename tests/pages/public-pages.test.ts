// Opens every state of the pages for people outside of the workspace. `npm run nightly` shows each with all colors, themes and devices.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions } from 'playwright-core'
import { newId } from '#platform/ids'
import { generateSecretToken, hashToken } from '#platform/secrets'
import { isNightly } from '../nightly/is-nightly.ts'
import { findAccessibilityProblems } from './accessibility.ts'
import { type OpenPage, signIn, startPages, visibleField } from './browser-pages.ts'
import { assertFits, assertReadable } from './readable.ts'
import { saveScreenshot } from './screenshots.ts'

const app = await startPages()
const { originOf, openBrowser, readEmailedLink } = app

type Workspace = Awaited<ReturnType<typeof app.tenant>>

async function createWorkspace(name: string, color: string): Promise<Workspace> {
  const workspace = await app.tenant({ name })
  await workspace.admin.patch('/api/admin/settings', { branding: { primary_color: color } })
  return workspace
}

async function configureProvider(workspace: Workspace, isEnforced: boolean): Promise<void> {
  const okta = { enabled: true, issuer: 'https://acme.okta.example', client_id: 'x' }
  await workspace.sql(
    `insert into identity.tenant_settings (tenant_id, section, doc) values ($1, 'sso', $2)
     on conflict (tenant_id, section) do update set doc = excluded.doc`,
    [workspace.id, JSON.stringify({ enforced: isEnforced, okta })],
  )
}

/** Inserts a sent email and returns the URL of its unsubscribe link. */
async function createUnsubscribeLink(workspace: Workspace): Promise<string> {
  const [id, token] = [newId(), generateSecretToken()]
  const address = `ines-${id}@oakhurst.example`
  await workspace.sql(
    `insert into crm.email_messages (tenant_id, id, kind, ref_id, to_address, to_key, run_at, state, sent_at, unsubscribe_token_hash)
     values ($1, $2, 'cadence', $2, $3, $3, now(), 'sent', now(), $4)`,
    [workspace.id, id, address, hashToken(token)],
  )
  return `${originOf(workspace)}/unsubscribe/${token}`
}

async function inviteUser(workspace: Workspace): Promise<string> {
  const email = `ines.${newId()}@example.com`
  await workspace.admin.post('/api/users/', { email, name: 'Ines Duarte' })
  return await readEmailedLink(email)
}

type State = {
  heading: string | RegExp
  status?: number
  open: (page: OpenPage, workspace: Workspace) => Promise<void>
}

const openPath =
  (path: string): State['open'] =>
  async (page, workspace) => {
    await page.goto(`${originOf(workspace)}${path}`)
  }

const click = (page: OpenPage, name: string) => page.getByRole('button', { name, exact: true }).click()

async function requestLink(page: OpenPage, workspace: Workspace): Promise<void> {
  await openPath('/login#forgot')(page, workspace)
  await visibleField(page, 'Email address').fill(`unknown.${newId()}@example.com`)
  await click(page, 'Send link')
}

async function openUnsubscribeLink(page: OpenPage, workspace: Workspace, ...buttons: string[]): Promise<void> {
  await page.goto(await createUnsubscribeLink(workspace))
  for (const button of buttons) await click(page, button)
}

const states: Record<string, State> = {
  'sign-in': { heading: /^Sign in to/, open: openPath('/login') },
  'sign-in-error': {
    heading: /^Sign in to/,
    open: async (page, workspace) => {
      await openPath('/login')(page, workspace)
      await signIn(page, workspace.member.email, 'not the password')
      await page.getByRole('alert').waitFor()
    },
  },
  'sign-in-forgot': { heading: 'Forgot your password?', open: openPath('/login#forgot') },
  'sign-in-check-email': { heading: 'Check your email', open: requestLink },
  'sign-in-failed': { heading: 'Sign-in failed', open: openPath('/auth/complete') },
  'sign-in-invite': {
    heading: /^Welcome to/,
    open: async (page, workspace) => {
      await page.goto(await inviteUser(workspace))
      await visibleField(page, 'New password').fill('river table cloud')
    },
  },
  'sign-in-invite-expired': {
    heading: 'This invitation is no longer valid',
    open: openPath(`/accept-invite#token=${'x'.repeat(43)}`),
  },
  'password-link-invalid': { heading: 'This link is not valid', open: openPath('/reset-password') },
  'verify-email-invalid': { heading: 'Email address not verified', open: openPath('/verify-email') },
  'unsubscribe-confirm': { heading: 'Unsubscribe?', open: (page, workspace) => openUnsubscribeLink(page, workspace) },
  'unsubscribe-done': {
    heading: 'You are unsubscribed',
    open: (page, workspace) => openUnsubscribeLink(page, workspace, 'Unsubscribe'),
  },
  'unsubscribe-saved': {
    heading: /^Emails from/,
    open: async (page, workspace) => {
      await openUnsubscribeLink(page, workspace)
      await page.getByRole('link', { name: 'Choose what you receive' }).click()
      await click(page, 'Save choice')
      await page.getByText('Your choice is saved.').waitFor()
    },
  },
  'unsubscribe-invalid': { heading: 'This link is not valid', open: openPath(`/unsubscribe/${'x'.repeat(43)}`) },
  'error-not-found': { heading: 'This page does not exist', open: openPath('/signup') },
  'error-unknown-host': {
    heading: 'There is no workspace here',
    open: async (page, workspace) => {
      await page.goto(`${originOf({ ...workspace, host: 'nothing.localhost' })}/`)
    },
  },
}

const workspaces = {
  green: await createWorkspace('Brightwater', '#0e7a57'),
  orange: await createWorkspace('Fernhill Robotics', '#f26b1d'),
}
for (const workspace of Object.values(workspaces)) await configureProvider(workspace, false)

const devices = {
  desktop: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  narrow: { viewport: { width: 320, height: 640 } },
}
type View = {
  color: keyof typeof workspaces
  device: keyof typeof devices
  colorScheme: 'light' | 'dark'
  locale?: string
}
const allViews = (['green', 'orange'] as const).flatMap((color) =>
  (['desktop', 'phone'] as const).flatMap((device) =>
    (['light', 'dark'] as const).map((colorScheme): View => ({ color, device, colorScheme })),
  ),
)
const shortViews: View[] = [
  { color: 'green', device: 'desktop', colorScheme: 'light' },
  { color: 'orange', device: 'phone', colorScheme: 'dark' },
]

async function openView({ device, colorScheme, locale = 'en-US' }: View) {
  const options: BrowserContextOptions = { ...devices[device], colorScheme, locale }
  const { open, errors, context } = await openBrowser(options)
  const page = await open('about:blank')
  page.setDefaultTimeout(10_000)
  return { page, errors, close: () => context.close() }
}

const [firstView, ...otherViews] = isNightly ? allViews : shortViews
for (const view of [firstView!, ...otherViews]) {
  const { color, device, colorScheme } = view
  test(`every page is readable for a workspace with the color ${color} on a ${device} in the ${colorScheme} theme`, async () => {
    const { page, errors, close } = await openView(view)
    for (const [name, { heading, open }] of Object.entries(states)) {
      // Another fragment of the same URL would not load the page again.
      await page.goto('about:blank')
      await open(page, workspaces[color])
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
      await page.evaluate('document.fonts.ready')
      await assertReadable(page, `pages/${name}-${color}-${device}-${colorScheme}`, { isOtherView: view !== firstView })
    }
    assert.deepEqual(errors, [])
    await close()
  })
}

test('a workspace with single sign-on shows the password to admins only', async () => {
  const workspace = await createWorkspace('Brightwater', '#0e7a57')
  await configureProvider(workspace, true)
  const { page, errors, close } = await openView(shortViews[0]!)

  await page.goto(`${originOf(workspace)}/login`)
  await page.getByText('Brightwater uses single sign-on.').waitFor()
  await saveScreenshot(page, 'pages/sign-in-sso-only')

  assert.equal(await visibleField(page, 'Password').count(), 0)
  assert.deepEqual(await findAccessibilityProblems(page), [])
  assert.deepEqual(errors, [])
  await close()
})

test('pages in German fit a window of 320 pixels', async () => {
  const { page, close } = await openView({ color: 'green', device: 'narrow', colorScheme: 'light', locale: 'de-DE' })
  const { green } = workspaces
  const link = await createUnsubscribeLink(green)
  const origin = originOf(green)
  const urls = [
    `${origin}/login`,
    `${origin}/login#forgot`,
    await inviteUser(green),
    link,
    `${link}?choose=1`,
    `${origin}/x`,
  ]

  for (const [at, url] of urls.entries()) {
    await page.goto('about:blank')
    await page.goto(url)
    await page.locator('h1:visible').waitFor()
    await saveScreenshot(page, `pages/german-${at}`)
    assert.equal(await page.getAttribute('html', 'lang'), 'de')
    await assertFits(page, url)
  }
  await close()
})

test('a recipient chooses what to receive with the keyboard and without JavaScript', async () => {
  const { green } = workspaces
  const { open, context } = await openBrowser({ javaScriptEnabled: false, locale: 'en-US' })
  const page = await open(await createUnsubscribeLink(green))
  const states = () =>
    Promise.all([/^News and offers/, /^Surveys/].map((name) => page.getByRole('checkbox', { name }).isChecked()))
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }

  await press('Tab', 'Enter')
  await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor()
  const unsubscribed = await states()
  await press('Tab', 'Space', 'Tab', 'Tab', 'Enter')
  await page.getByText('Your choice is saved.').waitFor()
  const resubscribed = await states()
  await page.getByRole('button', { name: 'Unsubscribe from everything' }).click()
  await page.getByText('Your choice is saved.').waitFor()

  assert.deepEqual(
    [unsubscribed, resubscribed, await states()],
    [
      [false, false],
      [true, false],
      [false, false],
    ],
  )
  await context.close()
})
