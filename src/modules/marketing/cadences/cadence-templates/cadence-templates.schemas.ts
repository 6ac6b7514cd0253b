import { type Static, Type } from 'typebox'
import { templateVariableGroups } from '#modules/email'
import { Id, listOf, named, nullable, strict, withExample } from '#platform/schema'
import { BodyTemplate, SubjectTemplate } from '../cadence-records/step-templates.schemas.ts'

const text = nullable(Type.String())

const person = {
  lead_id: Type.Optional({ ...Id, description: 'Lead whose values are used. Required without `contact_id`.' }),
  contact_id: Type.Optional({ ...Id, description: 'Contact whose values are used. Required without `lead_id`.' }),
}
export type TemplatePerson = { lead_id?: string; contact_id?: string }

export const PreviewRequest = withExample(
  strict({
    step_id: Type.Optional({
      ...Id,
      description: 'Email step of the cadence. Required without `subject_template` and `body_template`.',
    }),
    subject_template: Type.Optional({
      ...SubjectTemplate,
      description: 'Subject with variables, instead of the one of a step.',
    }),
    body_template: Type.Optional({
      ...BodyTemplate,
      description: 'Text with variables, instead of the one of a step.',
    }),
    ...person,
  }),
  { step_id: '0190a000-0000-7000-8000-000000000001', lead_id: '0190a000-0000-7000-8000-000000000002' },
)
export type PreviewRequest = Static<typeof PreviewRequest>

export const CadencePreview = named(
  'CadencePreview',
  strict({
    subject: text,
    html: text,
    text: text,
    missing: nullable(
      Type.String({ description: 'Variable that has no value and no fallback. An enrollment would be paused.' }),
    ),
  }),
)
export type CadencePreview = Static<typeof CadencePreview>

export const TestEmailRequest = withExample(
  strict({ step_id: { ...Id, description: 'Email step of the cadence.' }, ...person }),
  { step_id: '0190a000-0000-7000-8000-000000000001', lead_id: '0190a000-0000-7000-8000-000000000002' },
)
export type TestEmailRequest = Static<typeof TestEmailRequest>

export const SentTestEmail = named(
  'SentTestEmail',
  strict({ sent_to: Type.String({ description: 'Email address of the caller.' }) }),
)
export type SentTestEmail = Static<typeof SentTestEmail>

export const TemplateVariables = listOf(
  strict({
    key: Type.String({ description: 'Name between the braces of a template, such as `first_name`.' }),
    label: Type.String(),
    group: Type.Enum([...templateVariableGroups], {
      description: 'What the value belongs to: the person, the company, the sender, a custom field or the email.',
    }),
  }),
)
export type TemplateVariables = Static<typeof TemplateVariables>
