import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { invalid, invalidInput } from '#platform/errors'
import { getCadenceRow } from '../cadence-records/cadences.queries.ts'
import type { CadencePreview, PreviewRequest } from './cadence-templates.schemas.ts'
import { type EmailTemplate, listTemplateErrors, readStepTemplate, renderForPerson } from './render-template.service.ts'

/** Renders an email for a person, with the caller as the sender. */
export async function previewCadenceEmail(
  tx: TenantTx,
  actor: UserActor,
  cadenceId: string,
  request: PreviewRequest,
): Promise<CadencePreview> {
  const cadence = await getCadenceRow(tx, cadenceId)
  const template = await readTemplate(tx, cadence.id, request)
  return await renderForPerson(tx, actor.userId, template, request)
}

async function readTemplate(
  tx: TenantTx,
  cadenceId: string,
  { step_id, subject_template, body_template }: PreviewRequest,
): Promise<EmailTemplate> {
  const isGiven = subject_template !== undefined || body_template !== undefined
  if ((step_id === undefined) !== isGiven)
    throw invalid('body', '/step_id', 'required', 'Either `step_id` or a template is required.')
  if (step_id !== undefined) return await readStepTemplate(tx, cadenceId, step_id)
  const template = { subject_template: subject_template ?? null, body_template: body_template ?? null }
  const errors = await listTemplateErrors(tx, template)
  if (errors.length) throw invalidInput(errors)
  return template
}
