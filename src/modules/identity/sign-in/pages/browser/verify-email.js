import { consumeFragment, messageOf, onClick, show, showError, showProblem, showStatus } from './page.js'
import { clearSession, post, resumeSession } from './session.js'

const key = 'tributary.verification'

const linkToken = consumeFragment().get('token')
if (linkToken) sessionStorage.setItem(key, linkToken)
const token = sessionStorage.getItem(key)

onClick('resend', async () => {
  const { ok, status, body } = await post('/api/auth/resend-verification')
  if (status === 401) return show('sign-in-first')
  if (ok) showStatus(messageOf('sent').replace('{email}', body.sent_to))
  else showProblem(body)
})

if (!token) {
  show('failed')
  showError(messageOf('incomplete_link'))
} else if (!(await resumeSession())) show('sign-in-first')
else await verifyEmail()

async function verifyEmail() {
  const { ok, status, body } = await post('/api/auth/verify-email', { token })
  if (status === 401) {
    clearSession()
    return show('sign-in-first')
  }
  if (ok || [410, 422].includes(status)) sessionStorage.removeItem(key)
  show(ok ? 'verified' : 'failed')
  if (!ok) showProblem(body)
}
