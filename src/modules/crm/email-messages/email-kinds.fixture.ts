import { type EmailContent, type EmailKind, type EmailToRender, emailKindPoint } from '#modules/crm'
import type { Services } from '#platform/module'

const newsletter: EmailKind = {
  kind: 'newsletter',
  channel: 'email',
  keepsBody: true,
  async render(_tx, _services, messages) {
    return new Map(
      messages.map(({ id, to_address }: EmailToRender): [string, EmailContent | { skip: string }] => {
        if (to_address.startsWith('broken')) throw new Error('broken template')
        if (to_address.startsWith('paused')) return [id, { skip: 'missing_variable' }]
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
