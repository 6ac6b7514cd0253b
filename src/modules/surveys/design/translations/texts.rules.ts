import type { InputError } from '#platform/errors'
import { listAcceptedLanguages } from '#platform/html'
import type { TextInput, TextMap } from './texts.schemas.ts'

export type Languages = { default_language: string; languages: readonly string[] }

/** A string changes only the text of the default language; null deletes all texts. */
export function toTextMap(input: TextInput | null, { default_language }: Languages, current: TextMap = {}): TextMap {
  if (input === null) return {}
  return typeof input === 'string' ? { ...current, [default_language]: input } : input
}

export function listLanguageProblems(path: string, map: TextMap, { languages }: Languages): InputError[] {
  return Object.keys(map)
    .filter((language) => !languages.includes(language))
    .map((language) => ({
      in: 'body',
      path: `${path}/${language}`,
      code: 'unknown_language',
      message: `\`${language}\` must be one of \`languages\` of the survey.`,
    }))
}

export const textIn = (map: TextMap, language: string, { default_language }: Languages): string | null =>
  map[language] ?? map[default_language] ?? null

export const withoutLanguages = (map: TextMap, removed: readonly string[]): TextMap =>
  Object.fromEntries(Object.entries(map).filter(([language]) => !removed.includes(language)))

/** Chooses the requested language, otherwise the best of `Accept-Language`, otherwise the default one. */
export function chooseLanguage(
  survey: Languages,
  { requested, acceptLanguage }: { requested: readonly (string | null | undefined)[]; acceptLanguage?: string },
): string {
  const accepted = listAcceptedLanguages(acceptLanguage)
  for (const wanted of [...requested, ...accepted]) {
    const found = wanted && findLanguage(survey.languages, wanted)
    if (found) return found
  }
  return survey.default_language
}

function findLanguage(languages: readonly string[], wanted: string): string | undefined {
  const tag = wanted.toLowerCase()
  const primary = tag.split('-')[0]!
  return (
    languages.find((language) => language.toLowerCase() === tag) ??
    languages.find((language) => language.toLowerCase() === primary) ??
    languages.find((language) => language.toLowerCase().split('-')[0] === primary)
  )
}
