import {
  byId,
  consumeFragment,
  forbidWords,
  messageOf,
  onSubmit,
  show,
  showEmailAddress,
  showError,
  showProblem,
} from './page.js'
import { post } from './session.js'

const token = consumeFragment().get('token')

const isLinkBad = ({ status, body }) => status === 410 || body?.errors?.some(({ path }) => path === '/token')

function rejectLink({ body }) {
  show('failed')
  const isExplained = byId('failed').querySelector('.lead') !== null
  if (!isExplained) showProblem(body)
}

onSubmit('choose', async ({ new_password }, form) => {
  const response = await post('/api/auth/reset-password', { token, new_password })
  if (!response.ok && !isLinkBad(response)) return response.body
  form.reset()
  if (response.ok) show('chosen')
  else rejectLink(response)
})

if (token) {
  const response = await post('/pages/password-link', { token })
  if (isLinkBad(response)) rejectLink(response)
  else {
    showEmailAddress(response.body.email ?? '')
    forbidWords(response.body.forbidden_words ?? [])
    show('choose')
  }
} else {
  show('failed')
  showError(messageOf('incomplete_link'))
}
