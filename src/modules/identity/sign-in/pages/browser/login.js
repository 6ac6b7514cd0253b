import {
  byId,
  consumeFragment,
  messageOf,
  onClick,
  onSubmit,
  show,
  showEmailAddress,
  showError,
  showProblem,
  showStatus,
} from './page.js'
import { clearSession, post, postForSession } from './session.js'
import { completeSignIn } from './signed-in.js'

const params = consumeFragment()
const returnTo = params.get('return_to') ?? '/'

const finishSignIn = (tokens, currentPassword) => completeSignIn(tokens, { returnTo, currentPassword })

onSubmit('sign-in', async ({ email, password }, form) => {
  // A stored session may belong to another user.
  clearSession()
  const { ok, body } = await postForSession('/api/auth/login', { email, password })
  if (!ok) return body
  form.reset()
  finishSignIn(body, password)
})

const requestLink = (email) => post('/api/auth/forgot-password', { email })

onSubmit('forgot', async ({ email }) => {
  const { ok, body } = await requestLink(email)
  if (!ok) return body
  showEmailAddress(email)
  show('check-email')
})

onClick('send-again', async () => {
  const email = byId('forgot-email').value
  const { ok, body } = await requestLink(email)
  if (ok) showStatus(messageOf('sent_again'))
  else showProblem(body)
})

if (byId('sign-up'))
  onSubmit('sign-up', async ({ name, email, password }, form) => {
    clearSession()
    const { ok, body } = await postForSession('/api/auth/signup', { name, email, password })
    if (!ok) return body
    form.reset()
    finishSignIn(body)
  })

if (byId('use-password'))
  onClick('use-password', async () => {
    byId('password-form').hidden = false
    byId('for-admins').hidden = true
    byId('sign-in-email').focus()
  })

for (const link of document.querySelectorAll('[data-provider]'))
  link.setAttribute('href', `${link.pathname}?return_to=${encodeURIComponent(returnTo)}`)

if (params.has('forgot')) show('forgot')
// The user may already be typing in another field.
else if (document.activeElement === document.body) byId('sign-in-email').focus()
const ssoError = params.get('sso_error')
if (ssoError !== null) showError((/^[a-z_]+$/.test(ssoError) && messageOf(ssoError)) || messageOf('sso_failed'))
