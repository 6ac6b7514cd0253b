import type { ErasedPerson } from '#platform/module'

export const erasedText = '[erased]'

export const mentionsOf = ({ email_keys, phones, names }: ErasedPerson): string[] => [
  ...email_keys,
  ...phones,
  ...names,
]

export function toMentionPattern(mentions: readonly string[]): RegExp | null {
  const escaped = mentions.map((mention) => mention.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const longestFirst = escaped.toSorted((one, other) => other.length - one.length)
  return escaped.length ? new RegExp(`(?<![\\p{L}\\p{N}])(?:${longestFirst.join('|')})(?![\\p{L}\\p{N}])`, 'giu') : null
}

export const eraseMentions = <T extends string | null>(text: T, pattern: RegExp | null): T =>
  (text && pattern ? text.replace(pattern, erasedText) : text) as T
