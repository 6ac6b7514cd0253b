import type { NodemailerError } from 'nodemailer'

type MailErrorDetails = {
  isPermanent: boolean
  mayHaveArrived?: boolean
  isServerUnavailable?: boolean
  smtpCode?: number | null
  smtpStatus?: string | null
}

/** Thrown when a mail was not sent. Contains no addresses, hosts or passwords, so it can be logged. */
export class MailError extends Error {
  override readonly name = 'MailError'
  readonly isPermanent: boolean
  /** True if the connection was lost after the body was sent: the mail may be delivered, and a retry may duplicate it. */
  readonly mayHaveArrived: boolean
  /** True if no email can be sent now: the server is unreachable, not configured or does not accept the login. */
  readonly isServerUnavailable: boolean
  readonly smtpCode: number | null
  readonly smtpStatus: string | null

  constructor(
    message: string,
    {
      isPermanent,
      mayHaveArrived = false,
      isServerUnavailable = false,
      smtpCode = null,
      smtpStatus = null,
    }: MailErrorDetails,
  ) {
    super(message)
    this.isPermanent = isPermanent
    this.mayHaveArrived = mayHaveArrived
    this.isServerUnavailable = isServerUnavailable
    this.smtpCode = smtpCode
    this.smtpStatus = smtpStatus
  }
}

/** Authentication or encryption required: a configuration error, so the mail can be retried. */
const configurationErrorCodes = [530, 534, 535, 538]

export function toMailError(error: NodemailerError, wasBodySent: boolean): MailError {
  const smtpCode = error.responseCode ?? null
  const smtpStatus = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(error.response ?? '')?.[1] ?? null
  if (error.code === 'EAUTH' || (smtpCode && configurationErrorCodes.includes(smtpCode)))
    return new MailError('The mail server did not accept the login. Check user name and password in SMTP_URL.', {
      isPermanent: false,
      isServerUnavailable: true,
      smtpCode,
      smtpStatus,
    })
  if (error.code !== 'EENVELOPE' && error.code !== 'EMESSAGE') return toConnectionError(error, wasBodySent)
  if (!smtpCode)
    return new MailError('The message is larger than the mail server accepts, or not well formed.', {
      isPermanent: true,
    })

  const isPermanent = error.permanent ?? false
  const reply = smtpStatus ? `${smtpCode} ${smtpStatus}` : String(smtpCode)
  const outcome = isPermanent ? 'rejected the message permanently' : 'did not accept the message yet'
  return new MailError(`The mail server ${outcome} (${reply}).`, { isPermanent, smtpCode, smtpStatus })
}

function toConnectionError(error: NodemailerError, wasBodySent: boolean): MailError {
  const smtpCode = error.responseCode ?? null
  const code = error.originalCode ?? error.code ?? 'unknown'
  const mayHaveArrived = wasBodySent && smtpCode === null
  return new MailError(`The mail server cannot be reached, or the connection was lost (${code}).`, {
    isPermanent: false,
    mayHaveArrived,
    isServerUnavailable: !mayHaveArrived,
    smtpCode,
  })
}
