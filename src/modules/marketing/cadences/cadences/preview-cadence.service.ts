import { listEmailRecipients } from '#modules/crm'
import { parseTemplate, readTemplateValues, renderTemplate, type TemplateValues } from '#modules/email'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { invalid, unknownReference } from '#platform/errors'
import { readSenderValues } from '../cadence-records/cadence-status.service.ts'
import { getCadenceRow } from '../cadence-records/cadences.queries.ts'
import { listSteps } from '../cadence-records/steps.queries.ts'
import type { CadencePreview, PreviewRequest } from './cadences.schemas.ts'

/** Renders an email step for a person, with the caller as the sender. */
export async function previewCadenceEmail(
  tx: TenantTx,
  actor: UserActor,
  cadenceId: string,
  { step_id, lead_id, contact_id }: PreviewRequest,
): Promise<CadencePreview> {
  const cadence = await getCadenceRow(tx, cadenceId)
  const step = (await listSteps(tx, [cadence.id])).find(({ id }) => id === step_id)
  if (!step) throw unknownReference('/step_id', 'step of the cadence')
  const { subject_template, body_template } = step
  if (subject_template === null || body_template === null)
    throw invalid('body', '/step_id', 'template', '`step_id` must be the id of a step with subject and text.')
  const values = {
    ...(await readPersonValues(tx, { lead_id, contact_id })),
    ...(await readSenderValues(tx, [actor.userId])).get(actor.userId),
    unsubscribe_url: 'https://unsubscribe.example/',
  }
  const [subject, html, text] = [
    renderTemplate(parseTemplate(subject_template), values, 'text'),
    renderTemplate(parseTemplate(body_template), values, 'html'),
    renderTemplate(parseTemplate(body_template), values, 'text'),
  ]
  const missing = [subject, html].flatMap((part) => ('missing' in part ? [part.missing] : []))[0] ?? null
  const contentOf = (part: typeof subject) => ('missing' in part ? null : part.content)
  return { subject: contentOf(subject), html: contentOf(html), text: contentOf(text), missing }
}

async function readPersonValues(
  tx: TenantTx,
  { lead_id, contact_id }: Pick<PreviewRequest, 'lead_id' | 'contact_id'>,
): Promise<TemplateValues> {
  if ((lead_id === undefined) === (contact_id === undefined))
    throw invalid('body', '/lead_id', 'required', 'Either `lead_id` or `contact_id` is required.')
  const [kind, id] = lead_id ? (['lead', lead_id] as const) : (['contact', contact_id!] as const)
  if (!(await listEmailRecipients(tx, kind, [id])).length) throw unknownReference(`/${kind}_id`, kind)
  const persons = await readTemplateValues(tx, {
    leadIds: kind === 'lead' ? [id] : [],
    contactIds: kind === 'contact' ? [id] : [],
  })
  return persons.get(id)!
}
