export type { Mail, MailAddress } from './mail.ts'
export { MailError } from './mail-error.ts'
export { type Mailer, openMailer } from './mailer.ts'
export { type MailContent, renderMail } from './render-mail.ts'
