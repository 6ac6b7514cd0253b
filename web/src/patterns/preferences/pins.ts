import { type Pin, parsePin } from './parse-pin.ts'

export const maxPins = 12
const maxLength = 400
const passing = ['open', 'tab', 'compose', 'closed']

/** The path, a space and the name of the page. A path contains no space. */
export const formatPin = ({ path, label }: Pin): string => `${path} ${label}`.slice(0, maxLength)

const indexOf = (pinned: readonly string[], path: string): number =>
  pinned.findIndex((text) => parsePin(text).path === path)

export const isPinned = (pinned: readonly string[], path: string): boolean => indexOf(pinned, path) >= 0

/** Leaves out what only passes, such as the open record, and persons, whose names must not stay after their erasure. */
export function pathToPin(pathname: string, search: string): string {
  const [list] = /^\/(leads|contacts|people)(?=\/)/.exec(pathname) ?? [pathname]
  const query = new URLSearchParams(list === pathname ? search : '')
  for (const name of passing) query.delete(name)
  return query.size ? `${list}?${query}` : list
}

/** A pin beyond the largest number is not added. */
export const addPin = (pinned: readonly string[], pin: Pin): string[] =>
  isPinned(pinned, pin.path) ? [...pinned] : [...pinned, formatPin(pin)].slice(0, maxPins)

export const removePin = (pinned: readonly string[], path: string): string[] =>
  pinned.filter((text) => parsePin(text).path !== path)

/** Moves a pin up or down; at the ends it stays. */
export function movePin(pinned: readonly string[], path: string, by: -1 | 1): string[] {
  const from = indexOf(pinned, path)
  const to = from + by
  if (from < 0 || to < 0 || to >= pinned.length) return [...pinned]
  const others = pinned.toSpliced(from, 1)
  return others.toSpliced(to, 0, pinned[from]!)
}
