import { randomBytes } from 'node:crypto'
import type { FieldName } from './fields.ts'

const prefix = 'canary'

export type Canaries = {
  /** Returns the word of a field, which occurs in no other text. */
  word(field: FieldName): string
  /** Uses a value that the product has chosen, such as a token, as the word of a field. */
  register(field: FieldName, value: string): void
  fieldNames(): FieldName[]
  /** The beginning of a word, which finds it in a search but is not the word if a response repeats it. */
  beginningOf(field: FieldName): string
  /** Returns the fields whose word occurs in the bytes: as text, in base64, in hexadecimal or percent-encoded. */
  findIn(content: Buffer): FieldName[]
}

export function createCanaries(): Canaries {
  const words = new Map<FieldName, string>()
  const forms = new Map<FieldName, string[]>()
  function register(field: FieldName, value: string): void {
    words.set(field, value)
    forms.set(field, formsOf(value))
  }
  function word(field: FieldName): string {
    if (!words.has(field)) register(field, `${prefix}${field.replace(/[^a-z]/g, '')}x${randomBytes(6).toString('hex')}`)
    return words.get(field)!
  }
  const isChosen = (field: FieldName) => !words.get(field)!.startsWith(prefix)
  return {
    word,
    register,
    fieldNames: () => [...words.keys()],
    beginningOf: (field) => word(field).slice(0, -4),
    findIn(content) {
      const text = content.toString('latin1')
      const texts = [text, text.toLowerCase()]
      const isIn = (form: string) => texts.some((one) => one.includes(form))
      const hasPrefix = formsOf(prefix).some(isIn)
      return [...forms]
        .filter(([field, all]) => (hasPrefix || isChosen(field)) && all.some(isIn))
        .map(([field]) => field)
    },
  }
}

/** The text, and what is always in its base64 form, wherever it begins in the encoded bytes. */
function formsOf(value: string): string[] {
  const bytes = Buffer.from(value)
  const percentEncoded = [...bytes].map((byte) => `%${byte.toString(16)}`).join('')
  const base64 = [0, 1, 2].flatMap((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes])
    const whole = padded.subarray(0, padded.length - (padded.length % 3))
    const encoded = whole.toString('base64').slice(offset === 0 ? 0 : 4)
    return [encoded, encoded.replaceAll('+', '-').replaceAll('/', '_')]
  })
  return [...new Set([value, value.toLowerCase(), bytes.toString('hex'), percentEncoded, ...base64])]
}
