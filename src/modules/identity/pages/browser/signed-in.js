import { byId, onSubmit, show } from './page.js'
import { post, storeSession } from './session.js'

let destination = '/'

export function completeSignIn(tokens, { returnTo = '/', currentPassword = '' } = {}) {
  storeSession(tokens)
  // The only allowed return path; any other value is ignored to prevent open redirects.
  destination = returnTo === '/verify-email' ? returnTo : '/'
  if (!tokens.must_change_password) return location.replace(destination)
  byId('change-password-current_password').value = currentPassword
  show('change-password')
}

onSubmit('change-password', async (passwords, form) => {
  const { ok, body } = await post('/api/auth/change-password', passwords)
  if (!ok) return body
  form.reset()
  completeSignIn(body, { returnTo: destination })
})
