import { type Command, InvalidArgumentError } from 'commander'
import { Value } from 'typebox/value'
import { Email } from '#platform/schema'

/** A command that can also answer in JSON, for programs. */
export const commandOf = (parent: Command, name: string, description: string): Command =>
  parent.command(name).description(description).option('--json', 'answer in JSON')

export function emailAddress(text: string): string {
  if (!Value.Check(Email, text)) throw new InvalidArgumentError('This is no e-mail address.')
  return text
}

export const textUpTo =
  (maxLength: number) =>
  (text: string): string => {
    const trimmed = text.trim()
    if (!trimmed || trimmed.length > maxLength || /\p{Cc}/u.test(trimmed))
      throw new InvalidArgumentError(`Write 1 to ${maxLength} characters on one line.`)
    return trimmed
  }

export const wholeNumber =
  (minimum: number, maximum: number) =>
  (text: string): number => {
    const number = Number(text)
    if (!/^\d+$/.test(text) || number < minimum || number > maximum)
      throw new InvalidArgumentError(`Write a whole number from ${minimum} to ${maximum}.`)
    return number
  }

export const oneMore = (text: string, before: string[] = []): string[] => [...before, text]
