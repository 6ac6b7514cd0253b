import { randomInt } from 'node:crypto'

/** Crockford's base 32: without I, L, O and U, which are read as other characters. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const randomCharacters = 11
const groupSize = 4

/** Returns 11 random characters and a check character. */
export function createCode(): string {
  const code = Array.from({ length: randomCharacters }, () => alphabet[randomInt(alphabet.length)]!).join('')
  return code + checkCharacterOf(code)
}

/** Calculates the check character by the Luhn mod N algorithm, which finds every single wrong character. */
function checkCharacterOf(code: string): string {
  const sum = [...code].reverse().reduce((total, character, index) => {
    const product = alphabet.indexOf(character) * (index % 2 === 0 ? 2 : 1)
    return total + Math.floor(product / alphabet.length) + (product % alphabet.length)
  }, 0)
  return alphabet[(alphabet.length - (sum % alphabet.length)) % alphabet.length]!
}

export const formatCode = (code: string): string =>
  [0, 1, 2].map((group) => code.slice(group * groupSize, (group + 1) * groupSize)).join('-')

/** Accepts lower case, any separators and the letters that look like digits. Returns nothing if the code is mistyped. */
export function parseCode(text: string): string | undefined {
  const code = text.toUpperCase().replace(/[\s-]/g, '').replace(/[IL]/g, '1').replace(/O/g, '0')
  const isComplete = code.length === randomCharacters + 1 && [...code].every((one) => alphabet.includes(one))
  return isComplete && checkCharacterOf(code.slice(0, -1)) === code.at(-1) ? code : undefined
}
