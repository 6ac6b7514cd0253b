import { createTransport, type NodemailerError, type SendMailOptions } from 'nodemailer'
import type { Config } from '#platform/config'
import { assertSendable, isEmailAddress, type Mail, type MailAddress } from './mail.ts'
import { MailError, toMailError } from './mail-error.ts'

export type Mailer = {
  send(mail: Mail): Promise<{ messageId: string }>
  verify(): Promise<void>
  close(): Promise<void>
}

type TrackedMail = SendMailOptions & { onBodySent: () => void }

export function openMailer({ SMTP_URL, MAIL_FROM }: Pick<Config, 'SMTP_URL' | 'MAIL_FROM'>): Mailer {
  if (!isEmailAddress(MAIL_FROM)) throw new Error('MAIL_FROM must be an email address such as no-reply@example.com')
  return SMTP_URL ? smtpMailer(SMTP_URL, MAIL_FROM) : unconfiguredMailer()
}

function smtpMailer(url: string, from: string): Mailer {
  const transport = openTransport(url)
  const inProgress = new Set<Promise<unknown>>()

  async function send(mail: Mail) {
    assertSendable(mail)
    let wasBodySent = false
    const tracked: TrackedMail = {
      ...toMailOptions(mail, from),
      onBodySent: () => {
        wasBodySent = true
      },
    }
    try {
      const { messageId } = await transport.sendMail(tracked)
      return { messageId }
    } catch (error) {
      throw toMailError(error as NodemailerError, wasBodySent)
    }
  }

  return {
    send(mail) {
      const sending = send(mail)
      const settled = sending.catch(() => {}).finally(() => inProgress.delete(settled))
      inProgress.add(settled)
      return sending
    },
    async verify() {
      await transport.verify().catch((error: NodemailerError) => {
        throw toMailError(error, false)
      })
    },
    async close() {
      transport.close()
      await Promise.all(inProgress)
    },
  }
}

function openTransport(url: string) {
  const { password, hostname } = parseSmtpUrl(url)
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 4,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    dnsTimeout: 5_000,
    socketTimeout: 15_000,
    // Passwords are sent unencrypted to localhost only; ?requireTLS=false in the URL overrides this.
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

function parseSmtpUrl(url: string): URL {
  const parsed = URL.parse(url)
  if (!parsed?.hostname || !['smtp:', 'smtps:'].includes(parsed.protocol))
    throw new Error('SMTP_URL must look like smtp://user:password@host:port')
  return parsed
}

function toMailOptions(mail: Mail, from: string): SendMailOptions {
  return {
    from: { name: mail.fromName ?? '', address: from },
    to: [toAddress(mail.to)],
    ...(mail.replyTo && { replyTo: [toAddress(mail.replyTo)] }),
    subject: mail.subject,
    text: mail.text,
    ...(mail.html !== undefined && { html: mail.html }),
    ...(mail.messageId && { messageId: mail.messageId }),
    headers: mail.headers ?? {},
  }
}

const toAddress = ({ name, address }: MailAddress) => ({ name: name ?? '', address })

/** Fails with a temporary error, so that the sending job is retried until SMTP_URL is set. */
function unconfiguredMailer(): Mailer {
  const missing = () =>
    new MailError('SMTP_URL is missing: messages wait until it is set.', {
      isPermanent: false,
      isServerUnavailable: true,
    })
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
