import {
  listTemplateProblems,
  parseTemplate,
  type TemplateProblem,
} from '../../../../src/modules/email/templates/parse-template.rules.ts'

/** A part of a template as the editor marks it. The parts together are the text. */
export type MarkedPart = { kind: 'text' | 'value' | 'unknown' | 'missing'; text: string }

export type ValueNames = ReadonlySet<string>

type Marks = {
  /** Undefined while the names are being loaded. */
  known: ValueNames | undefined
  /** Values that the person of the preview lacks. */
  missing?: ValueNames
}

/** Marks the values of a text: those that do not exist, and those that the shown person lacks and that have no fallback. */
export function markTemplate(text: string, { known, missing }: Marks): MarkedPart[] {
  const marked: MarkedPart[] = []
  let end = 0
  for (const { name, fallback, start, close } of listValues(text)) {
    if (start > end) marked.push({ kind: 'text', text: text.slice(end, start) })
    const isMissing = fallback === null && missing?.has(name)
    const kind = known && !known.has(name) ? 'unknown' : isMissing ? 'missing' : 'value'
    marked.push({ kind, text: text.slice(start, close) })
    end = close
  }
  if (end < text.length) marked.push({ kind: 'text', text: text.slice(end) })
  return marked
}

type PlacedValue = { name: string; fallback: string | null; start: number; close: number }

const listValues = (text: string): PlacedValue[] =>
  parseTemplate(text).parts.flatMap((part) =>
    typeof part === 'string'
      ? []
      : [{ ...part, start: part.position - 1, close: text.indexOf('}}', part.position - 1) + 2 }],
  )

export const findTemplateProblem = (text: string, known: ValueNames | undefined): TemplateProblem | undefined =>
  listTemplateProblems(parseTemplate(text), known ?? new Set(listValues(text).map(({ name }) => name)))[0]

/** The name of the value at the position of a problem, as the API counts it. */
export const valueAt = (text: string, { position }: TemplateProblem): string =>
  listValues(text).find(({ start }) => start === position - 1)?.name ?? ''

/** The value that is being typed before the caret, from its braces on. */
export function findOpenValue(text: string, caret: number): { start: number; typed: string } | undefined {
  const start = text.lastIndexOf('{{', caret - 2)
  if (start < 0 || caret < start + 2) return undefined
  const typed = text.slice(start + 2, caret)
  return /[{}|\r\n]/.test(typed) ? undefined : { start, typed: typed.trim() }
}

type Completion = {
  /** The end of what is replaced, which begins with the braces. */
  end: number
  inserted: string
  /** The place of the caret afterwards. */
  caret: number
}

/** Completes the value that is being typed. A fallback and braces that close it are kept. */
export function completeValue(text: string, start: number, caret: number, key: string): Completion {
  const rest = text.slice(caret)
  const length = rest.search(/[|{}\r\n]/)
  if (rest[length] !== '|' && !rest.startsWith('}}', length))
    return { end: caret, inserted: `{{ ${key} }}`, caret: start + key.length + 6 }
  const end = caret + length
  const inserted = `{{ ${key} `
  return { end, inserted, caret: start + inserted.length + text.indexOf('}}', end) + 2 - end }
}

const missingMarks = ['⟦', '⟧'] as const

/** Gives values without a fallback their name as one, so that a preview shows all that are missing and not only the first. */
export function nameMissing(text: string): string {
  let named = ''
  let end = 0
  for (const { name, fallback, start, close } of listValues(text)) {
    if (fallback !== null) continue
    named += `${text.slice(end, start)}{{ ${name} | ${missingMarks.join(name)} }}`
    end = close
  }
  return named + text.slice(end)
}

export type PreviewPart = { text: string; missing?: string }

/** Splits a rendered text at the names of missing values. */
export function splitMissing(rendered: string): PreviewPart[] {
  return rendered
    .split(/⟦([a-z0-9_.]{1,101})⟧/)
    .map((part, at): PreviewPart => (at % 2 ? { text: '', missing: part } : { text: part }))
    .filter(({ text, missing }) => text !== '' || missing !== undefined)
}

export const listMissing = (...rendered: readonly (string | null)[]): string[] => [
  ...new Set(rendered.flatMap((text) => splitMissing(text ?? '').flatMap(({ missing }) => missing ?? []))),
]

export const countWords = (text: string): number =>
  text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
