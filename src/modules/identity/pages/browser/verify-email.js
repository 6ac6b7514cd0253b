import { complain, complainOf, onClick, show, takeFragment, tell } from './page.js'
import { currentSession, forgetSession, post } from './session.js'

const key = 'tributary.verification'

/** Kept while its owner signs in, in this tab and no longer. */
const given = takeFragment().get('token')
if (given) sessionStorage.setItem(key, given)
const token = sessionStorage.getItem(key)

onClick('resend', async () => {
  const { ok, status, body } = await post('/api/auth/resend-verification')
  if (status === 401) return show('sign-in-first')
  if (ok) tell(`We sent a mail to ${body.sent_to}.`)
  else complainOf(body)
})

if (!token) {
  show('failed')
  complain('The link is incomplete. Open it from the mail once more, or get a new one.')
} else if (!currentSession()) show('sign-in-first')
else await confirm()

async function confirm() {
  const { ok, status, body } = await post('/api/auth/verify-email', { token })
  if (status === 401) {
    forgetSession()
    return show('sign-in-first')
  }
  if (ok || [410, 422].includes(status)) sessionStorage.removeItem(key)
  show(ok ? 'verified' : 'failed')
  if (!ok) complainOf(body)
}
