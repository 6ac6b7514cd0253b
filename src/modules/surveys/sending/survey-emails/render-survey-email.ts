import { type EmailContent, findForeignLink, type OwnDomains, type SenderField } from '#modules/email'
import { type MailContent, type MailScores, renderMail } from '#platform/mail'
import type { SurveyRow } from '../../design/survey-records/survey-row.ts'
import { emailOf } from '../../design/survey-records/surveys.rules.ts'
import { textIn } from '../../design/translations/texts.rules.ts'
import type { TextMap } from '../../design/translations/texts.schemas.ts'
import { emailTextsIn, formatDay, replacePlaceholders, scoresOf } from './email-texts.rules.ts'

export type PrimaryQuestion = {
  survey_id: string
  question_type: string
  title: TextMap
  rules: { labels?: { low: TextMap; high: TextMap } }
}

export type SurveyEmailInput = {
  survey: SurveyRow
  question: PrimaryQuestion | undefined
  invitation: { language: string; expires_at: Date }
  distribution: { subject: string | null; message: string | null }
  firstName: string | null
  recipients: number
  isReminder: boolean
  workspace: MailContent['workspace']
  postalAddress: string | null
  timezone: string
  unapproved: readonly SenderField[]
  ownDomains: OwnDomains
  surveyUrl: string
  unsubscribeUrl: string
}

/** Renders an invitation or a reminder in the language of the invitation. */
export function renderSurveyEmail(input: SurveyEmailInput): EmailContent {
  const { survey, question, invitation, distribution, isReminder, surveyUrl, unsubscribeUrl } = input
  const { language, expires_at } = invitation
  const texts = emailTextsIn(language)
  const email = emailOf(survey.email)
  const inLanguage = (map: TextMap) => textIn(map, language, survey)
  const onPage = (map: TextMap) => withoutLinks(inLanguage(map), input.ownDomains)
  const firstName = withoutLinks(input.firstName, [])
  const fill = (text: string) => replacePlaceholders(text, { first_name: firstName, survey_link: surveyUrl })
  const asked = question && onPage(question.title)
  const subject = fill(distribution.subject ?? inLanguage(email.subject) ?? asked ?? texts.subject)
  const intro = onPage(survey.intro) ?? texts.request
  const message = fill(distribution.message ?? inLanguage(email.body) ?? `${texts.greeting(firstName)}\n\n${intro}`)
  const endsAt = survey.closes_at !== null && survey.closes_at < expires_at ? survey.closes_at : expires_at
  const until = texts.openUntil(formatDay(endsAt, language, input.timezone))
  const content = renderMail({
    workspace: input.workspace,
    language,
    title: subject,
    preview: texts.preview,
    paragraphs: [
      ...splitParagraphs(message),
      ...(asked && asked !== subject ? [asked] : []),
      ...(survey.anonymous ? [texts.anonymous(input.recipients)] : []),
      ...(isReminder && survey.anonymous ? [texts.alreadyAnswered] : []),
    ],
    ...(question && { scores: toScores(input, question) }),
    action: { label: texts.open, url: surveyUrl },
    footer: [input.postalAddress, until].filter((line) => line !== null).join('\n'),
    footerLink: { label: texts.unsubscribe, url: unsubscribeUrl },
  })
  return {
    subject: isReminder ? texts.reminder(subject) : subject,
    ...content,
    fromName: input.unapproved.includes('from_name') ? null : email.from_name,
    replyTo: input.unapproved.includes('reply_to') ? null : email.reply_to,
  }
}

/** Texts of the page and names must not bring links into the email, because mail programs make links of all URLs. */
const withoutLinks = (text: string | null, own: OwnDomains): string | null =>
  text !== null && findForeignLink(text, own) === undefined ? text : null

const splitParagraphs = (text: string): string[] =>
  text
    .split(/\r?\n[\t ]*\r?\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')

/** The numbers only fill in the form, because mail scanners open all links. */
function toScores(
  { survey, invitation, surveyUrl, ownDomains }: SurveyEmailInput,
  question: PrimaryQuestion,
): MailScores {
  const texts = emailTextsIn(invitation.language)
  const scores = scoresOf(question.question_type)
  const [min, max] = [scores[0]!, scores.at(-1)!]
  const labelOf = (map: TextMap | undefined, score: number) => {
    const label = withoutLinks(textIn(map ?? {}, invitation.language, survey), ownDomains)
    return label === null ? null : `${score} = ${label}`
  }
  return {
    links: scores.map((score) => ({
      label: `${score}`,
      url: `${surveyUrl}?score=${score}`,
      description: texts.outOf(score, max),
    })),
    low: labelOf(question.rules.labels?.low, min),
    high: labelOf(question.rules.labels?.high, max),
    note: texts.scoreNote,
  }
}
