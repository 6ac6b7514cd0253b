import { createHash } from 'node:crypto'
import type { UserCard } from '#modules/identity'
import { invalid } from '#platform/errors'
import type { RoomSettings } from '../rooms/room-access.rules.ts'

export const maxMentions = 10
export const minTitleLength = 3
const excerptLength = 280

/** Control characters and characters that change the direction of text. */
const unsafeCharacters = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

export function cleanTitle(title: string): string {
  const cleaned = title.replace(/\s+/g, ' ').replace(unsafeCharacters, '').trim()
  if (cleaned.length < minTitleLength)
    throw invalid('body', '/title', 'minLength', `\`title\` must have at least ${minTitleLength} visible characters.`)
  return cleaned
}

/** Equal for texts that differ only in case and white space. */
export const hashBody = (body: string): Buffer =>
  createHash('sha256').update(body.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()).digest()

export function toExcerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= excerptLength) return line
  return `${line.slice(0, excerptLength - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

export function assertFewMentions(mentionedIds: readonly string[]): void {
  if (mentionedIds.length > maxMentions)
    throw invalid('body', '/body', 'too_many_mentions', `\`body\` must not mention more than ${maxMentions} users.`)
}

export const formerMember = 'Former member'
const hiddenMember = 'Member'

/** Erased users keep their posts without a name; deactivated ones stay named. */
export const memberName = (user: Pick<UserCard, 'name' | 'status'> | undefined): string =>
  user === undefined || user.status === 'erased' ? formerMember : user.name

export function publicName(
  user: Pick<UserCard, 'name' | 'status'> | undefined,
  names: RoomSettings['public_author_names'],
): string {
  const name = memberName(user)
  if (name === formerMember || names === 'full') return name
  return names === 'hidden' ? hiddenMember : firstNameOf(name)
}

const firstNameOf = (name: string): string => name.split(/\s+/)[0] ?? name
