import { consumeFragment, messageOf, show, showError, showProblem } from './page.js'
import { clearSession, postForSession, resumeSession } from './session.js'
import { completeSignIn } from './signed-in.js'

const params = consumeFragment()
const exchange = () => postForSession('/api/auth/sso/exchange', { code: params.get('code') ?? '' })

// A sign-in that confirms the identity of a user renews the session of this browser.
await resumeSession()
let { ok, status, body } = await exchange()
// An expired session must not block a new sign-in.
if (status === 401 && body.code !== 'invalid_code') {
  clearSession()
  ;({ ok, status, body } = await exchange())
}
if (ok) completeSignIn(body, { returnTo: params.get('return_to') ?? '/' })
else {
  show('failed')
  if (status === 422) showError(messageOf('incomplete_sign_in'))
  else showProblem(body)
}
