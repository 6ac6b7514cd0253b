import { byId, onSubmit, show } from './page.js'
import { postForSession, storeSession } from './session.js'

let destination = '/'

// Other values could lead to another host, or to an API response instead of a page.
const isLocalPath = (path) =>
  /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path) && !/^\/api(\/|$)/.test(path) && !path.includes('//')

export function completeSignIn(tokens, { returnTo = '/', currentPassword = '' } = {}) {
  storeSession(tokens)
  // Set by the application after a sign-out without a connection, which would end the new session.
  localStorage.removeItem('sign-out')
  // Open pages of another user must not keep their data, nor pass their access token on to the next page.
  new BroadcastChannel('session').postMessage({ type: 'signed_in', userId: tokens.user.id })
  destination = isLocalPath(returnTo) ? returnTo : '/'
  if (!tokens.must_change_password) return location.replace(destination)
  byId('change-password-current_password').value = currentPassword
  show('change-password')
}

onSubmit('change-password', async (passwords, form) => {
  const { ok, body } = await postForSession('/api/auth/change-password', passwords)
  if (!ok) return body
  form.reset()
  completeSignIn(body, { returnTo: destination })
})
