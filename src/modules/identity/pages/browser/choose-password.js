import { complain, complainOf, onSubmit, show, takeFragment } from './page.js'
import { post } from './session.js'

const token = takeFragment().get('token')

onSubmit('choose', async ({ new_password }, form) => {
  const { ok, status, body } = await post('/api/auth/reset-password', { token, new_password })
  const isLinkBad = status === 410 || body.errors?.some(({ path }) => path === '/token')
  if (!ok && !isLinkBad) return body
  form.reset()
  show(ok ? 'chosen' : 'failed')
  if (!ok) complainOf(body)
})

if (token) show('choose')
else {
  show('failed')
  complain('The link is incomplete. Open it from the mail once more, or get a new one.')
}
