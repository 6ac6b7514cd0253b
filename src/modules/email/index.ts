export { email } from './email.module.ts'
export {
  type EmailContent,
  type EmailKind,
  type EmailToRender,
  emailKindPoint,
  type PostponedEmail,
  type SkippedEmail,
} from './messages/email-kind.ts'
export { listEmailsById, listEmailsSentTo, type StoredEmail } from './messages/email-lookup.queries.ts'
export { skipQueuedEmails } from './messages/email-messages.queries.ts'
export { type NewEmail, queueEmails } from './messages/queue-emails.service.ts'
export { createTestMail, testUnsubscribeUrl } from './messages/test-mail.service.ts'
export {
  type EmailPlaces,
  lockEmailPlaces,
  readAddressLimit,
  takeEmailPlaces,
} from './policies/email-places.service.ts'
export { readAllowedSenders, readOwnDomains } from './policies/email-policy.service.ts'
export {
  type AllowedSenders,
  findForeignLink,
  listUnapproved,
  type OwnDomains,
  type SenderField,
  type SenderFields,
} from './policies/link-domains.rules.ts'
export {
  listTemplateProblems,
  type ParsedTemplate,
  parseTemplate,
  type TemplateProblem,
  templateVariables,
} from './templates/parse-template.rules.ts'
export type { TemplateValues } from './templates/template.rules.ts'
export { renderTemplate } from './templates/template-html.rules.ts'
export {
  listTemplateVariables,
  readTemplateValues,
  readTemplateVariables,
} from './templates/template-values.service.ts'
export { templateVariableGroups } from './templates/template-variables.rules.ts'
