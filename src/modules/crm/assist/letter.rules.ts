import type { Draft, DraftWish, Letter } from './assist.schemas.ts'
import { cut, type Material } from './material.rules.ts'

/** Names stay here: a model writes these in their place. */
export function placeholdersFor({ lead, owner }: Material): Record<string, string> {
  const names = { first_name: lead.first_name, last_name: lead.last_name, sender_name: owner }
  return Object.fromEntries(Object.entries(names).filter((entry): entry is [string, string] => entry[1] !== null))
}

const placeholder = /\{\{\s*(\w+)\s*\}\}/g

/** Whether a model kept to what it was given: it refers to nothing else, and leaves no gap that we cannot fill. */
export function isUsable(letter: Letter, refs: ReadonlySet<string>, names: Record<string, string>): boolean {
  const text = `${letter.subject}\n${letter.body_text}`
  const gaps = [...text.matchAll(placeholder)].map(([, name]) => name!)
  const rest = text.replace(placeholder, '')
  return (
    letter.grounded_on.every((ref) => refs.has(ref)) &&
    gaps.every((name) => Object.hasOwn(names, name)) &&
    !/\{\{|\}\}/.test(rest)
  )
}

/** In one go, so that a name that looks like a gap stays a name. */
export function fillNames(letter: Letter, names: Record<string, string>): Letter {
  const fill = (text: string) => text.replace(placeholder, (_, name) => names[name]!)
  const used = Object.keys(names).filter((name) =>
    [...`${letter.subject}\n${letter.body_text}`.matchAll(placeholder)].some(([, gap]) => gap === name),
  )
  return {
    subject: cut(fill(letter.subject).replace(/\s+/g, ' '), 120),
    body_text: fill(letter.body_text),
    grounded_on: [...letter.grounded_on, ...used.map((name) => (name === 'sender_name' ? 'owner' : name))],
  }
}

const link = /https?:|www\.|[^\s@]@[^\s@]|\w\.[a-z]{2,}\//i

/** What somebody should look at before they send it. */
export function warningsFor(
  { lead, owner }: Material,
  { language, instructions }: Pick<DraftWish, 'language' | 'instructions'>,
  { engine, letter }: { engine: Draft['engine']; letter: Letter },
): Draft['warnings'] {
  const isByRules = engine === 'rules'
  const isEnglish = /^en(-|$)/i.test(language)
  const found: Record<Draft['warnings'][number], boolean> = {
    no_name: lead.name === null,
    no_owner: owner === null,
    english_only: isByRules && !isEnglish,
    instructions_not_followed: isByRules && Boolean(instructions),
    // Whoever wrote to us may have wanted a model to put it there.
    contains_link: link.test(`${letter.subject}\n${letter.body_text}`),
  }
  return (Object.keys(found) as Draft['warnings']).filter((warning) => found[warning])
}
