import { byId, complainOf, onClick, onSubmit, show, tell } from './page.js'
import { forgetSession, keepSession, post } from './session.js'

let destination = '/'

/** Somebody has signed in. What they must do before they may go on comes first. */
export function arrive(tokens, { returnTo = '/', typed = '' } = {}) {
  keepSession(tokens)
  destination = returnTo
  for (const place of document.querySelectorAll('[data-who]'))
    place.textContent = `${tokens.user.name} (${tokens.user.email})`
  if (tokens.must_change_password) {
    byId('change-password-current_password').value = typed
    return show('change-password')
  }
  // The only page there is to come back to. Any other address that was asked for is not followed.
  if (destination === '/verify-email') return location.replace('/verify-email')
  show(tokens.email_verification_required ? 'unverified' : 'signed-in')
}

onSubmit('change-password', async (passwords, form) => {
  const { ok, body } = await post('/api/auth/change-password', passwords)
  if (!ok) return body
  form.reset()
  arrive(body, { returnTo: destination })
})

onClick('resend', async () => {
  const { ok, body } = await post('/api/auth/resend-verification')
  if (ok) tell(`We sent a mail to ${body.sent_to}.`)
  else complainOf(body)
})

onClick('sign-out', async () => {
  await post('/api/auth/logout')
  forgetSession()
  location.replace('/login')
})
