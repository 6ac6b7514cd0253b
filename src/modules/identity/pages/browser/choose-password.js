import { consumeFragment, onSubmit, show, showError, showProblem } from './page.js'
import { post } from './session.js'

const token = consumeFragment().get('token')

onSubmit('choose', async ({ new_password }, form) => {
  const { ok, status, body } = await post('/api/auth/reset-password', { token, new_password })
  const isLinkBad = status === 410 || body.errors?.some(({ path }) => path === '/token')
  if (!ok && !isLinkBad) return body
  form.reset()
  show(ok ? 'chosen' : 'failed')
  if (!ok) showProblem(body)
})

if (token) show('choose')
else {
  show('failed')
  showError('The link is incomplete. Open it from the email again or request a new one.')
}
