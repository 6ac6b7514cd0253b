import { type Command, InvalidArgumentError } from 'commander'
import { Value } from 'typebox/value'
import { Email } from '#platform/schema'

export const addCommand = (parent: Command, name: string, description: string): Command =>
  parent.command(name).description(description).option('--json', 'print the result as JSON')

export function parseEmailAddress(text: string): string {
  if (!Value.Check(Email, text)) throw new InvalidArgumentError('Must be a valid email address.')
  return text
}

export const parseTextUpTo =
  (maxLength: number) =>
  (text: string): string => {
    const trimmed = text.trim()
    if (!trimmed || trimmed.length > maxLength || /\p{Cc}/u.test(trimmed))
      throw new InvalidArgumentError(`Must be 1 to ${maxLength} characters on one line.`)
    return trimmed
  }

export const parseWholeNumber =
  (minimum: number, maximum: number) =>
  (text: string): number => {
    const number = Number(text)
    if (!/^\d+$/.test(text) || number < minimum || number > maximum)
      throw new InvalidArgumentError(`Must be a whole number from ${minimum} to ${maximum}.`)
    return number
  }

export const collectOption = (text: string, previous: string[] = []): string[] => [...previous, text]
