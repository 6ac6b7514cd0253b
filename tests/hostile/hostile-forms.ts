/** Texts that made parsers, regular expressions and layouts slow elsewhere, repeated to the wanted length. */
const parts = {
  dots: '.',
  blanks: ' ',
  brackets: '[(<{',
  comments: '<!---->',
  'combining marks': 'e\u0301\u0323\u0308',
  'long words': 'Aa',
  'nested lists': '> - 1. ',
  digits: '9',
  backslashes: '\\',
  mixed: 'a? "b",\t<c>;{{d}} https://e.example/f. \n',
} as const

export type Form = keyof typeof parts
export const forms = Object.keys(parts) as Form[]

/** Begins and ends with a letter, because texts are trimmed. The text has exactly the length. */
export function hostileText(form: Form, length: number): string {
  const part = parts[form]
  if (length < 3) return 'a'.repeat(length)
  return `a${part.repeat(Math.ceil(length / part.length)).slice(0, length - 2)}a`
}
