export type { Mail, MailAddress, MailContent, MailFact, MailScores } from './mail.ts'
export { MailError } from './mail-error.ts'
export { type Mailer, openMailer } from './mailer.ts'
export { renderMail } from './render-mail.ts'
