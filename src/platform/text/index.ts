/** Removes characters from the start. Unlike a regular expression with `^` and `$`, it reads every character at most once. */
export function trimStartOf(text: string, character: RegExp): string {
  let start = 0
  while (start < text.length && character.test(text[start]!)) start++
  return text.slice(start)
}

export function trimEndOf(text: string, character: RegExp): string {
  let end = text.length
  while (end > 0 && character.test(text[end - 1]!)) end--
  return text.slice(0, end)
}
export { isBot } from './user-agents.ts'
