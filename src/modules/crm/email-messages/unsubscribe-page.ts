import { escapeHtml, type HtmlPage } from '#platform/html'
import type { LinkState } from './unsubscribe.service.ts'

export function buildUnsubscribePage(workspace: string, state: LinkState | 'invalid'): HtmlPage {
  if (state === 'invalid')
    return createPage('This link is not valid', '<p>Open the link of a newer email, or reply to it.</p>')
  const address = `<strong>${escapeHtml(state.email_masked)}</strong>`
  const sender = escapeHtml(workspace)
  if (state.status === 'unsubscribed')
    return createPage('You are unsubscribed', `<p>${address} gets no more of these emails from ${sender}.</p>`)
  return createPage(
    'Unsubscribe',
    `<p>Stop sending these emails from ${sender} to ${address}?</p>
<form method="post">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<button type="submit">Unsubscribe</button>
</form>`,
  )
}

const createPage = (title: string, content: string): HtmlPage => ({ title, body: `<h1>${title}</h1>\n${content}` })
