import { listEmailRecipients } from '#modules/crm'
import {
  listTemplateProblems,
  parseTemplate,
  readTemplateValues,
  readTemplateVariables,
  renderTemplate,
  type TemplateValues,
  testUnsubscribeUrl,
} from '#modules/email'
import type { TenantTx } from '#platform/db'
import { type InputError, invalid, unknownReference } from '#platform/errors'
import { readSenderValues } from '../cadence-records/cadence-status.service.ts'
import { listSteps, type StepRow } from '../cadence-records/steps.queries.ts'
import type { CadencePreview, TemplatePerson } from './cadence-templates.schemas.ts'

export type EmailTemplate = Pick<StepRow, 'subject_template' | 'body_template'>

export async function readStepTemplate(tx: TenantTx, cadenceId: string, stepId: string): Promise<EmailTemplate> {
  const step = (await listSteps(tx, [cadenceId])).find(({ id }) => id === stepId)
  if (!step) throw unknownReference('/step_id', 'step of the cadence')
  if (step.subject_template === null || step.body_template === null)
    throw invalid('body', '/step_id', 'template', '`step_id` must be the id of a step with subject and text.')
  return step
}

export async function listTemplateErrors(tx: TenantTx, template: EmailTemplate): Promise<InputError[]> {
  const variables = await readTemplateVariables(tx)
  return (['subject_template', 'body_template'] as const).flatMap((field) =>
    listTemplateProblems(parseTemplate(template[field] ?? ''), variables).map(
      ({ code, message }): InputError => ({ in: 'body', path: `/${field}`, code, message }),
    ),
  )
}

/** A part that has no template, or whose value is missing, is null. */
export async function renderForPerson(
  tx: TenantTx,
  senderId: string,
  { subject_template, body_template }: EmailTemplate,
  person: TemplatePerson,
): Promise<CadencePreview> {
  const values = {
    ...(await readPersonValues(tx, person)),
    ...(await readSenderValues(tx, [senderId])).get(senderId),
    unsubscribe_url: testUnsubscribeUrl,
  }
  const render = (template: string | null, format: 'text' | 'html') =>
    template === null ? undefined : renderTemplate(parseTemplate(template), values, format)
  const [subject, html, text] = [
    render(subject_template, 'text'),
    render(body_template, 'html'),
    render(body_template, 'text'),
  ]
  const missing = [subject, html].flatMap((part) => (part && 'missing' in part ? [part.missing] : []))[0] ?? null
  const contentOf = (part: typeof subject) => (part && 'content' in part ? part.content : null)
  return { subject: contentOf(subject), html: contentOf(html), text: contentOf(text), missing }
}

async function readPersonValues(tx: TenantTx, { lead_id, contact_id }: TemplatePerson): Promise<TemplateValues> {
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
