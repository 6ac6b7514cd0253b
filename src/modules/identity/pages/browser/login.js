import { arrive } from './arrival.js'
import { byId, complain, onSubmit, show, takeFragment, tell } from './page.js'
import { forgetSession, get, post } from './session.js'

const refusals = new Map([
  ['access_denied', 'You did not agree to sign in there. Try again, or use another way.'],
  ['flow_expired', 'That took too long, or it was opened twice. Try again.'],
  ['provider_error', 'The sign-in service did not answer as it should. Try again in a moment.'],
  ['email_unverified', 'The sign-in service does not say that your e-mail address is verified. Verify it there first.'],
  ['domain_not_allowed', 'This workspace does not take accounts of your domain. Use the one of your company.'],
  ['account_not_found', 'There is no account for you here. Ask an admin for an invitation.'],
  ['account_disabled', 'Your account is deactivated. Ask an admin of the workspace.'],
])

const given = takeFragment()
const returnTo = given.get('return_to') ?? '/'

const enter = (tokens, typed) => arrive(tokens, { returnTo, typed })

onSubmit('sign-in', async ({ email, password }, form) => {
  // One that is left over belongs to whoever was here before.
  forgetSession()
  const { ok, body } = await post('/api/auth/login', { email, password })
  if (!ok) return body
  form.reset()
  enter(body, password)
})

onSubmit('forgot', async ({ email }) => {
  const { ok, body } = await post('/api/auth/forgot-password', { email })
  if (!ok) return body
  show('sign-in')
  tell(`If ${email} has an account here, a mail with a link is on its way.`)
})

onSubmit('sign-up', async ({ name, email, password }, form) => {
  forgetSession()
  const { ok, body } = await post('/api/auth/signup', { name, email, password })
  if (!ok) return body
  form.reset()
  enter(body)
})

function offer({ display_name, start_url }) {
  const link = document.createElement('a')
  link.className = 'button'
  link.href = `${start_url}?return_to=${encodeURIComponent(returnTo)}`
  link.textContent = `Sign in with ${display_name}`
  byId('providers').append(link)
}

if (given.has('forgot')) show('forgot')
else byId('sign-in-email').focus()
const refusal = given.get('sso_error')
if (refusal !== null) complain(refusals.get(refusal) ?? 'Single sign-on did not work. Try again.')

const { ok, body } = await get('/api/auth/sso/providers')
if (ok) {
  for (const provider of body.providers) if (provider.enabled) offer(provider)
  byId('sso-only').hidden = !body.sso_enforced
  byId('to-sign-up').hidden = body.signup === 'closed' || body.sso_enforced
}
