import type { ParsedMail } from 'mailparser'
import type { CanaryWorkspace } from '../canary-workspace.ts'
import type { ReaderName } from '../readers.ts'
import { domain } from '../records/people.ts'
import { recipientAddress } from '../records/rooms.ts'
import { getAll, toOutput, type Way } from './way.ts'

/** Addresses, headers, texts and attachments, decoded. */
const contentOf = ({ headerLines, subject, text, html, attachments }: ParsedMail): Buffer =>
  Buffer.concat([
    Buffer.from([...headerLines.map(({ line }) => line), subject, text, html].join('\n')),
    ...attachments.map(({ content }) => content),
  ])

function readerOf({ users }: CanaryWorkspace, address: string): ReaderName {
  if (address === recipientAddress) return 'visitor'
  const user = Object.entries(users).find(([, { email }]) => email === address)
  return address.endsWith(`@${domain}`) ? 'customer' : ((user?.[0] as ReaderName | undefined) ?? 'member')
}

export const email: Way = {
  name: 'email',
  read: async (canary) =>
    canary.app.emails.map(({ to, mail }) =>
      toOutput(readerOf(canary, to), `email to ${to}: ${mail.subject}`, contentOf(mail)),
    ),
}

export const webhooks: Way = {
  name: 'webhooks',
  read: async (_, { receivers }) =>
    receivers.flatMap(({ name, received }) =>
      received.map(({ body }) => toOutput(name, `webhook ${JSON.parse(body).type}`, body)),
    ),
}

/** What the list of deliveries shows of events that were sent to others. */
export const deliveries: Way = {
  name: 'webhook deliveries',
  async read({ acme, ids }, { readers, isShort }) {
    const { rows } = await acme.sql(
      `select id, endpoint_id from operations.webhook_deliveries as delivery
       where endpoint_id = $1 and delivery::text like '%canary%' order by id`,
      [ids.webhook_endpoint![0]],
    )
    const urls = rows.map(({ id, endpoint_id }) => `/api/webhooks/${endpoint_id}/deliveries/${id}`)
    const names: ReaderName[] = isShort ? ['manager', 'viewer'] : readers.map(({ name }) => name)
    return await getAll(
      readers.filter(({ name }) => names.includes(name)),
      urls,
    )
  },
}

export const log: Way = {
  name: 'log',
  marker: 'request completed',
  read: async ({ app }) => app.logLines.map((line) => toOutput('operator', line.slice(0, 200), line)),
}
