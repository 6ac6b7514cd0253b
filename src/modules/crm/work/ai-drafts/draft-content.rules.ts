import type { DraftEmailRequest, EmailContent, LeadEmailDraft } from './assist.schemas.ts'
import { type AssistContext, truncate } from './assist-context.rules.ts'

/** Names are not sent to a model; it writes these placeholders instead. */
export function placeholderValues({ lead, ownerName }: AssistContext): Record<string, string> {
  const names = { first_name: lead.first_name, last_name: lead.last_name, sender_name: ownerName }
  return Object.fromEntries(Object.entries(names).filter((entry): entry is [string, string] => entry[1] !== null))
}

const placeholder = /\{\{\s*(\w+)\s*\}\}/g

/** Returns true if the model refers only to the data it was given and uses only known placeholders. */
export function isUsableEmail(email: EmailContent, refs: ReadonlySet<string>, values: Record<string, string>): boolean {
  const text = `${email.subject}\n${email.body_text}`
  const placeholders = [...text.matchAll(placeholder)].map(([, name]) => name!)
  const rest = text.replace(placeholder, '')
  return (
    email.grounded_on.every((ref) => refs.has(ref)) &&
    placeholders.every((name) => Object.hasOwn(values, name)) &&
    !/\{\{|\}\}/.test(rest)
  )
}

/** Replaces all placeholders in one pass, so that a name that looks like a placeholder is kept. */
export function fillPlaceholders(email: EmailContent, values: Record<string, string>): EmailContent {
  const fill = (text: string) => text.replace(placeholder, (_, name) => values[name]!)
  const used = Object.keys(values).filter((name) =>
    [...`${email.subject}\n${email.body_text}`.matchAll(placeholder)].some(([, usedName]) => usedName === name),
  )
  return {
    subject: truncate(fill(email.subject).replace(/\s+/g, ' '), 120),
    body_text: fill(email.body_text),
    grounded_on: [...email.grounded_on, ...used.map((name) => (name === 'sender_name' ? 'owner' : name))],
  }
}

const link = /https?:|www\.|[^\s@]@[^\s@]|\w\.[a-z]{2,}\//i

export function draftWarnings(
  { lead, ownerName }: AssistContext,
  { language, instructions }: Pick<DraftEmailRequest, 'language' | 'instructions'>,
  { engine, email }: { engine: LeadEmailDraft['engine']; email: EmailContent },
): LeadEmailDraft['warnings'] {
  const isFromTemplate = engine === 'rules'
  const isEnglish = /^en(-|$)/i.test(language)
  const warnings: Record<LeadEmailDraft['warnings'][number], boolean> = {
    no_name: lead.name === null,
    no_owner: ownerName === null,
    english_only: isFromTemplate && !isEnglish,
    instructions_not_followed: isFromTemplate && Boolean(instructions),
    // An inbound message may have tricked the model into adding a link.
    contains_link: link.test(`${email.subject}\n${email.body_text}`),
  }
  return (Object.keys(warnings) as LeadEmailDraft['warnings']).filter((warning) => warnings[warning])
}
