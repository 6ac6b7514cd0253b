import { invalid } from '#platform/errors'
import { unsubscribeSubject } from './email-content.rules.ts'
import type { NewEmailEvent } from './email-events.schemas.ts'

export function assertComplete(event: NewEmailEvent): void {
  const { kind, message_id, in_reply_to, references = [], from, email, bounce_type } = event
  if (kind === 'reply' && email !== undefined)
    throw invalid('body', '/email', 'unexpected', '`email` must not be sent if `kind` is reply. Use `from`.')
  const address = kind === 'reply' ? from : email
  if (message_id === undefined && in_reply_to === undefined && !references.length && address === undefined)
    throw invalid(
      'body',
      '/message_id',
      'required',
      `\`message_id\`, \`in_reply_to\`, \`references\` or \`${kind === 'reply' ? 'from' : 'email'}\` is required.`,
    )
  if ((kind === 'bounce') === (bounce_type === undefined)) {
    const code = kind === 'bounce' ? 'required' : 'unexpected'
    const rule = kind === 'bounce' ? 'is required' : 'must not be sent'
    throw invalid('body', '/bounce_type', code, `\`bounce_type\` ${rule} if \`kind\` is ${kind}.`)
  }
}

/** The ids of the event, those first that most likely name the email itself. `References` ends with its parent. */
export const messageIdsOf = ({ message_id, in_reply_to, references = [] }: NewEmailEvent): string[] =>
  [message_id, in_reply_to, ...references.toReversed()].filter((id) => id !== undefined).map(withBrackets)

const withBrackets = (messageId: string): string => `<${messageId.replace(/^<|>$/g, '')}>`

/** RFC 3834: every value but `no` marks an automatic email, parameters may follow. */
export const isAutomatic = ({ auto_submitted }: Pick<NewEmailEvent, 'auto_submitted'>): boolean =>
  auto_submitted !== undefined && auto_submitted.split(';')[0]!.trim().toLowerCase() !== 'no'

export const isUnsubscribeRequest = (event: NewEmailEvent): boolean =>
  event.kind === 'reply' && !isAutomatic(event) && event.subject?.trim().toLowerCase() === unsubscribeSubject
