import { type Mail, MailError } from '#platform/mail'
import type { Random } from '#platform/module'

export type ScriptedMailServer = ReturnType<typeof createMailServer>

type Observer = { onAccepted(mail: Mail): Promise<void>; onUnknownAddress(address: string): void }

/**
 * Takes the place of the SMTP client of the dispatcher: accepts, rejects, is down, loses the connection, or its worker is killed before
 * it has stored a result. The observer learns what has left the system.
 */
export function createMailServer({ chance }: Random, { onAccepted, onUnknownAddress }: Observer) {
  let isUp = true
  let acceptedByNext = Infinity
  let worker = { remaining: Infinity, killed: Promise.withResolvers<void>() }

  async function send(mail: Mail): Promise<{ messageId: string }> {
    const current = worker
    if (current.remaining <= 0) {
      current.killed.resolve()
      // A killed worker never learns the result.
      return await new Promise(() => {})
    }
    if (!isUp) throw new MailError('The mail server is down.', { isPermanent: false, isServerUnavailable: true })
    if (chance(0.02)) throw new MailError('Try later.', { isPermanent: false, smtpCode: 450 })
    if (chance(0.02)) throw new MailError('Rejected.', { isPermanent: true, smtpCode: 550, smtpStatus: '5.7.1' })
    if (chance(0.02)) {
      onUnknownAddress(mail.to.address)
      throw new MailError('Unknown user.', { isPermanent: true, smtpCode: 550, smtpStatus: '5.1.1' })
    }
    current.remaining--
    const isLost = chance(0.01)
    if (!isLost || chance(0.5)) await onAccepted(mail)
    if (isLost) throw new MailError('The connection was lost.', { isPermanent: false, mayHaveArrived: true })
    return { messageId: mail.messageId! }
  }

  return {
    send,
    setUp: (value: boolean) => {
      isUp = value
    },
    /** The worker of the next dispatcher is killed after it has sent this number of emails. */
    killNextAfter: (emails: number) => {
      acceptedByNext = emails
    },
    /** Returns a promise that is settled when the worker is killed. */
    startWorker(): Promise<void> {
      worker = { remaining: acceptedByNext, killed: Promise.withResolvers<void>() }
      acceptedByNext = Infinity
      return worker.killed.promise
    },
    isExpected: (error: Error) => error instanceof MailError || /delivery of an email is uncertain/.test(error.message),
  }
}
