import { byId, onClick, onSubmit, show, showProblem, showStatus } from './page.js'
import { clearSession, post, storeSession } from './session.js'

let destination = '/'

export function completeSignIn(tokens, { returnTo = '/', currentPassword = '' } = {}) {
  storeSession(tokens)
  destination = returnTo
  for (const element of document.querySelectorAll('[data-who]'))
    element.textContent = `${tokens.user.name} (${tokens.user.email})`
  if (tokens.must_change_password) {
    byId('change-password-current_password').value = currentPassword
    return show('change-password')
  }
  // The only allowed return path; any other value is ignored to prevent open redirects.
  if (destination === '/verify-email') return location.replace('/verify-email')
  show(tokens.email_verification_required ? 'unverified' : 'signed-in')
}

onSubmit('change-password', async (passwords, form) => {
  const { ok, body } = await post('/api/auth/change-password', passwords)
  if (!ok) return body
  form.reset()
  completeSignIn(body, { returnTo: destination })
})

onClick('resend', async () => {
  const { ok, body } = await post('/api/auth/resend-verification')
  if (ok) showStatus(`We sent an email to ${body.sent_to}.`)
  else showProblem(body)
})

onClick('sign-out', async () => {
  await post('/api/auth/logout')
  clearSession()
  location.replace('/login')
})
