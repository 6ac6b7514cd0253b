import { findCountry, toPlainName } from './countries.rules.ts'

const statusWords: Record<string, readonly string[]> = {
  new: ['neu', 'nouveau', 'open', 'offen', 'ouvert', 'opennotcontacted'],
  contacted: ['attemptedtocontact', 'attempted', 'connected', 'kontaktiert', 'contacte'],
  working: ['workingcontacted', 'inprogress', 'inbearbeitung', 'encours', 'opendeal'],
  nurturing: ['nurture', 'badtiming'],
  qualified: ['qualifiziert', 'qualifie'],
  unqualified: ['disqualified', 'nichtqualifiziert', 'nonqualifie', 'closednotconverted'],
}
const stageWords: Record<string, readonly string[]> = {
  subscriber: ['abonnent', 'abonne'],
  lead: ['interessent', 'prospect'],
  mql: ['marketingqualifiedlead'],
  sql: ['salesqualifiedlead'],
  opportunity: ['verkaufschance', 'opportunite'],
  customer: ['kunde', 'client'],
}

const toLookup = (words: Record<string, readonly string[]>): ReadonlyMap<string, string> =>
  new Map(Object.entries(words).flatMap(([value, names]) => names.map((name) => [name, value])))

const lookups: Record<string, ReadonlyMap<string, string>> = {
  status: toLookup(statusWords),
  lifecycle_stage: toLookup(stageWords),
}

const maxWordLength = 200

export function toFieldValue(fieldName: string, text: string): string {
  const word = text.trim()
  if (word.length > maxWordLength) return word
  if (fieldName === 'country') return findCountry(word) ?? word.toUpperCase()
  if (fieldName === 'source') return toSourceKey(word)
  return lookups[fieldName]?.get(toPlainName(word)) ?? word.toLowerCase()
}

const toSourceKey = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, 50)
