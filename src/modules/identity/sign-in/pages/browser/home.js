import { byId, onClick, onSubmit, show, showProblem, showStatus } from './page.js'
import { clearSession, get, post, resumeSession } from './session.js'

function leave() {
  clearSession()
  location.replace('/login')
}

onSubmit('signed-in', async ({ name }, form) => {
  const { ok, status, body } = await post('/api/api-keys', { name, scopes: me.scopes })
  if (status === 401) return leave()
  if (body.code === 'reauthentication_required') return { detail: 'For a new key, sign out and sign in again first.' }
  if (!ok) return body
  form.reset()
  byId('api-key').textContent = body.key
  byId('first-call').textContent = `curl ${location.origin}/api/auth/me \\\n  -H "authorization: Bearer ${body.key}"`
  byId('new-key').hidden = false
  byId('copy-key').focus()
})

onClick('copy-key', async () => {
  const key = byId('api-key')
  try {
    await navigator.clipboard.writeText(key.textContent)
    showStatus('Copied.')
  } catch {
    getSelection().selectAllChildren(key)
    showStatus('Press Ctrl+C to copy.')
  }
})

onClick('resend', async () => {
  const { ok, body } = await post('/api/auth/resend-verification')
  if (ok) showStatus(`We sent an email to ${body.sent_to}.`)
  else showProblem(body)
})

onClick('sign-out', async () => {
  await post('/api/auth/logout')
  leave()
})

const { ok, status, body: me } = (await resumeSession()) ? await get('/api/auth/me') : { status: 401 }
if (status === 401 || me.must_change_password) leave()
else if (!ok) showProblem(me)
else {
  for (const element of document.querySelectorAll('[data-who]')) element.textContent = `${me.name} (${me.email})`
  show(me.email_verification_required ? 'unverified' : 'signed-in')
}
