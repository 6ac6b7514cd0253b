import type { Answer as Received } from '#testing'
import type { Answer } from './fixture.ts'

/** What was found wrong: with what kind of case, and in words. */
export type Finding = { about: string; isLeak: boolean; sentence: string }
export type Verdict = { routes: number; cases: number; findings: Finding[] }

export type Case = {
  /** The kind of case: `credential`, `host`, `foreign id` … */
  about: string
  /** What was done, to follow the name of the route. */
  name: string
  /** Left out where only `check` can tell. */
  expected?: Answer
  /** The scope a refusal must name. */
  scope?: string
  /** It is not refused, and writes something. */
  isChange?: boolean
  send(): Promise<Received>
  /** What else is wrong with the answer, if anything. */
  check?(answer: Received): Promise<string | undefined>
}

const atOnce = 8

/** Sends all of them, several at once. */
export async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values()
  const take = async () => {
    for (const item of waiting) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, take))
}

/** Tries a case and tells what is wrong with its answer. `canary` must not be in it, nor in its headers. */
export async function tryCase(route: string, one: Case, canary?: string): Promise<Finding[]> {
  const say = (sentence: string, isLeak = false) => ({
    about: one.about,
    isLeak,
    sentence: `${route}, ${one.name}: ${sentence}`,
  })
  try {
    const answer = await one.send()
    const wrong = deviationOf(answer, one) ?? (await one.check?.(answer))
    return [
      ...(wrong ? [say(wrong)] : []),
      ...(canary && shows(answer, canary) ? [say("shows another tenant's data", true)] : []),
    ]
  } catch (error) {
    return [say(error instanceof Error ? error.message.split('\n')[0]! : String(error))]
  }
}

export const shows = ({ text, headers }: Received, canary: string): boolean =>
  `${text}${JSON.stringify(headers)}`.toLowerCase().includes(canary)

function deviationOf({ status, body, headers }: Received, { expected, scope }: Case): string | undefined {
  if (expected === undefined) return undefined
  const [wantedStatus, wantedCode] = String(expected).split(' ')
  const got = [status, body?.code].filter(Boolean).join(' ')
  if (String(status) !== wantedStatus || (wantedCode && body?.code !== wantedCode))
    return `answered ${got}, should be ${expected}`
  if (scope && body?.required_scope !== scope) return `names the scope ${body?.required_scope}, should be ${scope}`
  if (status === 401 && headers['www-authenticate'] !== `Bearer error="${body?.code}"`)
    return `answered 401 without saying how to sign in`
  if (status >= 400 && !String(headers['content-type']).startsWith('application/problem+json'))
    return `refused with ${headers['content-type']}`
  return undefined
}
