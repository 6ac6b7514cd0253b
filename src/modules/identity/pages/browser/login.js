import { byId, consumeFragment, onSubmit, show, showError, showStatus } from './page.js'
import { clearSession, get, post } from './session.js'
import { completeSignIn } from './signed-in.js'

const ssoErrors = new Map([
  ['access_denied', 'You canceled the sign-in. Try again or use another method.'],
  ['flow_expired', 'The sign-in request has expired or was already used. Try again.'],
  ['provider_error', 'The identity provider returned an error. Try again in a moment.'],
  [
    'email_unverified',
    'The identity provider does not confirm that your email address is yours. Verify it there, or sign in another way.',
  ],
  ['domain_not_allowed', 'This workspace does not allow accounts of your email domain. Use your company account.'],
  ['account_not_found', 'You do not have an account in this workspace. Ask an admin for an invitation.'],
  ['account_disabled', 'Your account is deactivated. Contact an admin of the workspace.'],
])

const params = consumeFragment()
const returnTo = params.get('return_to') ?? '/'

const finishSignIn = (tokens, currentPassword) => completeSignIn(tokens, { returnTo, currentPassword })

onSubmit('sign-in', async ({ email, password }, form) => {
  // A stored session may belong to another user.
  clearSession()
  const { ok, body } = await post('/api/auth/login', { email, password })
  if (!ok) return body
  form.reset()
  finishSignIn(body, password)
})

onSubmit('forgot', async ({ email }) => {
  const { ok, body } = await post('/api/auth/forgot-password', { email })
  if (!ok) return body
  show('sign-in')
  showStatus(`If ${email} has an account here, we have sent an email with a link.`)
})

onSubmit('sign-up', async ({ name, email, password }, form) => {
  clearSession()
  const { ok, body } = await post('/api/auth/signup', { name, email, password })
  if (!ok) return body
  form.reset()
  finishSignIn(body)
})

function addProvider({ display_name, start_url }) {
  const link = document.createElement('a')
  link.className = 'button'
  link.href = `${start_url}?return_to=${encodeURIComponent(returnTo)}`
  link.textContent = `Sign in with ${display_name}`
  const icon = byId(`icon-${display_name.toLowerCase()}`)
  if (icon) link.prepend(icon.content.cloneNode(true))
  byId('providers').prepend(link)
  byId('providers').hidden = false
}

if (params.has('forgot')) show('forgot')
// The user may already be typing in another field.
else if (document.activeElement === document.body) byId('sign-in-email').focus()
const ssoError = params.get('sso_error')
if (ssoError !== null) showError(ssoErrors.get(ssoError) ?? 'Single sign-on failed. Try again.')

const { ok, body } = await get('/api/auth/sso/providers')
if (ok) {
  for (const provider of body.providers.toReversed()) if (provider.enabled) addProvider(provider)
  byId('sso-only').hidden = !body.sso_enforced
  byId('to-sign-up').hidden = body.signup === 'closed' || body.sso_enforced
}
