import type { NodemailerError } from 'nodemailer'

type Outcome = {
  isPermanent: boolean
  mayHaveArrived?: boolean
  smtpCode?: number | null
  smtpStatus?: string | null
}

/** A mail that did not go out. Neither message nor fields name people, servers or passwords, so all of it may be logged. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
  /** Trying again cannot help: the address does not exist, or the mail itself is not acceptable. */
  readonly isPermanent: boolean
  /** The server had the whole mail when the line broke: it may have been delivered, and a second try may double it. */
  readonly mayHaveArrived: boolean
  readonly smtpCode: number | null
  /** The enhanced status, such as 5.1.1 for an unknown mailbox. */
  readonly smtpStatus: string | null

  constructor(message: string, { isPermanent, mayHaveArrived = false, smtpCode = null, smtpStatus = null }: Outcome) {
    super(message)
    this.isPermanent = isPermanent
    this.mayHaveArrived = mayHaveArrived
    this.smtpCode = smtpCode
    this.smtpStatus = smtpStatus
  }
}

/** The server wants a login or encryption first: the operator's to mend, and no fault of the mail. */
const setupCodes = [530, 534, 535, 538]

export function asRefusal(error: NodemailerError, wasBodySent: boolean): MailRefused {
  const smtpCode = error.responseCode ?? null
  const smtpStatus = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(error.response ?? '')?.[1] ?? null
  if (error.code === 'EAUTH' || (smtpCode && setupCodes.includes(smtpCode)))
    return new MailRefused('The mail server did not accept the login. Check user name and password in SMTP_URL.', {
      isPermanent: false,
      smtpCode,
      smtpStatus,
    })
  if (error.code !== 'EENVELOPE' && error.code !== 'EMESSAGE') return brokenLine(error, wasBodySent)
  if (!smtpCode)
    return new MailRefused('The mail is larger than the mail server takes, or not well formed.', { isPermanent: true })

  const isPermanent = error.permanent ?? false
  const answer = smtpStatus ? `${smtpCode} ${smtpStatus}` : String(smtpCode)
  const said = isPermanent ? 'refused the mail for good' : 'did not take the mail for now'
  return new MailRefused(`The mail server ${said} (${answer}).`, { isPermanent, smtpCode, smtpStatus })
}

function brokenLine(error: NodemailerError, wasBodySent: boolean): MailRefused {
  const smtpCode = error.responseCode ?? null
  const what = error.originalCode ?? error.code ?? 'unknown'
  return new MailRefused(`The mail server cannot be reached, or the connection broke (${what}).`, {
    isPermanent: false,
    mayHaveArrived: wasBodySent && smtpCode === null,
    smtpCode,
  })
}
