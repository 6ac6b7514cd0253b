import { arrive } from './arrival.js'
import { complainOf, show, takeFragment } from './page.js'
import { forgetSession, post } from './session.js'

const given = takeFragment()
const exchange = () => post('/api/auth/sso/exchange', { code: given.get('code') ?? '' })

let { ok, status, body } = await exchange()
// A session that has ended must not keep anybody from a new one.
if (status === 401 && body.code !== 'invalid_code') {
  forgetSession()
  ;({ ok, status, body } = await exchange())
}
if (ok) arrive(body, { returnTo: given.get('return_to') ?? '/' })
else {
  show('failed')
  complainOf(body)
}
