import { daysLater } from '#platform/clock'
import type { Services } from '#platform/module'
import {
  type EmailContent,
  type EmailKind,
  type EmailToRender,
  emailKindPoint,
  type PostponedEmail,
} from './email-kind.ts'

const newsletter: EmailKind = {
  kind: 'newsletter',
  channel: 'email',
  keepsBody: true,
  async render(_tx, { clock }, messages) {
    return new Map(
      messages.map(({ id, to_address }: EmailToRender): [string, EmailContent | PostponedEmail | { skip: string }] => {
        if (to_address.startsWith('broken')) throw new Error('broken template')
        if (to_address.startsWith('paused')) return [id, { skip: 'missing_variable' }]
        if (to_address.startsWith('night')) return [id, { postpone: daysLater(clock.now(), 1) }]
        if (to_address.startsWith('now')) return [id, { postpone: clock.now() }]
        if (to_address.startsWith('signed'))
          return [id, { subject: 'News', text: 'Hello', fromName: 'Ada\nLovelace', replyTo: 'ada@acme.example' }]
        return [id, { subject: 'News\nof May', text: 'Hello <all>', html: '<body><p>Hello</p></body>' }]
      }),
    )
  },
}

const invitation: EmailKind = {
  kind: 'invitation',
  channel: 'survey',
  render: async (_tx, _services, messages) =>
    new Map(messages.map(({ id, unsubscribe_url }) => [id, { subject: 'Survey', text: `Stop: ${unsubscribe_url}` }])),
}

export const addEmailKinds = ({ registry }: Services): void => {
  registry.extensionsOf(emailKindPoint).push(newsletter, invitation)
}
