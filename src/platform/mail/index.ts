export type { Mail, MailAddress } from './mail.ts'
export { MailRefused } from './mail-refused.ts'
export { type Mailer, openMailer } from './mailer.ts'
export { type MailContent, renderMail } from './render-mail.ts'
