import { createTransport, type NodemailerError, type SendMailOptions } from 'nodemailer'
import type { Config } from '#platform/config'
import { assertSendable, isMailAddress, type Mail, type MailAddress } from './mail.ts'
import { asRefusal, MailRefused } from './mail-refused.ts'

export type Mailer = {
  /** Resolves once the server has taken the mail; otherwise rejects with MailRefused. */
  send(mail: Mail): Promise<{ messageId: string }>
  /** Connects and logs in, without sending anything. */
  verify(): Promise<void>
  /** Waits for the mails under way. */
  close(): Promise<void>
}

type TrackedMail = SendMailOptions & { onBodySent: () => void }

export function openMailer({ SMTP_URL, MAIL_FROM }: Pick<Config, 'SMTP_URL' | 'MAIL_FROM'>): Mailer {
  if (!isMailAddress(MAIL_FROM)) throw new Error('MAIL_FROM must be an e-mail address such as no-reply@example.com')
  return SMTP_URL ? smtpMailer(SMTP_URL, MAIL_FROM) : waitingMailer()
}

function smtpMailer(url: string, from: string): Mailer {
  const transport = openTransport(url)
  const underWay = new Set<Promise<unknown>>()

  async function send(mail: Mail) {
    assertSendable(mail)
    let wasBodySent = false
    const tracked: TrackedMail = {
      ...compose(mail, from),
      onBodySent: () => {
        wasBodySent = true
      },
    }
    try {
      const { messageId } = await transport.sendMail(tracked)
      return { messageId }
    } catch (error) {
      throw asRefusal(error as NodemailerError, wasBodySent)
    }
  }

  return {
    send(mail) {
      const sending = send(mail)
      const settled = sending.catch(() => {}).finally(() => underWay.delete(settled))
      underWay.add(settled)
      return sending
    },
    async verify() {
      await transport.verify().catch((error: NodemailerError) => {
        throw asRefusal(error, false)
      })
    },
    async close() {
      transport.close()
      await Promise.all(underWay)
    },
  }
}

function openTransport(url: string) {
  const { password, hostname } = readSmtpUrl(url)
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 4,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    dnsTimeout: 5_000,
    socketTimeout: 15_000,
    // A password does not travel beyond this machine in clear text; ?requireTLS=false in the URL overrules that.
    requireTLS: password !== '' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  transport.use('stream', (mail, done) => {
    const { onBodySent } = mail.data as TrackedMail
    mail.message?.processFunc((body) => body.once('end', onBodySent))
    done()
  })
  return transport
}

function readSmtpUrl(url: string): URL {
  const parsed = URL.parse(url)
  if (!parsed?.hostname || !['smtp:', 'smtps:'].includes(parsed.protocol))
    throw new Error('SMTP_URL must look like smtp://user:password@host:port')
  return parsed
}

function compose(mail: Mail, from: string): SendMailOptions {
  return {
    from: { name: mail.fromName ?? '', address: from },
    to: [addressOf(mail.to)],
    ...(mail.replyTo && { replyTo: [addressOf(mail.replyTo)] }),
    subject: mail.subject,
    text: mail.text,
    ...(mail.html !== undefined && { html: mail.html }),
    ...(mail.messageId && { messageId: mail.messageId }),
    headers: mail.headers ?? {},
  }
}

const addressOf = ({ name, address }: MailAddress) => ({ name: name ?? '', address })

/** Without a mail server nothing is lost: the job that sends the mail tries again later. */
function waitingMailer(): Mailer {
  const missing = () => new MailRefused('SMTP_URL is missing: mails wait until it is set.', { isPermanent: false })
  return {
    async send(mail) {
      assertSendable(mail)
      throw missing()
    },
    async verify() {
      throw missing()
    },
    async close() {},
  }
}
