import {
  findForeignLink,
  listUnapproved,
  readAllowedSenders,
  readOwnDomains,
  type SenderField,
  type SenderFields,
} from '#modules/email'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { type InputError, invalidInput, roleRequired } from '#platform/errors'
import type { Services } from '#platform/module'
import type { SurveyEmail } from '../../design/survey-records/survey-details.schemas.ts'
import { replacePlaceholders } from './email-texts.rules.ts'

/** Members must not lead recipients to other sites, because the emails come from the address of the service. */
export async function assertLinksAllowed(
  tx: TenantTx,
  actor: UserActor,
  texts: readonly (string | null | undefined)[],
  { config }: Pick<Services, 'config'>,
): Promise<void> {
  const written = texts.filter((text) => typeof text === 'string')
  if (!written.length || isManagerOrAdmin(actor.role)) return
  const own = await readOwnDomains(tx, config)
  const example = { first_name: null, survey_link: `https://${own[0]}/s/link` }
  for (const text of written) {
    const link = findForeignLink(replacePlaceholders(text, example, 'name'), own)
    if (link !== undefined)
      throw roleRequired(
        `A link to another domain (${link.slice(0, 100)}) requires the role manager or admin. Ask an admin to add the domain to \`sending.link_domains\`.`,
      )
  }
}

export const changedTexts = (email: SurveyEmail, current?: SurveyEmail): string[] =>
  (['subject', 'body'] as const).flatMap((field) =>
    Object.entries(email[field]).flatMap(([language, text]) => (current?.[field]?.[language] === text ? [] : [text])),
  )

type EmailedSurvey = { owner_id: string; email: SenderFields }

/** Rejects new values only: stored ones that are no longer allowed are replaced when an email is sent. */
export async function assertSenderAllowed(tx: TenantTx, survey: EmailedSurvey, current?: SenderFields): Promise<void> {
  const changed = listFields(survey.email).filter((field) => survey.email[field] !== current?.[field])
  if (!changed.length) return
  const unapproved = await findUnapprovedFields(tx, [survey])
  const problems = unapproved(survey).filter((field) => changed.includes(field))
  if (problems.length) throw invalidInput(problems.map(toProblem))
}

const rules: Record<SenderField, string> = {
  from_name:
    'the name of the workspace, its sender name, the name of the owner or one of `sending.allowed_from_names` of the settings',
  reply_to:
    '`sending.from_address`, the email address of the owner or one of `sending.allowed_reply_to` of the settings',
}

const toProblem = (field: SenderField): InputError => ({
  in: 'body',
  path: `/email/${field}`,
  code: 'not_allowed',
  message: `\`${field}\` must be ${rules[field]}. Ask an admin to add it.`,
})

const listFields = (email: SenderFields): SenderField[] =>
  (['from_name', 'reply_to'] as const).filter((field) => (email[field] ?? null) !== null)

export async function findUnapprovedFields<T extends EmailedSurvey>(
  tx: TenantTx,
  surveys: readonly T[],
): Promise<(survey: T) => SenderField[]> {
  const named = surveys.filter(({ email }) => listFields(email).length)
  if (!named.length) return () => []
  const allowedOf = await readAllowedSenders(
    tx,
    named.map(({ owner_id }) => owner_id),
  )
  return ({ owner_id, email: { from_name = null, reply_to = null } }) =>
    listUnapproved({ from_name, reply_to }, allowedOf(owner_id))
}
