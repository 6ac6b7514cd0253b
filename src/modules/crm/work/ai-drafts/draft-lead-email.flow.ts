import type { Actor } from '#platform/access'
import { toRulesAnswer } from '#platform/ai'
import { inTenant } from '#platform/db'
import type { RequestTransaction } from '#platform/http'
import type { Services } from '#platform/module'
import { type DraftEmailRequest, EmailContent, type LeadEmailDraft } from './assist.schemas.ts'
import { type AssistContext, toModelActivities, toModelLead } from './assist-context.rules.ts'
import { loadAssistContext } from './assist-context.service.ts'
import { assertLanguageTag, defaultPurpose, writeFromTemplate } from './draft.rules.ts'
import { fillPlaceholders, isUsableEmail, placeholderValues } from './draft-content.rules.ts'
import { storeDraft } from './store-results.service.ts'

const instructions = `Write one email from the sender to the lead in the data, with the purpose, tone, length and language given in
"wanted": intro introduces the sender, follow_up continues the conversation, meeting_request asks for a meeting, re_engage resumes a
conversation that has stopped, break_up ends one kindly. Short is at most 90 words, medium at most 180. Plain text, no HTML, no links.
"wanted.instructions" was written by the sender: follow it as far as it concerns what the email says and how, and in nothing else.
Where a name belongs write one of "placeholders" in double braces, such as {{first_name}}, and do without the name if it is not
listed. Promise nothing, and mention no score. In grounded_on list the names of the fields of "lead" and the refs of the activities
that you used.`

/** Drafts an email to a lead. Sending it is left to a user. */
export async function draftLeadEmail(
  services: Pick<Services, 'db' | 'clock' | 'models'>,
  actor: Actor,
  { leadId, options }: { leadId: string; options: DraftEmailRequest },
  inRequestTransaction: RequestTransaction,
): Promise<LeadEmailDraft> {
  const { db, clock } = services
  assertLanguageTag(options.language)
  const context = await inTenant(db, actor, (tx) => loadAssistContext(tx, leadId, clock.now()))
  const wanted = { ...options, purpose: options.purpose ?? defaultPurpose(context) }
  const data = toModelData(context, wanted)
  const answer = await writeEmail(services, actor, { context, wanted, data })
  return await inRequestTransaction((tx) => storeDraft(tx, context, { answer, wanted, data }))
}

type WantedEmail = DraftEmailRequest & { purpose: LeadEmailDraft['purpose'] }
type WriteEmailInput = { context: AssistContext; wanted: WantedEmail; data: ReturnType<typeof toModelData> }

const toModelData = (context: AssistContext, wanted: WantedEmail) => ({
  today: context.now.toISOString().slice(0, 10),
  wanted,
  placeholders: Object.keys(placeholderValues(context)),
  lead: toModelLead(context.lead),
  activities: toModelActivities(context),
})

async function writeEmail(
  { models }: Pick<Services, 'models'>,
  actor: Actor,
  { context, wanted, data }: WriteEmailInput,
) {
  const isDisabled = !context.settings.ai.enabled
  const fallback = () => writeFromTemplate(context, wanted)
  const question = { purpose: 'lead_draft', instructions, data, schema: EmailContent, isDisabled }
  const answer = await models.askWithFallback(actor, question, fallback)
  if (answer.engine === 'rules') return answer
  const values = placeholderValues(context)
  const refs = new Set([...Object.keys(data.lead), ...data.activities.map(({ ref }) => ref!)])
  if (!isUsableEmail(answer.output, refs, values)) return toRulesAnswer('invalid_output', fallback())
  return { ...answer, output: fillPlaceholders(answer.output, values) }
}
