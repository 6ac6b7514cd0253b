import type { Verdict } from './verdict.ts'

const most = 200

/** A verdict in words: what was found, and the sum. */
export function told(name: string, { routes, cases, findings }: Verdict): string[] {
  const leaks = findings.filter(({ isLeak }) => isLeak).length
  const more = findings.length > most ? [`and ${findings.length - most} more`] : []
  return [
    ...findings.slice(0, most).map(({ isLeak, sentence }) => `${isLeak ? 'leak' : 'wrong'}: ${sentence}`),
    ...more,
    `${name}: ${cases} cases at ${routes} routes, ${leaks} leaks, ${findings.length - leaks} wrong`,
  ]
}
